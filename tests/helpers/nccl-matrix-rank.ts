// One rank of a job that makes every operation with every element type, reduction and place, and compares what comes out with
// a reference of its own. It runs on whatever CUDA and NCCL are there. A line of JSON for each communicator is its report.
//
// Arguments: `parts` makes communicators of fewer ranks, too; `spoil` makes the first cases alone, and has rank 0 give another
// number in one of them.
import * as xp from '../../src/cuda/array/index.ts';
import { memAlloc, memcpyDtoH, memcpyHtoD, type DeviceAllocation } from '../../src/cuda/index.ts';
import { arrayDTypes } from '../../src/array/dtype.ts';
import { Communicator, group, type NcclBuffer, type NcclDType, type PreMulSum } from '../../src/nccl/index.ts';
import { readLauncher } from '../../src/job/environment.ts';
import { batches, titleOf, type MatrixBatch, type MatrixCase } from './nccl-matrix-cases.ts';
import { difference, filled, place, type Placed } from './nccl-matrix-place.ts';
import { shareGpu } from './shared-gpu.ts';

/** What a rank says of one communicator. */
export interface MatrixReport {
  readonly launcher: string;
  readonly size: number;
  readonly rank: number;
  /** How many cases were run, by operation. */
  readonly cases: Readonly<Record<string, number>>;
  readonly total: number;
  readonly wrong: number;
  /** The first cases that were wrong. */
  readonly mismatches: readonly string[];
  readonly milliseconds: number;
}

const launcher = readLauncher();
const device = shareGpu(launcher.rank, launcher.size);
const TOLD = 10;
const TIMEOUT_MS = 60_000;
const [isInParts, isSpoiled] = ['parts', 'spoil'].map((word) => process.argv.includes(word));

/** Memory as the API takes it: an array, or device memory with a dtype. */
type Piece = { readonly memory: NcclBuffer; readonly dtype?: NcclDType };

class Matrix {
  readonly #comm: Communicator;
  readonly #factors = new Map<string, PreMulSum>();
  readonly cases: Record<string, number> = {};
  readonly mismatches: string[] = [];
  #memory: DeviceAllocation | undefined;

  constructor(comm: Communicator) {
    this.#comm = comm;
  }

