import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { isItself } from '../../../src/job/handshake.ts';

test('a socket that is connected with itself is known, and another one is not', async () => {
  const server = createServer((peer) => peer.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const other = connect({ host: '127.0.0.1', port });
  expect(isItself(other)).toBe(false);
  await once(other, 'connect');
  expect(isItself(other)).toBe(false);
  other.resetAndDestroy();
  server.close();
  await once(server, 'close');
  // What the system does by chance where nothing listens. Not every system can.
  if (process.platform !== 'linux') return;
  const socket = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.1', localPort: port });
  await once(socket, 'connect');
  expect(isItself(socket)).toBe(true);
  socket.destroy();
});
