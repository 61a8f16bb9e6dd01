import type { CpuParameter, CpuReference, CpuVariable } from '../../abi/program.ts';
import { readAnnotations, type Annotation } from './annotations.ts';
import { argumentLayout } from './arguments.ts';
import { replaceDynamicShared } from './dynamic-shared.ts';
import { declarationsFor, withDefinedResult } from './defined-results.ts';
import { withEmptyParameters } from './empty-parameters.ts';
import { hideLibraryVariables, readGlobals } from './globals.ts';
import { readDebugInfo } from '../ir/debug-info.ts';
import { KernelError } from '../kernel-error.ts';
import { withKernelNumbers } from './kernel-numbers.ts';
import { closing, renameValue } from '../ir/text.ts';
import {
  atStart,
  editModule,
  parametersOf,
  parseModule,
  reaching,
  type IrFunction,
  type IrModule,
} from '../ir/module.ts';

/** The functions that end a region. */
export const BARRIERS: ReadonlySet<string> = new Set(['__rt_barrier', '__rt_warp_barrier', '__rt_grid_barrier']);

const ASSEMBLY = 'inline assembly (asm) in OpenCL C cannot be run by the CPU device';

/** The facts on a kernel before its code is cut. */
export interface PreparedKernel {
  readonly symbol: string;
  readonly parameters: readonly CpuParameter[];
  readonly argumentBytes: number;
  readonly maxThreads: number;
  /** Of its definition. */
  readonly line: number;
}

/** A module made ready for the first stage. */
export interface Prepared {
  readonly text: string;
  readonly kernels: readonly PreparedKernel[];
  /** `__shared__` variables with their sizes. */
  readonly shared: ReadonlyMap<string, number>;
  /** `extern __shared__` arrays. */
  readonly dynamic: ReadonlySet<string>;
  readonly variables: readonly CpuVariable[];
  readonly references: readonly CpuReference[];
  /** Symbols of the name expressions, by their number. */
  readonly lowered: ReadonlyMap<number, string>;
}

/** How a function is to be edited. */
interface Role {
  readonly kernel: boolean;
  readonly inline: boolean;
  /** Whether the function or one of its callees has a barrier. */
  readonly cut: boolean;
}

const MAX_THREADS = 1024;
const ID = new RegExp(`^declare .*@(__rt_id_\\w+)\\(`);
const GROUP = / (#\d+)(?= |$)/;

/**
 * The first edit of clang's output: it finds the kernels and the shared variables, and marks the functions to inline.
 *
 * @param described - the same text with a description of all parameters; needed where clang has omitted some
 */
export function prepare(
  lines: readonly string[],
  described: () => string | undefined,
  language: LanguageFacts = CUDA,
): Prepared {
  const annotations = language.annotations ?? readAnnotations(lines);
  const kernels = new Map(annotations.filter(({ kind }) => kind === 'kernel').map((one) => [one.symbol, one]));
  const module = withEmptyParameters(parseModule(lines), kernels, described);
  refuseAssembly(module);
  refuseClusters(annotations);
  const globals = readGlobals(module, annotations);
  const cut = reaching(module.functions, language.waiting ?? BARRIERS);
  const ids = new Set(module.lines.map((line) => ID.exec(line)?.[1]).filter((id) => id !== undefined));
  const placed = reaching(module.functions, ids);
  const groups = attributeGroups(module.lines);
  const kernelNames = module.functions.map(({ name }) => name).filter((name) => kernels.has(name));
  const definition = (fn: IrFunction): string[] => {
    const isKernel = kernels.has(fn.name);
    const noinline = /\bnoinline\b/.test(groups.get(groupOf(fn.head)) ?? '');
    const inline = !isKernel && (cut.has(fn.name) || (placed.has(fn.name) && !noinline));
    const role = { kernel: isKernel, inline, cut: cut.has(fn.name) };
    return replaceDynamicShared(editFunction(fn, module, role, groups), globals.dynamic).flatMap(withDefinedResult);
  };
  const edited = editModule(module, definition, (line) =>
    /^\$.* = comdat /.test(line) ? [] : [withRange(globals.lines.get(line) ?? line, language.ranges)],
  );
  const out = withKernelNumbers(edited, kernelNames);
  const all = out.join('\n');
  out.push(...declarationsFor(all));
  if (globals.dynamic.size > 0) out.push('declare ptr @__rt_id_dynamic() nounwind willreturn memory(none)');
  const list = [...kernels.keys()].map((name) => `ptr @${name}`);
  if (list.length > 0)
    out.push(`@llvm.used = appending global [${list.length} x ptr] [${list.join(', ')}], section "llvm.metadata"`);
  return {
    text: hideLibraryVariables(out.join('\n')),
    kernels: module.functions.filter(({ name }) => kernels.has(name)).map((fn) => describe(fn, module, annotations)),
    shared: globals.shared,
    dynamic: globals.dynamic,
    variables: globals.variables,
    references: globals.references,
    lowered: globals.lowered,
  };
}

/** The ranges of a thread's indices and sizes: minimum, and maximum plus 1. */
export type IdRanges = Readonly<Record<string, readonly [least: number, end: number]>>;

/** The options of {@link prepare} that depend on the language. */
export interface LanguageFacts {
  /** The annotations of symbols, if the module itself has none. */
  readonly annotations?: readonly Annotation[];
  readonly ranges: IdRanges;
  /** Functions at which threads wait. Default: {@link BARRIERS} */
  readonly waiting?: ReadonlySet<string>;
}

const RANGES: IdRanges = {
  ...{ tx: [0, 1024], ty: [0, 1024], tz: [0, 64], lin: [0, 1024], dx: [1, 1025], dy: [1, 1025], dz: [1, 65] },
  ...{ bx: [0, 0x7fff_ffff], by: [0, 65535], bz: [0, 65535], gx: [1, 0x7fff_ffff], gy: [1, 65536], gz: [1, 65536] },
};

/** The facts of CUDA C++. */
export const CUDA: LanguageFacts = { ranges: RANGES };

function withRange(line: string, ranges: IdRanges): string {
  const [least = 0, end = 0] = ranges[ID.exec(line)?.[1]?.slice('__rt_id_'.length) ?? ''] ?? [];
  return end === 0 ? line : line.replace(' i32 @', ` range(i32 ${least}, ${end}) i32 @`);
}

/**
 * Refuse inline assembly, which clang partly accepts as the CPU's: in OpenCL C, since that of CUDA C++ has been translated
 * before. An empty one only orders memory and is allowed.
 */
function refuseAssembly({ lines, functions }: IrModule): void {
  for (const { body } of functions) {
    const line = body.find((one) => /\bcall\b.* asm (?:sideeffect |alignstack |inteldialect |unwind )*"[^"]/.test(one));
    if (line === undefined) continue;
    const place = readDebugInfo(lines).placeOf(Number(/!dbg !(\d+)/.exec(line)?.[1] ?? NaN));
    throw new KernelError(ASSEMBLY, place?.line ?? 0, place);
  }
}

