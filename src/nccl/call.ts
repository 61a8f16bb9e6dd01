import { warn } from '../core/errors.ts';
import { traceCalls } from '../core/trace.ts';
import { callOnWorker } from '../ffi/bind.ts';
import type { ThreadCall } from '../ffi/call-thread.ts';
import { guard, type Checked } from '../ffi/guard.ts';
import { readText } from '../ffi/memory.ts';
import type { NameOf } from '../ffi/prototype.ts';
import { ncclError, statusName } from './errors.ts';
import { nccl } from './select.ts';
import { functions } from './sys/nccl.ts';
import type { NcclTable } from './sys/tables.ts';
import { status } from './sys/enums.ts';
import { ncclLibrary } from './table.ts';
import { slotOf } from './slots.ts';
import { take } from '../ffi/slot.ts';

const [IN_PROGRESS] = status.ncclInProgress;

type Routine = NameOf<typeof functions>;

/** NCCL's functions, throwing {@link NcclError}. */
export const nc: Checked<typeof functions> = guard(functions, nccl, {
  status: 'ncclResult_t',
  error: (routine, code) => ncclError(routine, code, { said: lastError() }),
});

const intSlot = slotOf('int');

/** NCCL_VERSION_CODE of the library in use: 22807 is 2.28.7. */
export function ncclVersionCode(): number {
  nc.ncclGetVersion(intSlot);
  return take(intSlot);
}

/** NCCL's own words about its last error in this process; undefined where it has none. */
export function lastError(): string | undefined {
  // A library's text arrives as a string, the embedded device's as its address.
  const said: unknown = nccl().ncclGetLastError(0n as never);
  const text = typeof said === 'bigint' ? readText(said) : said;
  return typeof text === 'string' && text !== '' ? text.trim() : undefined;
}

/** Call, and return any status: for callers that know what a failure means. */
export function attempt<Name extends Routine>(name: Name, ...args: Parameters<NcclTable[Name]>): number {
  const call = nccl()[name] as (...list: Parameters<NcclTable[Name]>) => number;
  return call(...args);
}

/**
 * Have the library opened, before anything is done for it.
 *
 * @throws {@link LibraryNotFoundError} it is not installed
 */
export function requireNccl(): void {
  nccl();
}

/**
 * Have a function looked up, before anything is done for its call.
 *
 * @throws {@link SymbolNotFoundError} the installed NCCL lacks it; the message has the version that brought it
 */
export function requireRoutine(name: Routine): void {
  Reflect.get(nccl(), name);
}

/** Call on a worker thread of the runtime. Only for calls that need no current context. */
export function callLater<Name extends Routine>(name: Name, ...args: Parameters<NcclTable[Name]>): Promise<number> {
  const call = nccl()[name] as (...list: Parameters<NcclTable[Name]>) => number;
  return callOnWorker(call, ...args);
}

/** A call for a thread of its own; undefined where NCCL is not the installed library, or calls are traced. */
export function threadCall(name: Routine, args: readonly unknown[]): ThreadCall | undefined {
  if (traceCalls || !ncclLibrary.isNative(nccl())) return undefined;
  return ncclLibrary.threadCall(name, args, [0, IN_PROGRESS]);
}

/** Call; whether NCCL goes on with it in the background. */
export function begin<Name extends Routine>(name: Name, ...args: Parameters<NcclTable[Name]>): boolean {
  const code = attempt(name, ...args);
  if (code !== 0 && code !== IN_PROGRESS) throw ncclError(name, code, { said: lastError() });
  return code === IN_PROGRESS;
}

/** Call a destroying function: it warns where others throw. */
export function cleanup<Name extends Routine>(name: Name, ...args: Parameters<NcclTable[Name]>): void {
  const code = attempt(name, ...args);
  if (code !== 0 && code !== IN_PROGRESS) warn(`${name} failed: ${statusName(code)}`, 'RAWKERNEL_CLEANUP');
}
