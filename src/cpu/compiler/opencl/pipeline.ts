import type { CpuKernel } from '../../abi/program.ts';
import { assemble } from '../regions/assemble.ts';
import { runSymbol } from '../regions/driver.ts';
import { KernelError } from '../kernel-error.ts';
import { CHECKED_OPTIMISER } from '../checks/undefined.ts';
import { demand, generate, link, optimise } from '../link.ts';
import { linkModules } from '../modules.ts';
import { checkingOf, describeMissing, linesOf, markedOf, textOf, type Timing } from '../pipeline.ts';
import { prepare, type IdRanges } from '../prepare/prepare.ts';
import type { CompileAnswer } from '../request.ts';
import type { Toolchain } from '../toolchain.ts';
import { adapt, type Adapted } from './adapt.ts';
import { translateOpenCL } from './front-end.ts';
import { withoutHalves } from './halves.ts';
import { withIndexCasts } from './index-casts.ts';
import { LAUNCH_VALUES, withLaunchValues } from './launch-values.ts';
import { openCLLibrary } from './library.ts';
import { demangle } from './mangling.ts';
import { decodeObject, encodeObject } from './objects.ts';
import { openCLOptions } from './options.ts';
import type { OpenCLRequest } from './request.ts';
import { withoutStub } from './stubs.ts';

const SUB_GROUP_SIZE = 32;
const MAX_GROUPS = 0x7fff_ffff;
/** A vector is read where the source reads it, not where it uses an element. */
const WHOLE = ['-mllvm', '-disable-vector-combine'];
/** As for CUDA, but that all dimensions of a range may be long. */
const RANGES: IdRanges = {
  ...{ tx: [0, 1024], ty: [0, 1024], tz: [0, 64], lin: [0, 1024], dx: [1, 1025], dy: [1, 1025], dz: [1, 65] },
  ...{ bx: [0, MAX_GROUPS], by: [0, MAX_GROUPS], bz: [0, MAX_GROUPS] },
  ...{ gx: [1, MAX_GROUPS], gy: [1, MAX_GROUPS], gz: [1, MAX_GROUPS] },
};

/** Compile OpenCL C for the CPU device, or link compiled objects. */
export function compileOpenCLProgram(toolchain: Toolchain, request: OpenCLRequest, timing: Timing = {}): CompileAnswer {
  const options = openCLOptions(request.options);
  if (options.errors.length > 0) return { log: options.errors.join('\n'), refused: true };
  const start = performance.now();
  const { text, log } = request.objects.length > 0 ? linked(toolchain, request) : compiled(toolchain, request);
  timing['front'] = performance.now() - start;
  if (text === undefined) return { log };
  if (request.result === 'object') return { object: encodeObject(text), log };
  return finish(toolchain, request, text, log, timing);
}

interface Module {
  readonly text?: string | undefined;
  readonly log: string;
}

function compiled(toolchain: Toolchain, request: OpenCLRequest): Module {
  const front = translateOpenCL(toolchain, request, openCLOptions(request.options));
  return { text: textOf(front), log: front.log };
}

function linked(toolchain: Toolchain, { objects }: OpenCLRequest): Module {
  const texts = objects.map(decodeObject);
  if (texts.some((text) => text === undefined)) return { log: 'error: an input of the link is not a compiled program' };
  return linkModules(toolchain, texts as string[]);
}

function finish(
  toolchain: Toolchain,
  request: OpenCLRequest,
  text: string,
  warnings: string,
  timing: Timing,
): CompileAnswer {
  const timed = <T>(stage: string, work: () => T): T => {
    const start = performance.now();
    const result = work();
    timing[stage] = performance.now() - start;
    return result;
  };
  const { source, file, checked, shuffled } = request;
  try {
    const marked = timed('mark', () => markedOf(text, checked));
    const adapted = timed('adapt', () => adapt(marked.lines));
    const language = { annotations: adapted.annotations, ranges: RANGES };
    const prepared = timed('prepare', () => prepare(adapted.lines, () => undefined, language));
    // The host cannot query a program's variables, but accesses to them are checked.
    const known = { ...prepared, variables: adapted.variables };
    const library = { 'functions.bc': openCLLibrary('functions', toolchain) };
    const first = timed('optimise', () =>
      optimise(toolchain, prepared.text, library, checked === false ? [] : [...WHOLE, ...CHECKED_OPTIMISER]),
    );
    const optimised = withIndexCasts(withoutHalves(withLaunchValues(linesOf(first))));
    const checking = checkingOf(checked, marked);
    const how = { everyExit: true, shuffled };
    const assembled = timed('assemble', () => assemble(optimised, known, checking, how));
    const object = demand(timed('generate', () => generate(toolchain, assembled)));
    const exported = [...assembled.kernels.map(({ symbol }) => runSymbol(symbol)), ...assembled.exports];
    const { wasm, missing } = timed('link', () => link(toolchain, object, exported));
    const lines = [warnings, ...describeMissing(missing, optimised).map(withPlainNames)];
    const log = lines.join('\n').trim();
    if (missing.length > 0) return { log };
    const kernels = assembled.kernels.map((kernel) => describe(kernel, adapted));
    const { objects, shapes } = assembled;
    const sites = assembled.sites.map(withoutStub);
    return {
      program: { wasm, kernels, variables: [], lowered: {}, sites, objects, shapes, arch: '', checked, source, file },
      log,
    };
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    const { line, message } = error;
    const place = error.place && withoutStub(error.place);
    return { log: `${warnings}\n${place?.file ?? file}:${line}:${place?.column ?? 1}: error: ${message}`.trim() };
  }
}

/** Functions of OpenCL C under the names that programs use. */
function withPlainNames(line: string): string {
  return line.replace(/'(_Z\w+)'/, (all, symbol: string) =>
    demangle(symbol) ? `'${demangle(symbol)?.name ?? ''}'` : all,
  );
}

function describe(kernel: CpuKernel, { kernels, localBytes }: Adapted): CpuKernel {
  const facts = kernels.get(kernel.symbol);
  const count = kernel.parameters.length - LAUNCH_VALUES;
  const { requiredSize, sizeHint } = facts ?? {};
  return {
    ...kernel,
    parameters: kernel.parameters.slice(0, count),
    sharedBytes: localBytes.get(kernel.symbol) ?? 0,
    opencl: {
      arguments: facts?.arguments ?? [],
      launchOffset: kernel.parameters[count]?.offset ?? 0,
      ...(requiredSize ? { requiredSize } : {}),
      ...(sizeHint ? { sizeHint } : {}),
      attributes: facts?.attributes ?? '',
      subGroupSize: SUB_GROUP_SIZE,
    },
  };
}
