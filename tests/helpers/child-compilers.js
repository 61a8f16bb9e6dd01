import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

// NODE_OPTIONS of a test run has every process that a test starts read this file first. What is built starts its compile
// thread from there; here the thread of compile-worker.js takes its place, which asks compile-servers.js.
const BUILT = /\/dist\/(?:modules\/)?cpu\/compiler\/worker\.js$/;
const shared = new URL('compile-worker.js', import.meta.url);
const { Worker } = threads;

threads.Worker = class extends Worker {
  constructor(file, options) {
    super(process.env.RAWKERNEL_TEST_COMPILERS && BUILT.test(String(file)) ? shared : file, options);
  }
};
syncBuiltinESMExports();
