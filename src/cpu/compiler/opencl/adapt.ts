import type { CpuVariable } from '../../abi/program.ts';
import type { Annotation } from '../prepare/annotations.ts';
import {
  atStart,
  editModule,
  parametersOf,
  parseModule,
  splitHead,
  type IrFunction,
  type IrModule,
} from '../ir/module.ts';
import { NAME, renameValue } from '../ir/text.ts';
import { layoutOf } from '../ir/value-type.ts';
import { readContent } from '../prepare/globals.ts';
import { libraryName, readBuiltIn } from './built-in.ts';
import { kernelFacts, type KernelFacts } from './kernel-facts.ts';
import { LAUNCH_PARAMETERS } from './launch-values.ts';
import { Metadata } from './metadata.ts';
import { withPrintf } from './printf-calls.ts';
import { formOf } from './vector-forms.ts';

/** A module in the form in which CUDA's modules come out of clang. */
export interface Adapted {
  readonly lines: readonly string[];
  readonly annotations: readonly Annotation[];
  readonly kernels: ReadonlyMap<string, KernelFacts>;
  /** The static local memory of each kernel. */
  readonly localBytes: ReadonlyMap<string, number>;
  /** Variables and constants of the program. */
  readonly variables: readonly CpuVariable[];
}

const KERNEL = /^define [^@]*\bspir_kernel\b/;
const ABOUT_KERNELS =
  / !(?:kernel_arg_\w+|reqd_work_group_size|work_group_size_hint|vec_type_hint|intel_reqd_sub_group_size) !\d+/g;
const VARIABLE = new RegExp(`^@(${NAME}) = (.*)$`);
const SAMPLER = '__translate_sampler_initializer';

/** Give OpenCL's kernels, local variables and functions the forms that the rest of the compiler handles. */
export function adapt(lines: readonly string[]): Adapted {
  const named = withLibraryNames(lines);
  const module = parseModule(named.lines);
  const metadata = new Metadata(module.lines);
  const kernels = new Map<string, KernelFacts>();
  const annotations: Annotation[] = [];
  const localBytes = new Map<string, number>();
  const variables: CpuVariable[] = [];
  const definition = (fn: IrFunction): string[] => {
    if (!KERNEL.test(fn.head)) return [fn.head.replace(ABOUT_KERNELS, ''), ...fn.body, '}'];
    const facts = kernelFacts(fn.head, metadata);
    kernels.set(fn.name, facts);
    annotations.push(...kernelAnnotations(fn.name, facts));
    return editKernel(fn, module, facts);
  };
  const other = (line: string): string => {
    if (line.startsWith('attributes ')) return line.replace(/\bnoinline\b/, 'alwaysinline').replace(/\boptnone\b/, '');
    if (!line.startsWith('@')) return line;
    const local = localVariable(line, module);
    if (local) {
      annotations.push({ kind: 'shared', symbol: local.name, line: 0, values: [] });
      localBytes.set(local.owner, (localBytes.get(local.owner) ?? 0) + local.bytes);
    } else variables.push(...programVariable(line, module));
    return withInternalLinkage(line);
  };
  const out = [...editModule(module, definition, (line) => [other(line)]), ...named.definitions];
  if (!module.lines.some((line) => line.startsWith('declare ptr @__rt_id_dynamic()')))
    out.push('declare ptr @__rt_id_dynamic() nounwind willreturn memory(none)');
  return { lines: withPrintf(out), annotations, kernels, localBytes, variables };
}

function kernelAnnotations(symbol: string, { requiredSize, line }: KernelFacts): Annotation[] {
  const kernel = { kind: 'kernel', symbol, line, values: [] };
  if (!requiredSize) return [kernel];
  return [kernel, { kind: 'launch_bounds', symbol, line, values: [requiredSize.reduce((a, b) => a * b)] }];
}

