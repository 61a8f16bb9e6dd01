import koffi from 'koffi';
import { inspect } from 'node:util';
import { isMainThread } from 'node:worker_threads';

let running = 0;
/** An uncaught error: the runtime would show it after the handlers of the end. */
let thrown: { readonly error: unknown } | undefined;

/**
 * Let the process end at once while native code that cannot be ended is running on a worker thread: at its end the runtime
 * would wait for the thread, however long, and what unloads libraries would pull them away under it.
 *
 * @param work - settles when that code has returned
 */
export function leaveWithout<T>(work: Promise<T>): Promise<T> {
  // The end of a worker is not that of the process.
  if (!isMainThread) return work;
  if (running++ === 0) {
    process.on('exit', leave);
    process.on('uncaughtExceptionMonitor', hear);
  }
  return work.finally(() => {
    if (--running > 0) return;
    process.off('exit', leave);
    process.off('uncaughtExceptionMonitor', hear);
  });
}

function hear(error: unknown): void {
  const goesOn = process.listenerCount('uncaughtException') > 0 || process.hasUncaughtExceptionCaptureCallback();
  if (!goesOn) thrown = { error };
}

function leave(code: number): void {
  const listeners = process.rawListeners('exit');
  // The handlers after this one.
  for (const listener of listeners.slice(listeners.indexOf(leave) + 1)) Reflect.apply(listener, process, [code]);
  if (thrown) process.stderr.write(`Uncaught ${inspect(thrown.error)}\n`);
  endProcess(Number(process.exitCode ?? code));
}

/** End the process without the handlers of its libraries. */
function endProcess(code: number): void {
  try {
    if (process.platform === 'win32') {
      const kernel = koffi.load('kernel32.dll');
      const self = kernel.func('GetCurrentProcess', 'intptr_t', [])() as number;
      kernel.func('TerminateProcess', 'int', ['intptr_t', 'uint32_t'])(self, code);
    } else {
      koffi.load(null).func('_exit', 'void', ['int'])(code);
    }
  } catch {
    // Then the runtime waits.
  }
}
