import { runInThisContext } from 'node:vm';

let found: NodeJS.Process | undefined;

/** Node's own `process`: test runners give modules a copy of it, which neither hears its events nor sets its exit code. */
export function runtimeProcess(): NodeJS.Process {
  return (found ??= (runInThisContext('globalThis.process') as NodeJS.Process | undefined) ?? process);
}

/** Whether the process, or this worker thread, is ending: from before its 'exit' listeners are called. */
export function isExiting(): boolean {
  return (runtimeProcess() as { readonly _exiting?: boolean })._exiting === true;
}