/** Parameters in local memory come as offsets; behind the kernel's own parameters are those of the launch. */
function editKernel(fn: IrFunction, module: IrModule, facts: KernelFacts): string[] {
  const { before, list, behind } = splitHead(fn);
  const names = parametersOf(fn, module.types).map(({ name }) => name);
  const start: string[] = [];
  let body = fn.body;
  facts.arguments.forEach(({ kind }, i) => {
    const name = names[i] ?? '';
    if (kind !== 'local') return;
    list[i] = `i64 ${name}`;
    body = renameValue(body, name, `%rk.local${i}`);
    if (start.length === 0) start.push('  %rk.locals = call ptr @__rt_id_dynamic() memory(none)');
    start.push(`  %rk.local${i} = getelementptr i8, ptr %rk.locals, i64 ${name}`);
  });
  const parameters = [...list, ...LAUNCH_PARAMETERS].join(', ');
  const head = `${before.replace(/\bspir_kernel /, '')}(${parameters})${behind.replace(ABOUT_KERNELS, '')}`;
  return [head, ...atStart(body, start), '}'];
}

/** A variable in local memory has no initial value, not even zero: `@kernel.name = internal global i32 undef`. */
function localVariable(line: string, module: IrModule): { name: string; owner: string; bytes: number } | undefined {
  const [, name = '', content = ''] = VARIABLE.exec(line) ?? [];
  const { kind, type, value } = readContent(content);
  if (kind !== 'global' || !content.startsWith('internal ') || !/^(?:undef|poison)\b/.test(value)) return undefined;
  return { name, owner: name.slice(0, name.lastIndexOf('.')), bytes: layoutOf(type, module.types).size };
}

/** Variables that the source declares outside of functions or as static, without string literals and the library's own. */
function programVariable(line: string, module: IrModule): CpuVariable[] {
  const [, name = '', content = ''] = VARIABLE.exec(line) ?? [];
  const { kind, type } = readContent(content);
  if (kind === undefined || /^"?(?:\.str|__|llvm\.)/.test(name) || content.startsWith('external ')) return [];
  return [{ symbol: name, byteLength: layoutOf(type, module.types).size, constant: kind === 'constant' }];
}

/** Make a program's variables internal. */
function withInternalLinkage(line: string): string {
  return line.replace(
    new RegExp(
      `^(@(?:${NAME}) = )(?:(?:dso_local|hidden|protected|weak|common|linkonce_odr) )*((?:unnamed_addr |local_unnamed_addr )*(?:global|constant) )`,
    ),
    '$1internal $2',
  );
}

/** Functions by the names that the library has for them, and definitions of those that it lacks. */
function withLibraryNames(all: readonly string[]): { lines: string[]; definitions: string[] } {
  const renamed = new Map<string, string>();
  const definitions: string[] = [];
  const needed = new Map<string, string>();
  const declared = new Set<string>();
  const lines = all.filter((line) => {
    if (!line.startsWith('declare ')) return true;
    if (line.includes(`@${SAMPLER}(`)) {
      definitions.push(`define internal ptr @${SAMPLER}(i32 %a0) alwaysinline nounwind {`);
      definitions.push('  %v = zext i32 %a0 to i64', '  %p = inttoptr i64 %v to ptr', '  ret ptr %p', '}');
      return false;
    }
    const of = readBuiltIn(line);
    if (!of) return declare(line);
    const made = formOf(of);
    if (made) {
      definitions.push(...made.lines);
      for (const [symbol, declaration] of made.needed) needed.set(symbol, declaration);
      return false;
    }
    const name = libraryName(of);
    if (name === of.symbol) return declare(line);
    renamed.set(of.symbol, name);
    needed.set(name, line.replace(of.symbol, name));
    return false;
  });
  function declare(line: string): boolean {
    declared.add(/@([\w.]+)\(/.exec(line)?.[1] ?? '');
    return true;
  }
  const defined = new Set(lines.map((line) => /^define .*?@([\w.]+)\(/.exec(line)?.[1]));
  for (const [symbol, declaration] of needed) {
    if (!declared.has(symbol) && !defined.has(symbol)) definitions.push(declaration);
  }
  const used = lines.map((line) =>
    line.includes('@_Z')
      ? line.replace(/@(_Z\w+)(?=\()/g, (all, symbol: string) =>
          renamed.has(symbol) ? `@${renamed.get(symbol) ?? ''}` : all,
        )
      : line,
  );
  return { lines: used, definitions };
}
