import { warn } from '../core/errors.ts';
import { readFlag } from '../core/choice.ts';
import { checkOptions } from '../core/check.ts';
import { Handle } from '../core/handle.ts';
import { checkMade } from '../core/maker.ts';
import { Resource } from '../core/resource.ts';
import type { Opaque } from '../ffi/ctype.ts';
import { Buffer, type NcclBuffer } from './buffer.ts';
import { attempt, begin, requireRoutine } from './call.ts';
import { submit } from './call-queue.ts';
import { Cell } from './cell.ts';
import type { CommunicatorState } from './communicator-state.ts';
import { statusName } from './errors.ts';
import { beLate } from './hang.ts';
import { status, WINDOW_ALIGNMENT, WindowFlags } from './sys/enums.ts';

const [IN_PROGRESS] = status.ncclInProgress;

/** Memory that NCCL knows, so that collectives on it need no copy: `communicator.registerBuffer(x)`. Close it before the memory. */
export class RegisteredBuffer extends Resource<bigint> {
  readonly byteLength: number;

  /** @internal */
  constructor(handle: Handle<bigint>, byteLength: number) {
    checkMade(Handle.isRecord(handle), new.target, 'call communicator.registerBuffer(x)');
    super(handle);
    this.byteLength = byteLength;
  }
}

/** How a window is registered. */
export interface WindowOptions {
  /** All ranks give the same offsets into memory of {@link memAlloc}, and collectives may use their symmetric forms. */
  readonly symmetric?: boolean | undefined;
  /** One-sided writes are seen in their order. */
  readonly strictOrdering?: boolean | undefined;
}

/** Memory of all ranks that NCCL reaches directly: `await communicator.registerWindow(x)`. Close it before the memory. */
export class RegisteredWindow extends Resource<bigint> {
  readonly byteLength: number;

  /** @internal */
  constructor(handle: Handle<bigint>, byteLength: number) {
    checkMade(Handle.isRecord(handle), new.target, 'call communicator.registerWindow(x)');
    super(handle);
    this.byteLength = byteLength;
  }
}

/** What registers memory, and takes that back. */
interface Kind {
  readonly title: 'RegisteredBuffer' | 'RegisteredWindow';
  readonly routine: 'ncclCommRegister' | 'ncclCommWindowRegister';
  readonly register: (state: CommunicatorState, buffer: Buffer, bytes: number, out: bigint) => void;
  readonly deregister: (state: CommunicatorState, value: bigint) => number;
}

const BUFFER: Kind = {
  title: 'RegisteredBuffer',
  routine: 'ncclCommRegister',
  register: ({ raw }, { address }, bytes, out) => void begin('ncclCommRegister', raw, address, bytes, out),
  deregister: ({ raw }, value) => attempt('ncclCommDeregister', raw, value),
};

function windowKind(flags: number): Kind {
  return {
    title: 'RegisteredWindow',
    routine: 'ncclCommWindowRegister',
    register: ({ raw }, { address }, bytes, out) =>
      void begin('ncclCommWindowRegister', raw, address, bytes, out, flags),
    deregister: ({ raw }, value) => attempt('ncclCommWindowDeregister', raw, value as Opaque<'ncclWindow_t'>),
  };
}

/** {@link Communicator.registerBuffer}. */
export async function registerBuffer(state: CommunicatorState, x: NcclBuffer): Promise<RegisteredBuffer> {
  const { handle, bytes } = await register(state, x, 'Communicator.registerBuffer: x', BUFFER);
  return new RegisteredBuffer(handle, bytes);
}

/** {@link Communicator.registerWindow}. */
export async function registerWindow(
  state: CommunicatorState,
  x: NcclBuffer,
  options: WindowOptions,
): Promise<RegisteredWindow> {
  const what = 'Communicator.registerWindow';
  checkOptions(options, ['symmetric', 'strictOrdering'], what);
  const symmetric = readFlag(options.symmetric, `${what}: symmetric`) ? WindowFlags.COLL_SYMMETRIC : 0;
  const ordered = readFlag(options.strictOrdering, `${what}: strictOrdering`) ? WindowFlags.STRICT_ORDERING : 0;
  const kind = windowKind(symmetric | ordered);
  const { handle, bytes } = await register(state, x, `${what}: x`, kind);
  return new RegisteredWindow(handle, bytes);
}

async function register(
  state: CommunicatorState,
  x: NcclBuffer,
  what: string,
  kind: Kind,
): Promise<{ readonly handle: Handle<bigint>; readonly bytes: number }> {
  requireRoutine(kind.routine);
  const buffer = new Buffer(x, what, state);
  const { room } = buffer;
  if (room === undefined || room === 0) {
    throw new TypeError(`${what} must be memory whose size is known and not 0, got ${room ?? 'an address'}`);
  }
  if (kind.title === 'RegisteredWindow') checkAligned(buffer, what);
  const cell = new Cell();
  const owner = buffer.retain();
  try {
    await submit({
      states: [state],
      routine: kind.routine,
      timeoutMs: state.facts.timeoutMs,
      start: () => state.inContext(() => kind.register(state, buffer, room, cell.address)),
      late: (timeoutMs) => beLate(state, timeoutMs),
    });
    const parents = owner === undefined ? [state.handle] : [state.handle, owner];
    const handle = new Handle(kind.title, cell.wide, (value) => deregister(state, kind, value, owner), parents);
    return { handle, bytes: room };
  } finally {
    owner?.release();
  }
}

function checkAligned({ address }: Buffer, what: string): void {
  if (address % BigInt(WINDOW_ALIGNMENT) === 0n) return;
  throw new RangeError(
    `${what} must begin at a multiple of ${WINDOW_ALIGNMENT} bytes, got the address 0x${address.toString(16)}; memory of memAlloc() of rawkernel/nccl does`,
  );
}

/** Once NCCL is idle, and before the memory goes. What was aborted has forgotten it. */
function deregister(state: CommunicatorState, kind: Kind, value: bigint, owner: ReturnType<Buffer['retain']>): void {
  if (state.isAborted || state.failure !== undefined) return;
  owner?.retain();
  submit({
    states: [state],
    routine: kind.routine,
    timeoutMs: state.facts.timeoutMs,
    start: () => {
      const code = state.inContext(() => kind.deregister(state, value));
      if (code !== 0 && code !== IN_PROGRESS) {
        warn(`Memory could not be deregistered: ${statusName(code)}`, 'RAWKERNEL_CLEANUP');
      }
    },
    end: () => owner?.release(),
    late: () => undefined,
  }).catch((error: unknown) => {
    warn(`Memory could not be deregistered: ${String(error)}`, 'RAWKERNEL_CLEANUP');
  });
}
