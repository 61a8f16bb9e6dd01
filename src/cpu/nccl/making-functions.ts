import { randomBytes } from 'node:crypto';
import type { NcclTable } from '../../nccl/sys/tables.ts';
import { ShrinkFlags, SPLIT_NOCOLOR, UNIQUE_ID_BYTES } from '../../nccl/sys/enums.ts';
import { countsCpuDevices, ncclHostId } from '../../core/environment.ts';
import { hostname } from 'node:os';
import { bytesAt, putWide, type Out } from '../abi/out.ts';
import type { Rows } from '../abi/rows.ts';
import type { CpuContext } from '../driver/objects.ts';
import { CommWord, newWords, textOf } from './comm-words.ts';
import type { Child, CpuComm } from './communicator.ts';
import { isBlocking } from './config.ts';
import { NONCE_BYTES } from './hello.ts';
import type { Making } from './group.ts';
import type { RootAddress } from './messages.ts';
import { MAX_RANKS, Result } from './numbers.ts';
import { settled } from './progress-client.ts';
import { NcclScope } from './scope.ts';
import { decodeId, encodeId } from './unique-id.ts';

type Names =
  | 'ncclGetUniqueId'
  | 'ncclCommInitRank'
  | 'ncclCommInitRankConfig'
  | 'ncclCommInitRankScalable'
  | 'ncclCommInitAll'
  | 'ncclCommSplit'
  | 'ncclCommShrink';

/** What a rank begins with. */
interface InitRank {
  readonly out: Out;
  readonly roots: readonly (RootAddress | undefined)[];
  readonly size: number;
  readonly rank: number;
  readonly config: Out;
}

/** What is found wrong with arguments. */
const { INVALID_ARGUMENT, INVALID_USAGE, SUCCESS, UNHANDLED_CUDA_ERROR } = Result;

/** The making of communicators. */
export const makingFunctions: Rows<NcclScope, NcclTable, Names> = {
  ncclGetUniqueId: (scope, out) => {
    const root = newRoot(scope);
    if (typeof root === 'number') return root;
    bytesAt(out, UNIQUE_ID_BYTES).set(encodeId(root));
    return SUCCESS;
  },
  ncclCommInitRank: (scope, out, size, id, rank) =>
    initRank(scope, { out, roots: [decodeId(id.internal)], size, rank, config: 0n }),
  ncclCommInitRankConfig: (scope, out, size, id, rank, config) =>
    initRank(scope, { out, roots: [decodeId(id.internal)], size, rank, config }),
  ncclCommInitRankScalable: (scope, out, size, rank, count, ids, config) => {
    if (count < 1 || count > size) {
      return scope.group.note(scope.say(INVALID_ARGUMENT, `nId must be from 1 to nranks (${size}), got ${count}`));
    }
    const bytes = bytesAt(ids, count * UNIQUE_ID_BYTES);
    const roots = Array.from({ length: count }, (_, i) =>
      decodeId(bytes.subarray(i * UNIQUE_ID_BYTES, (i + 1) * UNIQUE_ID_BYTES)),
    );
    return initRank(scope, { out, roots, size, rank, config });
  },
  ncclCommInitAll: initAll,
  ncclCommSplit: (scope, handle, color, key, out, config) =>
    scope.group.note(
      scope.withReady(handle, (parent) => {
        if (color < 0 && color !== SPLIT_NOCOLOR) {
          return scope.say(INVALID_ARGUMENT, `color must be at least 0 or NCCL_SPLIT_NOCOLOR (-1), got ${color}`);
        }
        const comm = childOf(scope, parent, config);
        if (!comm) return badConfig(scope);
        const { words } = comm;
        // Nobody can ask for it, but the rank takes part.
        if (color === SPLIT_NOCOLOR) scope.comms.delete(comm.handle);
        return scope.group.make(
          childMaking(parent, comm, color === SPLIT_NOCOLOR ? 0 : comm.handle, out, () => {
            scope.progress.post({ type: 'split', parent: parent.handle, comm: comm.handle, words, color, key });
          }),
        );
      }),
    ),
  ncclCommShrink: shrink,
};