/** Refuse clusters of several blocks, which would share memory. */
function refuseClusters(annotations: readonly Annotation[]): void {
  const large = annotations.find(({ kind, values }) => kind === 'cluster_dims' && values.some((size) => size > 1));
  if (!large) return;
  const dims = large.values.join(', ');
  throw new KernelError(`__cluster_dims__(${dims}): the CPU device has clusters of one block, (1, 1, 1)`, large.line);
}

function describe(fn: IrFunction, module: IrModule, annotations: readonly Annotation[]): PreparedKernel {
  const own = annotations.filter(({ symbol }) => symbol === fn.name);
  const layout = argumentLayout(parametersOf(fn, module.types));
  return {
    symbol: fn.name,
    parameters: layout.arguments,
    argumentBytes: layout.bytes,
    maxThreads: Math.min(MAX_THREADS, own.find(({ kind }) => kind === 'launch_bounds')?.values[0] ?? MAX_THREADS),
    line: own.find(({ kind }) => kind === 'kernel')?.line ?? 0,
  };
}

function editFunction(fn: IrFunction, module: IrModule, role: Role, groups: ReadonlyMap<string, string>): string[] {
  let head = fn.head
    .replace(/ comdat(?:\([^)]*\))?/, '')
    .replace(
      /^define (?:(?:available_externally|linkonce_odr|linkonce|weak_odr|weak|internal|hidden|dso_local|protected) )*/,
      role.kernel ? 'define ' : 'define internal ',
    );
  if (role.inline) {
    const group = groupOf(head);
    const attributes = (groups.get(group) ?? '').replace(/\b(?:noinline|optnone|alwaysinline)\b/g, '');
    head = group === '' ? head : head.replace(GROUP, ` alwaysinline${attributes}`);
  }
  // LLVM would keep values of restricted pointers across a barrier, although other threads have written before it.
  if (role.cut) head = head.replace(/\bnoalias /g, '');
  return role.kernel ? copyAggregates(head, fn, module) : [head, ...fn.body, '}'];
}

/** A kernel's aggregates are in the argument block, which all threads share: a kernel that writes to them needs a copy. */
function copyAggregates(head: string, fn: IrFunction, module: IrModule): string[] {
  const copies: string[] = [];
  let body = fn.body;
  let edited = head;
  for (const [i, { name, byval, size, align }] of parametersOf(fn, module.types).entries()) {
    if (byval === undefined) continue;
    const at = edited.indexOf('byval(');
    edited = `${edited.slice(0, at)}noalias readonly${edited.slice(closing(edited, at + 5))}`;
    const copy = `%rk.copy${i}`;
    body = renameValue(body, name, copy);
    copies.push(
      `  ${copy} = alloca ${byval}, align ${align}`,
      `  call void @llvm.memcpy.p0.p0.i64(ptr align ${align} ${copy}, ptr align ${align} ${name}, i64 ${size}, i1 false)`,
    );
  }
  return [edited, ...atStart(body, copies), '}'];
}

/** Groups of attributes by name: `#3`. */
export function attributeGroups(lines: readonly string[]): Map<string, string> {
  const groups = new Map<string, string>();
  for (const line of lines) {
    const group = /^attributes (#\d+) = \{(.*)\}$/.exec(line);
    if (group) groups.set(group[1] ?? '', group[2] ?? '');
  }
  return groups;
}

function groupOf(head: string): string {
  return GROUP.exec(head)?.[1] ?? '';
}
