import { KernelError } from '../kernel-error.ts';
import { atStart, reaching, type IrFunction, type IrModule } from '../ir/module.ts';
import { takeType } from '../ir/text.ts';
import { layoutOf, type TypeNames } from '../ir/value-type.ts';
import type { PreparedKernel } from '../prepare/prepare.ts';

/** Local memory of a thread (CUDA Programming Guide, Technical Specifications per Compute Capability). */
const LOCAL_BYTES = 512 * 1024;
const ALLOCATION = /^ +%\S+ = alloca (.*)$/;
const COUNT = /^, i\d+ (\d+)/;

/** The function with which the runtime sets where the stack ends. */
export const STACK_SETTER = '__rk_stack';

/**
 * Refuse kernels whose private arrays are larger than a thread's local memory: they would reach below the worker's stack.
 *
 * @throws KernelError
 */
export function refuseLargeFrames({ functions, types }: IrModule, kernels: ReadonlyMap<string, PreparedKernel>): void {
  const byName = new Map(functions.map((fn) => [fn.name, fn]));
  const known = new Map<string, number>();
  const frameOf = (fn: IrFunction): number => {
    const before = known.get(fn.name);
    if (before !== undefined) return before;
    // A function that calls itself counts once.
    known.set(fn.name, 0);
    const called = [...fn.calls].map((name) => byName.get(name)).filter((one) => one !== undefined);
    const bytes = privateBytes(fn, types) + Math.max(0, ...called.map(frameOf));
    known.set(fn.name, bytes);
    return bytes;
  };
  for (const fn of functions) {
    const kernel = kernels.get(fn.name);
    const bytes = kernel ? frameOf(fn) : 0;
    if (!kernel || bytes <= LOCAL_BYTES) continue;
    throw new KernelError(
      `the private arrays of a thread have ${bytes} bytes, and a thread has at most ${LOCAL_BYTES} bytes of local memory: ` +
        'make them smaller, or give each thread a part of an array in global memory',
      kernel.line,
    );
  }
}

function privateBytes({ body }: IrFunction, types: TypeNames): number {
  let bytes = 0;
  for (const line of body) {
    const what = ALLOCATION.exec(line)?.[1];
    if (what === undefined) continue;
    const { type, rest } = takeType(what);
    bytes += layoutOf(type, types).size * Number(COUNT.exec(rest)?.[1] ?? 1);
  }
  return bytes;
}

/** Functions that may call themselves. Calls through pointers are not followed. */
export function recursiveFunctions(functions: readonly IrFunction[]): ReadonlySet<string> {
  const isRecursive = ({ name }: IrFunction): boolean => reaching(functions, new Set([name])).has(name);
  return new Set(functions.filter(isRecursive).map(({ name }) => name));
}

/** The lines of a recursive function that ends the kernel where the stack ends. */
export function withStackCheck([head = '', ...body]: readonly string[]): string[] {
  return [head, ...atStart(body, ['  %rk.here = alloca i8', '  call void @__rk_deep(ptr %rk.here)'])];
}

/** What the checks of the stack call, and what the runtime calls before the first launch. */
export const STACK_SUPPORT: readonly string[] = [
  '@rk.stack_end = internal thread_local(localexec) global i64 0',
  `define void @${STACK_SETTER}(i64 %end) nounwind {`,
  '  store i64 %end, ptr @rk.stack_end',
  '  ret void',
  '}',
  'declare void @__rt_deep() noreturn "wasm-import-module"="rt" "wasm-import-name"="deep"',
  'define internal void @__rk_deep(ptr %here) alwaysinline {',
  '  %at = ptrtoint ptr %here to i64',
  '  %end = load i64, ptr @rk.stack_end',
  '  %deep = icmp ult i64 %at, %end',
  '  br i1 %deep, label %stop, label %on',
  'stop:',
  '  call void @__rt_deep()',
  '  unreachable',
  'on:',
  '  ret void',
  '}',
];
