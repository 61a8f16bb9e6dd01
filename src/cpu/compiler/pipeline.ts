import type { CpuProgram } from '../abi/program.ts';
import { assemble, type Assembled, type Checking } from './regions/assemble.ts';
import { gridSymbol, runSymbol } from './regions/driver.ts';
import { markVariables, type Marked } from './checks/initialised.ts';
import { CHECKED_OPTIMISER } from './checks/undefined.ts';
import { nameVariables } from './checks/variable-names.ts';
import { translate } from './front-end.ts';
import { KernelError } from './kernel-error.ts';
import { readDebugInfo } from './ir/debug-info.ts';
import { demand, generate, link, optimise, type MissingSymbol } from './link.ts';
import { translateOptions } from './options.ts';
import { readAnnotations } from './prepare/annotations.ts';
import { refuseBeyondLimits } from './program-limits.ts';
import { translateAssembly } from './ptx/assembly.ts';
import { waitingFunctions } from './ptx/instructions.ts';
import { ptxLibrary } from './ptx/library.ts';
import { BARRIERS, CUDA, prepare, type Prepared } from './prepare/prepare.ts';
import type { CompileAnswer, CompileRequest } from './request.ts';
import type { Toolchain, ToolResult } from './toolchain.ts';

/** How long each stage took, in milliseconds. */
export type Timing = Record<string, number>;

/** Compile CUDA C++ for the CPU device. */
export function compileProgram(toolchain: Toolchain, request: CompileRequest, timing: Timing = {}): CompileAnswer {
  const timed = <T>(stage: string, work: () => T): T => {
    const start = performance.now();
    const result = work();
    timing[stage] = performance.now() - start;
    return result;
  };
  const options = translateOptions(request.options);
  if (options.errors.length > 0) return { log: options.errors.join('\n') };
  const front = timed('front', () => translate(toolchain, request, options));
  const text = textOf(front);
  if (text === undefined) return { log: front.log };
  const described = (): string | undefined =>
    timed('parameters', () => textOf(translate(toolchain, request, options, true)));
  try {
    const { checked } = request;
    const translated = timed('ptx', () => translateAssembly(text));
    const waiting = translated.isLinked ? new Set([...BARRIERS, ...waitingFunctions()]) : BARRIERS;
    const marked = timed('mark', () => markedOf(translated.text, checked, waiting));
    const prepared = timed('prepare', () => prepare(marked.lines, described, { ...CUDA, waiting }));
    const flags = checked === false ? [] : CHECKED_OPTIMISER;
    const libraries = translated.isLinked ? { 'ptx.bc': ptxLibrary(toolchain) } : {};
    const first = timed('optimise', () => optimise(toolchain, prepared.text, libraries, flags));
    const optimised = linesOf(first);
    const how = { shuffled: request.shuffled };
    const assembled = timed('assemble', () => assemble(optimised, prepared, checkingOf(checked, marked), how));
    refuseBeyondLimits(options.arch, prepared, assembled.kernels, () => readAnnotations(marked.lines));
    const object = demand(timed('generate', () => generate(toolchain, assembled)));
    const exported = [
      ...assembled.kernels.map(({ symbol }) => runSymbol(symbol)),
      ...assembled.kernels.filter((kernel) => kernel.cooperative).map(({ symbol }) => gridSymbol(symbol)),
      ...prepared.variables.map(({ symbol }) => symbol),
      ...assembled.exports,
    ];
    const { wasm, missing } = timed('link', () => link(toolchain, object, exported));
    const log = [front.log, ...assembled.warnings, ...describeMissing(missing, optimised)].join('\n').trim();
    return missing.length > 0 ? { log } : { program: finish(request, options.arch, prepared, assembled, wasm), log };
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    const { place, line, message } = error;
    return {
      log: `${front.log}\n${place?.file ?? request.file}:${line}:${place?.column ?? 1}: error: ${message}`.trim(),
    };
  }
}

/** The undefined symbols of a program, with the places of their first uses. */
export function describeMissing(missing: readonly MissingSymbol[], lines: readonly string[]): string[] {
  if (missing.length === 0) return [];
  const debug = readDebugInfo(lines);
  const told = missing.map(({ name, isFunction }) => {
    const use = new RegExp(`@"?${name.replace(/[.$]/g, '\\$&')}"?(?![-\\w.$]).*!dbg !(\\d+)`);
    const found = lines.map((line) => use.exec(line)?.[1]).find((node) => node !== undefined);
    const place = debug.placeOf(found === undefined ? undefined : Number(found));
    const where = place ? `${place.file}:${place.line}:${place.column ?? 1}: ` : '';
    const what = `unresolved extern ${isFunction ? 'function' : 'variable'} '${name}'`;
    const text = `${where}error: ${what}: neither the source nor the CPU device's library defines it`;
    return { line: place?.line ?? 0, text };
  });
  return told.sort((a, b) => a.line - b.line).map((one) => one.text);
}

function finish(
  request: CompileRequest,
  arch: string,
  prepared: Prepared,
  assembled: Assembled,
  wasm: Uint8Array,
): CpuProgram {
  const lowered: Record<string, string> = {};
  for (const [i, expression] of request.expressions.entries()) {
    lowered[expression] = (prepared.lowered.get(i) ?? '').replace(/"/g, '');
  }
  const { source, file, checked } = request;
  const { kernels, sites, objects, shapes } = assembled;
  const { variables } = prepared;
  return { wasm, kernels, variables, lowered, sites, objects, shapes, arch, checked, source, file };
}

/** The lines of clang's code. Checked code gets the names of its variables, and flags for missing values. */
export function markedOf(
  text: string,
  checks: CompileRequest['checked'],
  waiting: ReadonlySet<string> = BARRIERS,
): Marked {
  if (checks === false) return { lines: text.split('\n'), variables: [] };
  const lines = nameVariables(text);
  return checks === 'bounds' ? { lines, variables: [] } : markVariables(lines, waiting);
}

/** The options of the checks for marked code. */
export function checkingOf(checked: CompileRequest['checked'], { variables }: Marked): Checking | undefined {
  return checked === false ? undefined : { checks: checked, unset: variables };
}

/** The lines of a module that a stage must have made. */
export function linesOf(result: ToolResult): string[] {
  return new TextDecoder().decode(demand(result)).split('\n');
}

/** The text that a stage made. */
export function textOf({ ok, files }: ToolResult): string | undefined {
  const out = files['out'];
  return ok && out ? new TextDecoder().decode(out) : undefined;
}
