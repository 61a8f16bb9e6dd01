import type { CpuKernel, CpuProgram } from '../abi/program.ts';
import { assemble, type Assembled, type Checking } from './regions/assemble.ts';
import { gridSymbol, runSymbol } from './regions/driver.ts';
import { markVariables, type Marked } from './checks/initialised.ts';
import { CHECKED_OPTIMISER } from './checks/undefined.ts';
import { nameVariables } from './checks/variable-names.ts';
import { translate } from './front-end.ts';
import { KernelError } from './kernel-error.ts';
import { readDebugInfo } from './ir/debug-info.ts';
import { mentionOf } from './ir/text.ts';
import { demand, generate, link, optimise, type MissingSymbol } from './link.ts';
import { describeUndefined, linkObjects, objectText } from './objects.ts';
import { translateOptions, type TranslatedOptions } from './options.ts';
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
  const { objects } = request;
  const front = timed('front', () =>
    objects ? linkObjects(toolchain, objects) : translated(toolchain, request, options),
  );
  const { text } = front;
  if (text === undefined) return { log: front.log };
  const described = (): string | undefined =>
    // The objects of a link have described what they had to.
    objects ? text : timed('parameters', () => textOf(translate(toolchain, request, options, true)));
  try {
    const { checked } = request;
    if (options.relocatable) return { program: relocatable(request, options.arch, text, described), log: front.log };
    const plain = timed('ptx', () => translateAssembly(text));
    const waiting = plain.isLinked ? new Set([...BARRIERS, ...waitingFunctions()]) : BARRIERS;
    const marked = timed('mark', () => markedOf(plain.text, checked, waiting));
    const prepared = timed('prepare', () => prepare(marked.lines, described, { ...CUDA, waiting }));
    const flags = checked === false ? [] : CHECKED_OPTIMISER;
    const libraries = plain.isLinked ? { 'ptx.bc': ptxLibrary(toolchain) } : {};
    const first = timed('optimise', () => optimise(toolchain, prepared.text, libraries, flags));
    const optimised = linesOf(first);
    const how = { shuffled: request.shuffled };
    const assembled = timed('assemble', () =>
      assemble(optimised, prepared, checkingOf(checked, marked, request.peers), how),
    );
    refuseBeyondLimits(options.arch, prepared, assembled.kernels, () => readAnnotations(marked.lines));
    const object = demand(timed('generate', () => generate(toolchain, assembled)));
    const exported = [
      ...assembled.kernels.map(({ symbol }) => runSymbol(symbol)),
      ...assembled.kernels.filter((kernel) => kernel.cooperative).map(({ symbol }) => gridSymbol(symbol)),
      ...[...prepared.variables, ...prepared.references].map(({ symbol }) => symbol),
      ...assembled.exports,
    ];
    const { wasm, missing } = timed('link', () => link(toolchain, object, exported, request.peers));
    const unresolved = objects ? describeUndefined(missing, objects) : describeMissing(missing, optimised);
    const log = [front.log, ...assembled.warnings, ...unresolved].join('\n').trim();
    return missing.length > 0 ? { log } : { program: finish(request, options.arch, prepared, assembled, wasm), log };
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    const { place, line, message } = error;
    return {
      log: `${front.log}\n${place?.file ?? request.file}:${line}:${place?.column ?? 1}: error: ${message}`.trim(),
    };
  }
}

interface Front {
  readonly text?: string | undefined;
  readonly log: string;
}

function translated(toolchain: Toolchain, request: CompileRequest, options: TranslatedOptions): Front {
  const result = translate(toolchain, request, options);
  return { text: textOf(result), log: result.log };
}

/** A program that waits for its link, with what the host asks of it before. */
function relocatable(
  request: CompileRequest,
  arch: string,
  text: string,
  described: () => string | undefined,
): CpuProgram {
  let object = text;
  // An error in inline PTX is told now; the link translates it.
  const lines = translateAssembly(text).text.split('\n');
  const prepared = prepare(lines, () => (object = described() ?? text));
  const kernels = prepared.kernels.map(({ symbol, parameters, argumentBytes, maxThreads }) => ({
    ...{ symbol: symbol.replace(/"/g, ''), parameters, argumentBytes, maxThreads },
    ...{ contextBytes: 0, contextFixed: 0, sharedBytes: 0, barriers: 0 },
  }));
  const { source, file, checked } = request;
  const facts = { kernels, variables: prepared.variables, lowered: loweredOf(request, prepared) };
  return { ...facts, wasm: new Uint8Array(), sites: [], arch, checked, source, file, object: objectText(object) };
}

/** The undefined symbols of a program, with the places of their first uses. */
export function describeMissing(missing: readonly MissingSymbol[], lines: readonly string[]): string[] {
  if (missing.length === 0) return [];
  const debug = readDebugInfo(lines);
  const told = missing.map(({ name, isFunction }) => {
    const use = new RegExp(`${mentionOf(name)}.*!dbg !(\\d+)`);
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
  const lowered = loweredOf(request, prepared);
  const [first, ...others] = request.objects?.map(({ source, file }) => ({ source, file })) ?? [];
  const { source, file } = first ?? request;
  const { checked } = request;
  const { sites, objects, shapes } = assembled;
  const { variables } = prepared;
  const references = prepared.references.length > 0 ? prepared.references : undefined;
  // In the order of their numbers, by which kernels launch them.
  const numbers = new Map(prepared.kernels.map(({ symbol }, i) => [symbol.replace(/"/g, ''), i]));
  const numberOf = ({ symbol }: CpuKernel): number => numbers.get(symbol.replace(/"/g, '')) ?? 0;
  const kernels = [...assembled.kernels].sort((a, b) => numberOf(a) - numberOf(b));
  return { wasm, kernels, variables, references, lowered, sites, objects, shapes, arch, checked, source, file, others };
}

function loweredOf({ expressions }: CompileRequest, prepared: Prepared): Record<string, string> {
  return Object.fromEntries(
    expressions.map((expression, i) => [expression, (prepared.lowered.get(i) ?? '').replace(/"/g, '')]),
  );
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
export function checkingOf(
  checked: CompileRequest['checked'],
  { variables }: Marked,
  peers = false,
): Checking | undefined {
  return checked === false ? undefined : { checks: checked, unset: variables, peers };
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
