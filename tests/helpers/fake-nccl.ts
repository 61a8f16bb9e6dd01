import { bytesAt, type Pointer } from '../../src/ffi/pointer.ts';
import { addressOf } from '../../src/ffi/memory.ts';
import { provideAsync } from '../../src/ffi/bind.ts';
import { functions as prototypes } from '../../src/nccl/sys/nccl.ts';
import { structs } from '../../src/nccl/sys/structs.ts';
import { COLLECTIVE_ARGUMENTS } from './fake-nccl-arguments.ts';
import type { NcclTable } from '../../src/nccl/sys/tables.ts';
import { strictTable } from './strict-table.ts';

/** One transfer, as NCCL got it. */
export interface FakeTransfer {
  readonly routine: string;
  readonly comm: bigint;
  /** The arguments by their names in the prototype. */
  readonly args: Readonly<Record<string, bigint | number>>;
}

/** A communicator on the fake's side. */
export interface FakeComm {
  readonly raw: bigint;
  readonly rank: number;
  readonly size: number;
  readonly id: string;
  /** The bytes of its config. */
  readonly config: DataView | undefined;
  /** What ncclCommGetAsyncError says. */
  asyncError: number;
  /** How often it says ncclInProgress before it says success. */
  turns: number;
  /** What is written when its work is over. */
  readonly then: (() => void)[];
}

export interface FakeNccl {
  readonly table: NcclTable;
  readonly comms: Map<bigint, FakeComm>;
  /** Transfers that NCCL has started, in their order; those of one group are in one list. */
  readonly started: FakeTransfer[][];
  /** All calls, but for the questions for asynchronous errors. */
  readonly calls: string[];
  /** Routine → the status that it answers. */
  readonly fail: Map<string, number>;
  /** What real NCCL does not survive, or leaves broken. */
  readonly misuse: string[];
  /** How often work says ncclInProgress. */
  turns: number;
  /** Work does not come to an end. */
  isStuck: boolean;
  version: number;
  /** Operators, registrations and allocations that live. */
  readonly live: Map<string, number>;
  /** Whether an abort comes to an end. */
  abortHangs: boolean;
}

const SUCCESS = 0;
const INVALID_ARGUMENT = 4;
const INVALID_USAGE = 5;
const IN_PROGRESS = 7;
const FIRST_OPERATOR = 5;

