import { isEmbedded } from '../../../src/cuda/selection.ts';
import { DynamicModule } from '../../../src/cuda/module/dynamic-module.ts';
import type { Module } from '../../../src/cuda/module/module.ts';
import { SourceModule } from '../../../src/cuda/module/source-module.ts';
import { fromDevice, memcpyHtoD, toDevice } from '../../../src/cuda/copy/memcpy.ts';
import type { DeviceAllocation } from '../../../src/cuda/memory/memory.ts';
import type { Buffers, Case, Images, Numbers, Tolerance } from './case.ts';
import { Random } from './random.ts';

/** A case's buffers after its launches. */
export type Results = Readonly<Record<string, Numbers>>;

/** The inputs of a case. */
export function inputsOf(one: Case): Buffers {
  return one.buffers(new Random(one.name));
}

/** Compile a case, run its launches on the current device, and fetch all its buffers. */
export function runCase(one: Case): Results {
  const buffers = inputsOf(one);
  using module = moduleOf(one);
  for (const [name, value] of Object.entries(one.globals?.(buffers) ?? {})) memcpyHtoD(module.getGlobal(name), value);
  const memory: Record<string, DeviceAllocation> = {};
  let images: Images = {};
  try {
    for (const [name, array] of Object.entries(buffers)) memory[name] = toDevice(array);
    images = one.textures?.(buffers, memory) ?? {};
    one.references?.(module, buffers, memory);
    for (const { kernel, args, ...shape } of one.launches(memory, buffers, images))
      module.getFunction(kernel)(...args, shape);
    return Object.fromEntries(
      Object.entries(buffers).map(([name, array]) => [name, fetch(memory[name] as DeviceAllocation, array)]),
    );
  } finally {
    for (const image of Object.values(images)) image.close();
    for (const allocation of Object.values(memory)) allocation.close();
  }
}

function moduleOf({ source, options = [], nameExpressions = [], nvcc, sources }: Case): Module {
  const compiler = nvcc && !isEmbedded() ? 'nvcc' : 'nvrtc';
  if (!sources) return new SourceModule(source, { options, nameExpressions, compiler });
  const linked = new DynamicModule({ options, compiler }).addSource(source, { nameExpressions });
  for (const other of sources) linked.addSource(other);
  return linked.addStdlib('cudadevrt').link();
}

function fetch(memory: DeviceAllocation, like: Numbers): Numbers {
  return viewOf(like.constructor.name, fromDevice(memory, 'u8').buffer);
}

const classes = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
  Float32Array,
  Float64Array,
};

function viewOf(type: string, bytes: ArrayBuffer): Numbers {
  if (!(type in classes)) throw new TypeError(`No such array: ${type}`);
  return new classes[type as keyof typeof classes](bytes);
}

/** Where results differ from a reference, in words; empty where they agree. */
export function differences(
  results: Results,
  expected: Readonly<Record<string, ArrayLike<number> | ArrayLike<bigint> | undefined>>,
  tolerance: Tolerance = {},
): string[] {
  return Object.entries(expected).flatMap(([name, wanted]) => {
    const result = results[name];
    if (wanted === undefined) return [];
    if (!result) return [`${name} is missing`];
    if (result.length !== wanted.length) return [`${name} has ${result.length} elements instead of ${wanted.length}`];
    return differing(
      name,
      result,
      wanted,
      result instanceof Float64Array || result instanceof Float32Array ? tolerance : {},
    );
  });
}

const SHOWN = 5;

function differing(
  name: string,
  result: Numbers,
  wanted: ArrayLike<number> | ArrayLike<bigint>,
  tolerance: Tolerance,
): string[] {
  const wrong: number[] = [];
  for (let i = 0; i < result.length; i++) {
    if (!agrees(result[i], wanted[i], tolerance, result instanceof Float32Array)) wrong.push(i);
  }
  if (wrong.length === 0) return [];
  const shown = wrong.slice(0, SHOWN).map((i) => `${name}[${i}] is ${String(result[i])}, not ${String(wanted[i])}`);
  return [...shown, `${name}: ${wrong.length} of ${result.length} differ`];
}

function agrees(result: unknown, wanted: unknown, tolerance: Tolerance, single: boolean): boolean {
  if (Object.is(result, wanted) || result === wanted) return true;
  if (typeof result !== 'number' || typeof wanted !== 'number') return false;
  if (single && (result === Math.fround(wanted) || (Number.isNaN(result) && Number.isNaN(wanted)))) return true;
  if (!Number.isFinite(result) || !Number.isFinite(wanted)) return false;
  const error = Math.abs(result - wanted);
  const { relative = 0, absolute = 0, ulps = 0 } = tolerance;
  return error <= Math.max(absolute, relative * Math.abs(wanted), ulps * ulpOf(wanted, single));
}

/** The distance to the next number of the type. */
function ulpOf(value: number, single: boolean): number {
  const [digits, least] = single ? [23, -149] : [52, -1074];
  if (value === 0) return 2 ** least;
  return 2 ** Math.max(Math.floor(Math.log2(Math.abs(value))) - digits, least);
}

/** Results as text: each buffer's bytes in base64, so that nothing is lost. */
export function resultsToJson(results: Results): string {
  const buffers = Object.entries(results).map(([name, array]) => [
    name,
    { type: array.constructor.name, bytes: Buffer.from(array.buffer).toString('base64') },
  ]);
  return `${JSON.stringify(Object.fromEntries(buffers), undefined, 1)}\n`;
}

/** The reverse of {@link resultsToJson}. */
export function resultsFromJson(text: string): Results {
  const buffers = JSON.parse(text) as Record<string, { type: string; bytes: string }>;
  return Object.fromEntries(
    Object.entries(buffers).map(([name, { type, bytes }]) => [
      name,
      viewOf(type, Uint8Array.from(Buffer.from(bytes, 'base64')).buffer),
    ]),
  );
}
