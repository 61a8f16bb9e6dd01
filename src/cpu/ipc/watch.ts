import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { ThreadStart } from '../../core/kernel-thread.ts';
import { isAlive } from '../../core/process-life.ts';
import { contextWord } from '../runtime/control.ts';
import { Gatekeeper } from '../runtime/gate.ts';
import type { Watched, WatchMessage, WatchStart } from './watch-messages.ts';

// A thread that opens gates when events of other processes have been passed. Processes share no words to sleep on, so it looks.

const SLEEP_MS = 0.2;
/** How often it looks whether the other processes live. */
const LIFE_MS = 50;

const { port, begun } = workerData as ThreadStart;
Atomics.wait(begun, 0, 0);
const { control, memory } = (receiveMessageOnPort(port) as { readonly message: WatchStart }).message;
let keeper = new Gatekeeper(new Int32Array(control));
let words = new Int32Array(memory.buffer);
const watched = new Set<Watched>();
/** Open as soon as the new control block is here. */
let deferred: { readonly gate: number; readonly skipped: boolean }[] = [];
const bed = new Int32Array(new SharedArrayBuffer(4));
let lifeAt = 0;

function receive(message: WatchMessage): void {
  if (message.type === 'watch') {
    watched.add(message.watched);
    return;
  }
  keeper = new Gatekeeper(new Int32Array(message.control));
  const waiting = deferred;
  deferred = [];
  for (const { gate, skipped } of waiting) open(gate, skipped);
}

function open(gate: number, skipped: boolean): void {
  if (!keeper.open(gate, skipped)) deferred.push({ gate, skipped });
}

function look(isLifeAsked: boolean): void {
  for (const one of watched) {
    const isLost = Atomics.load(keeper.control, contextWord(one.context)) !== 0;
    if (!isLost && !isPassed(one, isLifeAsked)) continue;
    watched.delete(one);
    open(one.gate, isLost);
  }
}

function isPassed({ word, process: id }: Watched, isLifeAsked: boolean): boolean {
  if (word >= words.length) {
    memory.grow(0);
    words = new Int32Array(memory.buffer);
  }
  return Atomics.load(words, word) !== 0 || (isLifeAsked && !isAlive(id));
}

/** The event loop runs only while there is nothing to look at. */
function watchAll(): void {
  while (watched.size > 0) {
    const now = Date.now();
    const isLifeAsked = now - lifeAt >= LIFE_MS;
    if (isLifeAsked) lifeAt = now;
    look(isLifeAsked);
    Atomics.wait(bed, 0, 0, SLEEP_MS);
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
      receive((next as { readonly message: WatchMessage }).message);
    }
  }
}

port.on('message', (message: WatchMessage) => {
  receive(message);
  watchAll();
});