function noContext(scope: NcclScope): number {
  return scope.say(UNHANDLED_CUDA_ERROR, 'No CUDA context is current: a rank is on the device of the current one');
}

function badConfig(scope: NcclScope): number {
  return scope.say(INVALID_ARGUMENT, 'ncclConfig_t must begin with its size and magic, and blocking must be 0 or 1');
}

/** Make an id: a status where that fails. */
function newRoot(scope: NcclScope): RootAddress | number {
  const words = newWords(Result.IN_PROGRESS);
  const nonce = new Uint8Array(randomBytes(NONCE_BYTES));
  scope.progress.post({ type: 'listen', words, nonce });
  const status = settled(words);
  if (status !== SUCCESS) return scope.say(status, textOf(words));
  return { port: Atomics.load(words, CommWord.PORT), nonce };
}

function initRank(scope: NcclScope, init: InitRank): number {
  const { roots, size, rank, config } = init;
  const { place } = scope;
  const blocking = isBlocking(config, true);
  const known = roots.flatMap((root) => (root ? [root] : []));
  const wrong = (text: string): number => scope.group.note(scope.say(INVALID_ARGUMENT, text));
  if (size < 1 || size > MAX_RANKS) {
    return wrong(`nranks must be from 1 to ${MAX_RANKS} on the embedded device, got ${size}`);
  }
  if (rank < 0 || rank >= size) return wrong(`rank must be from 0 to ${size - 1}, got ${rank}`);
  if (known.length < roots.length) return wrong('The unique id is not one of the embedded device');
  if (blocking === undefined) return scope.group.note(badConfig(scope));
  if (!place) return scope.group.note(noContext(scope));
  return scope.group.make(rankOf(scope, { ...init, roots: known }, { ...place, blocking }));
}

interface Place {
  readonly context: CpuContext;
  readonly device: number;
  readonly blocking: boolean;
  readonly ended?: () => void;
}

function rankOf(
  scope: NcclScope,
  { out, roots, size, rank }: Omit<InitRank, 'roots' | 'config'> & { readonly roots: readonly RootAddress[] },
  place: Place,
): Making {
  const comm = scope.newComm(place);
  NcclScope.know(comm, rank, size);
  putWide(out, comm.handle);
  const device = `${ncclHostId() ?? ownHost()} ${place.device}`;
  return {
    comm,
    blocking: comm.blocking,
    start: () => {
      scope.progress.post({ type: 'init', comm: comm.handle, words: comm.words, roots, size, rank, device });
    },
    undo: () => putWide(out, 0),
  };
}

/**
 * Where devices are the same ones: the machine, if the program's user has given it devices. Otherwise a process has the
 * embedded device for itself, so that a launcher can start ranks without any setting.
 */
function ownHost(): string {
  return countsCpuDevices() ? hostname() : `${hostname()} ${process.pid}`;
}

