import type * as V8 from 'node:v8';
import { runInThisContext } from 'node:vm';

let found: NodeJS.Process | undefined;

/** Node's own `process`: test runners give modules a copy of it, which neither hears its events nor sets its exit code. */
export function runtimeProcess(): NodeJS.Process {
  return (found ??= (runInThisContext('globalThis.process') as NodeJS.Process | undefined) ?? process);
}

/** V8's functions. Few programs need them, and to load them takes longer than most modules of Node's. */
export function v8(): typeof V8 {
  return runtimeProcess().getBuiltinModule('node:v8');
}

/** Whether the process, or this worker thread, is ending: from before its 'exit' listeners are called. */
export function isExiting(): boolean {
  return (runtimeProcess() as { readonly _exiting?: boolean })._exiting === true;
}