/** An NCCL whose ranks all come at once. It keeps NCCL's rules for communicators that do not block, and notes who breaks them. */
export function fakeNccl(): FakeNccl {
  let next = 0x9000n;
  let depth = 0;
  let groupError = SUCCESS;
  let group: FakeTransfer[] = [];
  let joined = new Set<FakeComm>();
  let operators = FIRST_OPERATOR;
  let ids = 0;
  const kept: Uint8Array[] = [];
  const fresh = (): bigint => (next += 0x10n);
  const words = (out: Pointer): BigUint64Array => {
    const bytes = bytesAt(out, 8);
    return new BigUint64Array(bytes.buffer, bytes.byteOffset, 1);
  };
  const putWide = (out: Pointer, value: bigint): number => {
    words(out)[0] = value;
    return SUCCESS;
  };
  const putInt = (out: Pointer, value: number): number => {
    const bytes = bytesAt(out, 4);
    new DataView(bytes.buffer, bytes.byteOffset).setInt32(0, value, true);
    return SUCCESS;
  };
  const count = (kind: string, by: number): void => {
    fake.live.set(kind, (fake.live.get(kind) ?? 0) + by);
    if (fake.live.get(kind) === 0) fake.live.delete(kind);
  };

  /** What every call does that works on a communicator: ncclCommEnsureReady. */
  const ready = (routine: string, raw: bigint): FakeComm | number => {
    const comm = fake.comms.get(raw);
    if (comm === undefined) {
      fake.misuse.push(`${routine} on a communicator that is gone`);
      return INVALID_ARGUMENT;
    }
    if (comm.asyncError !== IN_PROGRESS) return comm.asyncError === SUCCESS ? comm : comm.asyncError;
    fake.misuse.push(`${routine} while an earlier call is in progress`);
    comm.asyncError = INVALID_ARGUMENT;
    return INVALID_ARGUMENT;
  };
  const with_ = (routine: string, raw: bigint, run: (comm: FakeComm) => number): number => {
    const comm = ready(routine, raw);
    return typeof comm === 'number' ? comm : run(comm);
  };
  const work = (comm: FakeComm, then?: () => void): number => {
    comm.asyncError = IN_PROGRESS;
    comm.turns = fake.turns;
    if (then) comm.then.push(then);
    return IN_PROGRESS;
  };
  const open = (rank: number, size: number, id: string, config: Pointer): FakeComm => {
    const comm: FakeComm = {
      raw: fresh(),
      rank,
      size,
      id,
      config: config === 0n ? undefined : configOf(config),
      asyncError: IN_PROGRESS,
      turns: fake.turns,
      then: [],
    };
    fake.comms.set(comm.raw, comm);
    return comm;
  };

  const transfer =
    (routine: keyof typeof COLLECTIVE_ARGUMENTS) =>
    (...list: (bigint | number)[]): number => {
      const args = Object.fromEntries(COLLECTIVE_ARGUMENTS[routine].map((name, i) => [name, list[i] ?? 0]));
      const raw = args['comm'] as bigint;
      const failure = fake.fail.get(routine);
      const comm = ready(routine, raw);
      const status = failure ?? (typeof comm === 'number' ? comm : SUCCESS);
      const known = fake.comms.get(raw);
      if (status !== SUCCESS) {
        if (known) known.asyncError = status;
        if (depth > 0) groupError = status;
        return status;
      }
      group.push({ routine, comm: raw, args });
      joined.add(comm as FakeComm);
      return depth > 0 ? SUCCESS : endGroup();
    };
  const endGroup = (): number => {
    const [transfers, comms] = [group, joined];
    [group, joined] = [[], new Set()];
    if (groupError !== SUCCESS) {
      for (const comm of comms) comm.asyncError = groupError;
      const status = groupError;
      groupError = SUCCESS;
      return status;
    }
    if (transfers.length > 0) fake.started.push(transfers);
    for (const comm of comms) work(comm);
    return comms.size === 0 ? SUCCESS : IN_PROGRESS;
  };
  const drop = (comm: FakeComm): number => {
    fake.comms.delete(comm.raw);
    return SUCCESS;
  };
  const abort = (raw: bigint): number => {
    const comm = fake.comms.get(raw);
    if (comm === undefined) {
      fake.misuse.push('ncclCommAbort on a communicator that is gone');
      return INVALID_ARGUMENT;
    }
    return drop(comm);
  };
  const child = (
    raw: bigint,
    routine: string,
    out: Pointer,
    make: (parent: FakeComm) => FakeComm | undefined,
  ): number =>
    with_(routine, raw, (parent) =>
      work(parent, () => {
        const made = make(parent);
        if (made) made.asyncError = SUCCESS;
        putWide(out, made?.raw ?? 0n);
      }),
    );

  const table: Record<string, (...args: never[]) => unknown> = {
    ncclGetVersion: (out: Pointer) => putInt(out, fake.version),
    ncclGetUniqueId: (out: Uint8Array) => {
      out.fill(++ids);
      return SUCCESS;
    },
    ncclCommInitRankConfig: (
      out: Pointer,
      size: number,
      id: { readonly internal: Uint8Array },
      rank: number,
      config: Pointer,
    ) => {
      const status = fake.fail.get('ncclCommInitRankConfig');
      if (status !== undefined) {
        if (depth > 0) groupError = status;
        putWide(out, 0n);
        return status;
      }
      putWide(out, open(rank, size, Buffer.from(id.internal).toString('hex'), config).raw);
      return IN_PROGRESS;
    },
    ncclCommSplit: (raw: bigint, color: number, key: number, out: Pointer, config: Pointer) =>
      child(raw, 'ncclCommSplit', out, (parent) =>
        color < 0 ? undefined : open(key, parent.size, `${parent.id}/${color}`, config),
      ),
    ncclCommShrink: (raw: bigint, list: Int32Array, length: number, out: Pointer, config: Pointer, flags: number) => {
      const parent = fake.comms.get(raw);
      if (parent && flags === 1) parent.asyncError = SUCCESS;
      const lower = [...list].filter((rank) => rank < (parent?.rank ?? 0)).length;
      return child(raw, 'ncclCommShrink', out, (of) => open(of.rank - lower, of.size - length, `${of.id}-`, config));
    },
    ncclCommFinalize: (raw: bigint) => with_('ncclCommFinalize', raw, (comm) => work(comm)),
    ncclCommDestroy: (raw: bigint) => {
      const comm = ready('ncclCommDestroy', raw);
      if (typeof comm !== 'number') return drop(comm);
      fake.misuse.push('ncclCommDestroy on a communicator that has failed: it leaves a group open');
      return comm;
    },
    ncclCommAbort: abort,
    ncclCommGetAsyncError: (raw: bigint, out: Pointer) => {
      const comm = fake.comms.get(raw);
      if (comm === undefined) {
        fake.misuse.push('ncclCommGetAsyncError on a communicator that is gone');
        return INVALID_ARGUMENT;
      }
      if (comm.asyncError === IN_PROGRESS && !fake.isStuck && comm.turns-- <= 0) {
        comm.asyncError = SUCCESS;
        for (const then of comm.then.splice(0)) then();
      }
      return putInt(out, comm.asyncError);
    },
    ncclCommCount: (raw: bigint, out: Pointer) => putInt(out, fake.comms.get(raw)?.size ?? 0),
    ncclCommUserRank: (raw: bigint, out: Pointer) => putInt(out, fake.comms.get(raw)?.rank ?? 0),
    ncclGetLastError: () => 'the fake says so',
    ncclMemAlloc: (out: Pointer, size: number) => {
      const bytes = new Uint8Array(size + 4096);
      kept.push(bytes);
      count('memory', 1);
      return putWide(out, (addressOf(bytes) + 4095n) & ~4095n);
    },
    ncclMemFree: () => {
      count('memory', -1);
      return SUCCESS;
    },
    ncclCommRegister: (raw: bigint, _address: bigint, _size: number, out: Pointer) =>
      with_('ncclCommRegister', raw, () => {
        count('registration', 1);
        return putWide(out, fresh());
      }),
    ncclCommDeregister: (raw: bigint) =>
      with_('ncclCommDeregister', raw, () => {
        count('registration', -1);
        return SUCCESS;
      }),
    ncclCommWindowRegister: (raw: bigint, _address: bigint, _size: number, out: Pointer) =>
      with_('ncclCommWindowRegister', raw, (comm) =>
        work(comm, () => {
          count('window', 1);
          putWide(out, fresh());
        }),
      ),
    ncclCommWindowDeregister: (raw: bigint) =>
      with_('ncclCommWindowDeregister', raw, () => {
        count('window', -1);
        return SUCCESS;
      }),
    ncclRedOpCreatePreMulSum: (out: Pointer, _scalar: Pointer, _type: number, _residence: number, raw: bigint) =>
      with_('ncclRedOpCreatePreMulSum', raw, () => {
        count('operator', 1);
        return putInt(out, operators++);
      }),
    ncclRedOpDestroy: (_op: number, raw: bigint) =>
      with_('ncclRedOpDestroy', raw, () => {
        count('operator', -1);
        return SUCCESS;
      }),
    ncclGroupStart: () => {
      depth++;
      return SUCCESS;
    },
    ncclGroupEnd: () => {
      if (depth === 0) return INVALID_USAGE;
      return --depth > 0 ? SUCCESS : endGroup();
    },
    ...Object.fromEntries(
      (Object.keys(COLLECTIVE_ARGUMENTS) as (keyof typeof COLLECTIVE_ARGUMENTS)[]).map((name) => [
        name,
        transfer(name),
      ]),
    ),
  };
  const own = new Set([...Object.keys(COLLECTIVE_ARGUMENTS), 'ncclCommInitRankConfig']);
  const fake: FakeNccl = {
    table: strictTable(prototypes, table, 'NCCL', (routine, _args, proceed) => {
      if (routine !== 'ncclCommGetAsyncError') fake.calls.push(routine);
      return own.has(routine) ? proceed() : (fake.fail.get(routine) ?? proceed());
    }),
    comms: new Map(),
    started: [],
    calls: [],
    fail: new Map(),
    misuse: [],
    turns: 2,
    isStuck: false,
    version: 22_807,
    live: new Map(),
    abortHangs: false,
  };
  provideAsync(fake.table.ncclCommAbort, (raw) => {
    fake.calls.push('ncclCommAbort');
    if (fake.abortHangs) return new Promise(() => undefined);
    return Promise.resolve(fake.fail.get('ncclCommAbort') ?? abort(raw));
  });
  return fake;
}

/** NCCL reads as many bytes as the first word says. */
function configOf(config: Pointer): DataView {
  const head = bytesAt(config, 8);
  const size = Number(new DataView(head.buffer, head.byteOffset).getBigUint64(structs.ncclConfig_t.fields.size, true));
  return new DataView(bytesAt(config, size).slice().buffer);
}