/** A rank on each device of a list, in the devices' primary contexts. */
function initAll(scope: NcclScope, out: Out, count: number, list: Out): number {
  const { driver, group } = scope;
  const found = new Int32Array(1);
  driver.cuDeviceGetCount(found);
  const most = Math.min(MAX_RANKS, found[0] as number);
  if (count < 1) return scope.say(INVALID_ARGUMENT, `ndev must be at least 1, got ${count}`);
  const devices = list === 0n ? Array.from({ length: count }, (_, i) => i) : [...int32sAt(list, count)];
  const odd = devices.find((device) => device < 0 || device >= (found[0] as number));
  if (odd !== undefined || count > most) {
    return scope.say(
      INVALID_USAGE,
      `Invalid device id ${odd ?? most} (there are ${found[0]} devices, at most ${MAX_RANKS} ranks)`,
    );
  }
  if (new Set(devices).size < count)
    return scope.say(INVALID_USAGE, `Duplicate GPU in the list of devices ${devices.join()}`);
  const root = newRoot(scope);
  if (typeof root === 'number') return root;
  const handles = new BigUint64Array(count);
  group.start();
  for (const [rank, device] of devices.entries()) {
    const context = primaryContext(scope, device);
    if (!context) {
      group.note(scope.say(UNHANDLED_CUDA_ERROR, `Device ${device} gives no primary context`));
      break;
    }
    const ended = (): void => void driver.cuDevicePrimaryCtxRelease(device);
    const into = handles.subarray(rank, rank + 1);
    group.make(
      rankOf(scope, { out: into, roots: [root], size: count, rank }, { context, device, blocking: true, ended }),
    );
  }
  const status = group.end();
  new Uint8Array(bytesAt(out, 8 * count).buffer, bytesAt(out, 8 * count).byteOffset, 8 * count).set(
    new Uint8Array(handles.buffer),
  );
  return status;
}

function int32sAt(list: Out, count: number): Int32Array {
  return new Int32Array(bytesAt(list, 4 * count).slice(0, 4 * count).buffer);
}

function primaryContext({ driver, state }: NcclScope, device: number): CpuContext | undefined {
  const handle = new BigUint64Array(1);
  if (driver.cuDevicePrimaryCtxRetain(handle, device) !== 0) return undefined;
  return state.contexts.get(Number(handle[0]));
}

/**
 * The making of a communicator out of another one. As in NCCL, it is the parent that is in progress meanwhile, and the handle is
 * written once the child is there.
 */
function childMaking(parent: CpuComm, comm: CpuComm, handle: number, out: Out, start: () => void): Making {
  putWide(out, 0);
  const child: Child = { words: comm.words, done: () => putWide(out, handle) };
  return {
    comm,
    blocking: parent.blocking,
    start: () => {
      parent.children.add(child);
      start();
    },
    done: () => {
      parent.children.delete(child);
      child.done();
    },
    undo: () => {
      parent.children.delete(child);
    },
  };
}

/** A communicator on the device of another one, which also gives its settings. */
function childOf(scope: NcclScope, { context, device, blocking }: CpuComm, config: Out): CpuComm | undefined {
  const isSo = isBlocking(config, blocking);
  return isSo === undefined ? undefined : scope.newComm({ context, device, blocking: isSo });
}

function shrink(
  scope: NcclScope,
  handle: bigint,
  list: Out,
  count: number,
  out: Out,
  config: Out,
  flags: number,
): number {
  const aborts = flags === ShrinkFlags.ABORT;
  const run = (parent: CpuComm): number => {
    if (count < 1 || count >= parent.size) {
      return scope.say(INVALID_ARGUMENT, `excludeRanksCount must be from 1 to ${parent.size - 1}, got ${count}`);
    }
    const exclude = [...int32sAt(list, count)];
    const odd = exclude.find((rank) => rank < 0 || rank >= parent.size || rank === parent.rank);
    if (odd !== undefined) {
      return scope.say(INVALID_ARGUMENT, `excludeRanksList must have other ranks, below ${parent.size}; got ${odd}`);
    }
    if (!aborts && flags !== ShrinkFlags.DEFAULT)
      return scope.say(INVALID_ARGUMENT, `shrinkFlags must be 0 or 1, got ${flags}`);
    const comm = childOf(scope, parent, config);
    if (!comm) return badConfig(scope);
    if (aborts) scope.progress.ask({ type: 'release', comm: parent.handle }, parent.words);
    return scope.group.make(
      childMaking(parent, comm, comm.handle, out, () => {
        scope.progress.post({ type: 'shrink', parent: parent.handle, comm: comm.handle, words: comm.words, exclude });
      }),
    );
  };
  // After an error of another rank the communicator can still be made smaller.
  return scope.group.note(aborts ? scope.withComm(handle, run) : scope.withReady(handle, run));
}
