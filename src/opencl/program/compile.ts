import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { addressOf } from '../../ffi/memory.ts';
import { callHere, callOnThread } from '../call.ts';
import type { OpenCLTable } from '../sys/tables.ts';
import type { RawProgram } from './raw-program.ts';

/** Headers by the names under which a source includes them. */
export interface RawHeaders {
  readonly names: readonly string[];
  readonly programs: readonly RawProgram[];
}

type CompileCall = Parameters<OpenCLTable['clCompileProgram']>;
type LinkCall = Parameters<OpenCLTable['clLinkProgram']>;

/** A finished link: there may be a program, with a log, although it failed. */
export interface Linked {
  readonly raw: RawProgram | undefined;
  readonly status: number;
}

/** Compile a program to an object. Returns the status. */
export function compileHere(raw: RawProgram, devices: BigUint64Array, options: string, headers: RawHeaders): number {
  const { args, keep } = compileCall(raw, devices, options, headers);
  const status = callHere('clCompileProgram', ...args);
  keep.length = 0;
  return status;
}

/** The same, on a worker thread of the runtime. */
export async function compileOnThread(
  raw: RawProgram,
  devices: BigUint64Array,
  options: string,
  headers: RawHeaders,
): Promise<number> {
  const { args, keep } = compileCall(raw, devices, options, headers);
  const status = await callOnThread('clCompileProgram', ...args);
  keep.length = 0;
  return status;
}

/** Link objects to a program. */
export function linkHere(
  context: Opaque<'cl_context'>,
  devices: BigUint64Array,
  options: string,
  inputs: readonly RawProgram[],
): Linked {
  const errcode = new Int32Array(1);
  const raw = callHere('clLinkProgram', ...linkCall(context, devices, options, inputs, errcode));
  return linked(raw, errcode);
}

/** The same, on a worker thread of the runtime. */
export async function linkOnThread(
  context: Opaque<'cl_context'>,
  devices: BigUint64Array,
  options: string,
  inputs: readonly RawProgram[],
): Promise<Linked> {
  const errcode = new Int32Array(1);
  const raw = await callOnThread('clLinkProgram', ...linkCall(context, devices, options, inputs, errcode));
  return linked(raw, errcode);
}

/** The arguments, and the memory that must stay referenced until the end of the call. */
function compileCall(
  raw: RawProgram,
  devices: BigUint64Array,
  options: string,
  { names, programs }: RawHeaders,
): { args: CompileCall; keep: unknown[] } {
  const texts = names.map((name) => new TextEncoder().encode(`${name}\0`));
  const count = programs.length;
  const list = count === 0 ? 0n : new BigUint64Array(programs);
  const pointers = count === 0 ? 0n : new BigUint64Array(texts.map(addressOf));
  const args: CompileCall = [raw, devices.length, devices, options, count, list, pointers, NULL, 0n];
  return { args, keep: [texts, list, pointers] };
}

function linkCall(
  context: Opaque<'cl_context'>,
  devices: BigUint64Array,
  options: string,
  inputs: readonly RawProgram[],
  errcode: Int32Array,
): LinkCall {
  const list = new BigUint64Array(inputs);
  return [context, devices.length, devices, options, list.length, list, NULL, 0n, errcode];
}

/** Koffi gives null for NULL. */
function linked(raw: RawProgram | null, errcode: Int32Array): Linked {
  return { raw: raw === null || raw === 0n ? undefined : raw, status: errcode[0] ?? 0 };
}
