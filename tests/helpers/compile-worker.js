import { connect } from 'node:net';
import { workerData } from 'node:worker_threads';
import { receive, send } from './compile-frames.js';

// Takes the place of the embedded device's compile thread, and does the same towards its client: but the
// compilers are those of compile-servers.js.
const { port, words, idleMs } = workerData;
const [REQUESTS, ANSWERS, ENDED] = [0, 1, -1];

let idle;
// Without a listener an error ends the thread, which the client hears.
const socket = connect(process.env.RAWKERNEL_TEST_COMPILERS);
socket.on('close', () => process.exit());
receive(socket, (reply) => {
  port.postMessage(reply);
  Atomics.add(words, ANSWERS, 1);
  Atomics.notify(words, ANSWERS);
  if (Atomics.sub(words, REQUESTS, 1) === 1) idle = setTimeout(end, idleMs);
});
port.on('message', (message) => {
  clearTimeout(idle);
  send(socket, message);
});

function end() {
  if (Atomics.compareExchange(words, REQUESTS, 0, ENDED) === 0) process.exit();
}