  async run(): Promise<void> {
    const all = batches(this.#comm.size);
    for (const [i, batch] of (isSpoiled ? all.slice(0, 1) : all).entries()) await this.#runBatch(batch, i % 4 !== 0);
    for (const op of this.#factors.values()) op.close();
    this.#memory?.free();
  }

  async #runBatch(batch: MatrixBatch, isGrouped: boolean): Promise<void> {
    const { size, rank } = this.#comm;
    const places: ReturnType<typeof place>[] = [];
    for (const one of batch) places.push(place(one, size, rank, places.at(-1)?.end ?? 0));
    const bytes = places.at(-1)?.end ?? 0;
    const memory = this.#room(bytes);
    const before = filled(places, bytes);
    memcpyHtoD(memory, this.#spoiled(before, places));
    for (const placed of places) await this.#factor(placed);
    const calls = places.map((placed, i) => () => this.#call(placed, i % 2 === 0));
    const promises = isGrouped ? [group(() => calls.forEach((call) => void call()))] : calls.map((call) => call());
    await Promise.all(promises);
    await this.#comm.done();
    const after = new Uint8Array(bytes);
    memcpyDtoH(after, memory);
    places.forEach((placed, i) => this.#compare(placed, places[i - 1]?.end ?? 0, before, after));
  }

  #room(bytes: number): DeviceAllocation {
    if (this.#memory && this.#memory.byteLength >= bytes) return this.#memory;
    this.#memory?.free();
    return (this.#memory = memAlloc(bytes));
  }

  /** Another number in the first case, a sum over all ranks. */
  #spoiled(before: Uint8Array, [first]: readonly Placed[]): Uint8Array {
    if (!isSpoiled || first?.one.index !== 0 || this.#comm.rank !== 0) return before;
    const bytes = before.slice();
    const at = first.send?.[0] ?? 0;
    bytes[at] = (bytes[at] as number) ^ 1;
    return bytes;
  }

  /** The reduction of a dtype with this rank's factor: of the host's number, or of one in device memory. */
  async #factor({ one: { op, dtype }, factor }: Placed): Promise<void> {
    if (op !== 'preMulSum' || this.#factors.has(dtype.name)) return;
    const name = dtype.name as NcclDType;
    if (!name.startsWith('f8')) {
      this.#factors.set(name, await this.#comm.createPreMulSum(factor, name));
      return;
    }
    const bytes = new Uint8Array(dtype.numbers.bytes);
    dtype.numbers.write(new DataView(bytes.buffer), 0, factor);
    const memory = memAlloc(bytes.length);
    memcpyHtoD(memory, bytes);
    this.#factors.set(name, await this.#comm.createPreMulSum(memory, name));
  }

  #piece(range: readonly [number, number] | undefined, { dtype }: MatrixCase, isArray: boolean): Piece | undefined {
    if (range === undefined) return undefined;
    const [from, to] = range;
    const memory = (this.#memory as DeviceAllocation).slice(from, to - from);
    if (!isArray || !isArrayType(dtype.name)) return { memory, dtype: dtype.name as NcclDType };
    return { memory: xp.asarray(memory, { dtype: dtype.name }) };
  }

  #call({ one, send, recv }: Placed, isArray: boolean): Promise<unknown> {
    const [from, to] = [this.#piece(send, one, isArray), this.#piece(recv, one, isArray)];
    const { collective, root, inPlace } = one;
    const comm = this.#comm;
    const dtype = (from ?? to)?.dtype;
    const x = (from ?? to)?.memory as NcclBuffer;
    const isSame = inPlace && ['allReduce', 'reduce', 'broadcast'].includes(collective);
    const out = isSame ? undefined : to?.memory;
    const op = one.op === 'preMulSum' ? this.#factors.get(one.dtype.name) : one.op;
    switch (collective) {
      case 'allReduce':
        return comm.allReduce(x, { op, out, dtype });
      case 'reduce':
        return comm.reduce(x, { op, out, root, dtype });
      case 'reduceScatter':
        return comm.reduceScatter(x, { op, out, dtype });
      case 'broadcast':
        return comm.broadcast(x, { root, out, dtype });
      case 'gather':
        return comm.gather(x, { root, out, dtype });
      case 'scatter':
        return comm.scatter(from ? x : null, { root, out, dtype });
      case 'allGather':
      case 'allToAll':
        return comm[collective](x, { out, dtype });
      case 'sendRecv':
        return group(() => {
          void comm.send(x, (comm.rank + 1) % comm.size, { dtype });
          void comm.recv(out as NcclBuffer, (comm.rank + comm.size - 1) % comm.size, { dtype });
        });
    }
  }

  #compare(placed: Placed, begin: number, before: Uint8Array, after: Uint8Array): void {
    const { collective } = placed.one;
    this.cases[collective] = (this.cases[collective] ?? 0) + 1;
    const text = difference(placed, begin, before, after);
    if (text !== undefined) this.mismatches.push(`${titleOf(placed.one)}: ${text}`);
  }
}

function isArrayType(name: string): name is keyof typeof arrayDTypes {
  return Object.hasOwn(arrayDTypes, name);
}

async function report(comm: Communicator): Promise<void> {
  const matrix = new Matrix(comm);
  const start = performance.now();
  await matrix.run();
  const { cases, mismatches } = matrix;
  const text: MatrixReport = {
    launcher: launcher.launcher,
    size: comm.size,
    rank: comm.rank,
    cases,
    total: Object.values(cases).reduce((sum, count) => sum + count, 0),
    wrong: mismatches.length,
    mismatches: mismatches.slice(0, TOLD),
    milliseconds: Math.round(performance.now() - start),
  };
  console.log(`matrix ${JSON.stringify(text)}`);
}

await using comm = await Communicator.fromEnvironment({ device, timeoutMs: TIMEOUT_MS });
await report(comm);
for (let size = comm.size - 1; isInParts && size > 0; size--) {
  const part = await comm.split({ color: comm.rank < size ? 0 : null });
  if (part === undefined) continue;
  await report(part);
  await part.finalize();
  part.close();
}
