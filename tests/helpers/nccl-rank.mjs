import { isMainThread, parentPort } from 'node:worker_threads';
import { driver } from '../../dist/cpu/device.js';
import { ncclTable } from '../../dist/cpu/nccl-device.js';

// A rank in a thread or a process of its own, on the built package. It runs the functions that it is sent, as text.

const cuda = driver();
const nccl = ncclTable();
cuda.cuInit(0);
check(cuda.cuCtxCreate(new BigUint64Array(1), 0, 0));
/** What the functions keep from one to the next. */
const kept = {};

function check(status) {
  if (status !== 0) throw new Error(`status ${status}`);
}

function made(call) {
  const out = new BigUint64Array(1);
  check(call(out));
  return out[0];
}

const api = {
  cuda,
  nccl,
  kept,
  check,
  made,
  init: (id, size, rank) => made((out) => nccl.ncclCommInitRank(out, size, { internal: new Uint8Array(id) }, rank)),
  put: (array) => {
    const address = made((out) => cuda.cuMemAlloc(out, Math.max(1, array.byteLength)));
    check(cuda.cuMemcpyHtoD(address, array, array.byteLength));
    return address;
  },
  get: (address, array) => {
    check(cuda.cuMemcpyDtoH(array, address, array.byteLength));
    return array;
  },
  stream: () => made((out) => cuda.cuStreamCreate(out, 1)),
  sync: () => check(cuda.cuCtxSynchronize()),
  /** How many handles of each kind keep the process alive. */
  handles: () => process.getActiveResourcesInfo(),
};

const reply = (message) => (isMainThread ? process.send(message) : parentPort.postMessage(message));

async function run({ text, args }) {
  try {
    const value = await (0, eval)(`(${text})`)(api, ...args);
    reply({ value });
  } catch (error) {
    reply({ error: String(error?.stack ?? error) });
  }
}

(isMainThread ? process : parentPort).on('message', run);
reply({ value: 'ready' });
