import { parametersOf, parseModule, splitHead, type IrFunction, type IrModule } from '../ir/module.ts';
import type { TypeNames } from '../ir/value-type.ts';
import { KernelError } from '../kernel-error.ts';

/** A parameter that clang left out, because there is nothing in it to pass. */
interface EmptyParameter {
  /** Among all parameters of the function, from 0. */
  readonly index: number;
  readonly type: string;
  readonly align: number;
}

const ALLOCA = /^ +(%[-\w.$"]+) = alloca (%[-\w.$":<>, ]+?), align (\d+)$/;
const ALLOCA_NAME = /^ +(%[-\w.$"]+) = alloca /;
const MEMBER = /^ +(%[-\w.$"]+) = getelementptr inbounds nuw .*, ptr (%[-\w.$"]+), i32 0, i32 0$/;
const STORE = /^ +store .* (%[-\w.$"]+), ptr (%[-\w.$"]+), align/;
const DECLARED = /#dbg_declare\(ptr (%[-\w.$"]+), !(\d+),/;
const VARIABLE = /^!(\d+) = !DILocalVariable\(.*?\barg: (\d+),/;

/**
 * Put parameters of types without members, such as function objects, back into kernels: WebAssembly's calling
 * convention omits them, but CUDA gives each of them at least one byte of the argument block.
 *
 * @param kernels - symbols, and the lines of their definitions
 * @param described - the same module's text with a description of parameters; called only if a kernel may have such
 * ones
 */
export function withEmptyParameters(
  module: IrModule,
  kernels: ReadonlyMap<string, { readonly line: number }>,
  described: () => string | undefined,
): IrModule {
  const { types, functions } = module;
  const isSuspect = (fn: IrFunction): boolean =>
    kernels.has(fn.name) && emptyAllocas(beforeParameters(fn, types), types).size > 0;
  if (!functions.some(isSuspect)) return module;
  const other = parseModule(described() ?? '');
  const args = argumentNumbers(other.lines);
  const lines = [...module.lines];
  for (const fn of functions.filter(isSuspect)) {
    const twin = other.functions.find(({ name }) => name === fn.name);
    if (twin) lines[fn.start] = insert(fn, emptyParametersOf(twin, other.types, args, kernels.get(fn.name)?.line ?? 0));
  }
  return parseModule(lines);
}

/**
 * A body's lines before the variable of the first passed parameter: clang defines its stand-ins for the others there.
 */
function beforeParameters(fn: IrFunction, types: TypeNames): readonly string[] {
  const passed = new Set(parametersOf(fn, types).map(({ name }) => name));
  const targets = new Set<string>();
  for (const line of fn.body) {
    const [, value = '', target = ''] = STORE.exec(line) ?? [];
    if (passed.has(value)) targets.add(target);
  }
  const end = fn.body.findIndex((line) => targets.has(ALLOCA_NAME.exec(line)?.[1] ?? ''));
  return end < 0 ? fn.body : fn.body.slice(0, end);
}

/** Local variables of types without members, by name. */
function emptyAllocas(body: readonly string[], types: TypeNames): Map<string, Omit<EmptyParameter, 'index'>> {
  const found = new Map<string, Omit<EmptyParameter, 'index'>>();
  for (const line of body) {
    const [, name = '', type = '', align = ''] = ALLOCA.exec(line) ?? [];
    // In LLVM, a class without members has as many bytes as its alignment needs.
    if (/^\{ (?:i8|\[\d+ x i8\]|i8, \[\d+ x i8\]|) ?\}$/.test(types.get(type) ?? ''))
      found.set(name, { type, align: Number(align) });
  }
  return found;
}

/** The positions of variables among a function's parameters, by their metadata nodes. */
function argumentNumbers(lines: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of lines) {
    const [, node = '', number = ''] = (line.startsWith('!') && VARIABLE.exec(line)) || [];
    if (node !== '') found.set(node, Number(number));
  }
  return found;
}

function emptyParametersOf(
  fn: IrFunction,
  types: TypeNames,
  args: ReadonlyMap<string, number>,
  line: number,
): EmptyParameter[] {
  const allocas = emptyAllocas(fn.body, types);
  const passed = parametersOf(fn, types);
  const put = new Set(passed.flatMap(({ name }) => targetsOf(name, fn.body)));
  let count = 0;
  const found = fn.body.flatMap((text) => {
    const [, name = '', node = ''] = DECLARED.exec(text) ?? [];
    const number = args.get(node);
    if (number === undefined) return [];
    count = Math.max(count, number);
    const alloca = allocas.get(name);
    return alloca && !put.has(name) ? [{ index: number - 1, ...alloca }] : [];
  });
  if (found.length + passed.length !== count) {
    throw new KernelError(`kernel ${fn.name} has a parameter of a type that the CPU device does not know`, line);
  }
  return found.sort((a, b) => a.index - b.index);
}

/** The variables that hold a parameter. A struct whose only member is a number is passed as a number. */
function targetsOf(parameter: string, body: readonly string[]): string[] {
  const members = new Map<string, string>();
  const targets: string[] = [];
  for (const line of body) {
    const [, member = '', base = ''] = MEMBER.exec(line) ?? [];
    if (member !== '') members.set(member, base);
    const [, value = '', target = ''] = STORE.exec(line) ?? [];
    if (value !== parameter) continue;
    let to = target;
    for (let next = members.get(to); next !== undefined; next = members.get(to)) to = next;
    targets.push(to);
  }
  return targets;
}

function insert(fn: IrFunction, parameters: readonly EmptyParameter[]): string {
  const { before, list, behind } = splitHead(fn);
  for (const { index, type, align } of parameters) {
    list.splice(index, 0, `ptr byval(${type}) align ${align} %rk.empty${index}`);
  }
  return `${before}(${list.join(', ')})${behind}`;
}
