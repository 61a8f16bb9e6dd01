import { dirname } from 'node:path';
import { cacheKey, cacheRead, cacheWrite, cacheEnabled } from '../../core/cache.ts';
import { interruptible, readLimits, tookTooLong, withCompileScope } from '../../core/compile-scope.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { checkTypes } from '../../core/struct.ts';
import { includedHeaders } from '../../core/includes.ts';
import { cudaError } from '../errors.ts';
import { compileWithNvcc, compileWithNvccLater, nvccVersion } from './nvcc.ts';
import { compileError, compileWithNvrtc, compileWithNvrtcLater, nvrtcTarget, toolkitIncludes } from './nvrtc.ts';
import { providedDigest } from './provided-headers.ts';
import type { CodeOutput, Compiled, CompileTask } from './compile-task.ts';
import { isEmbedded, nvrtcToolchain } from '../selection.ts';
import { flagsOf, SOURCE_OPTIONS, textList, type SourceOptions } from './source-options.ts';
import { status } from '../sys/enums.ts';

/** What code is made for, beside running as it is. */
export interface CodeForm {
  readonly output?: CodeOutput;
  /** To be linked with other code. */
  readonly relocatable?: boolean;
}

interface Plan {
  readonly task: CompileTask;
  readonly nvcc: boolean;
  readonly key: string | undefined;
}

/**
 * Compile CUDA C++, or take what the disk cache has.
 *
 * @param capability - of the device, ten times major plus minor; asked for only when the options name no target
 * @throws {@link CompileError} the source is wrong
 */
export function compile(
  source: string,
  options: SourceOptions,
  capability: () => number,
  form: CodeForm = {},
): Compiled {
  const plan = makePlan(source, options, capability, form);
  const scope = readLimits(options, 'SourceModule', true);
  const run = (): Compiled =>
    plan.nvcc ? compileWithNvcc(plan.task, scope) : withCompileScope(scope, () => compileWithNvrtc(plan.task));
  return recall(plan) ?? remember(plan, run());
}

/** {@link compile} without blocking JavaScript. */
export async function compileLater(
  source: string,
  options: SourceOptions,
  capability: () => number,
  form: CodeForm = {},
): Promise<Compiled> {
  const plan = makePlan(source, options, capability, form);
  const scope = readLimits(options, 'SourceModule.compile', false);
  const run = (): Promise<Compiled> => {
    if (plan.nvcc) return compileWithNvccLater(plan.task, scope);
    const work = withCompileScope(scope, () => compileWithNvrtcLater(plan.task));
    // The embedded compiler ends by itself.
    const { timeoutMs } = scope;
    const own = isEmbedded() ? { ...scope, timeoutMs: 0 } : scope;
    return interruptible(work, own, () => compileError(plan.task, tookTooLong(timeoutMs)));
  };
  return recall(plan) ?? remember(plan, await run());
}

function makePlan(source: string, options: SourceOptions, capability: () => number, form: CodeForm): Plan {
  checkOptions(options, SOURCE_OPTIONS, 'SourceModule');
  checkTypes(options.types, 'SourceModule');
  if (typeof source !== 'string') throw new TypeError(`A kernel's source must be a string, got ${nameOf(source)}`);
  if (source.includes('\0')) throw new TypeError("A kernel's source must not contain a NUL character");
  const { compiler = 'nvrtc', includeDirs = [], nameExpressions = [], fileName = 'kernel.cu', cache = true } = options;
  const nvcc = isNvcc(compiler);
  const file = checkFileName(fileName);
  const { output = 'code' } = form;
  const given = [...flagsOf(options, nvcc), ...textList(options.options, 'options')];
  const folders = textList(includeDirs, 'includeDirs');
  const expressions = textList(nameExpressions, 'nameExpressions');
  const target = options.arch === undefined ? targetFor(capability(), nvcc) : checkArch(options.arch);
  // Behind the user's folders: what a user brings goes before what is installed.
  const toolkit = nvcc ? [] : toolkitIncludes();
  const flags = [
    ...(given.some((option) => /^-?-std=/.test(option)) ? [] : ['--std=c++17']),
    ...(nvcc ? [] : [`--gpu-architecture=${target}`]),
    ...folders.map((folder) => `--include-path=${folder}`),
    ...(output === 'ltoir' ? ['-dlto'] : output === 'optixir' ? ['--optix-ir'] : []),
    ...(form.relocatable === true && output === 'code' ? ['--relocatable-device-code=true'] : []),
    ...given,
    ...toolkit.map((folder) => `--include-path=${folder}`),
  ];
  const task = {
    // A byte order mark is for a file's beginning, and compilers put lines of their own before a source.
    source: source.replace(/^\uFEFF/, ''),
    file,
    target,
    folders: [...folders, ...foldersIn(given), ...toolkit],
    options: flags,
    expressions,
    output,
  };
  return {
    task,
    nvcc,
    key: cache && cacheEnabled() ? keyOf(task, nvcc) : undefined,
  };
}

function isNvcc(compiler: unknown): boolean {
  if (compiler === 'nvrtc') return false;
  if (compiler !== 'nvcc') throw new TypeError(`compiler must be 'nvrtc' or 'nvcc', got ${nameOf(compiler)}`);
  if (!isEmbedded()) return true;
  const reason = "nvcc makes code for GPUs; without compiler: 'nvcc', the embedded CPU device's own compiler is taken";
  throw cudaError('SourceModule', NOT_SUPPORTED, { group: 'MODULE', reason });
}

const NOT_SUPPORTED = status.CUDA_ERROR_NOT_SUPPORTED[0];

function checkFileName(name: unknown): string {
  if (typeof name === 'string' && name !== '' && !name.includes('\0')) return name;
  throw new TypeError(`fileName must be a name without NUL, got ${nameOf(name)}`);
}

function targetFor(capability: number, nvcc: boolean): string {
  return nvcc ? `sm_${capability}` : nvrtcTarget(capability);
}

function checkArch(arch: unknown): string {
  if (typeof arch === 'string' && /^(sm|compute)_\d+[af]?$/.test(arch)) return arch;
  throw new TypeError(`arch must be 'sm_NN' or 'compute_NN', got ${nameOf(arch)}`);
}

/** Include folders that the user gave among the options. */
function foldersIn(options: readonly string[]): string[] {
  return options.flatMap((option, i) => {
    const joined = /^(?:-I|--include-path=)(.+)$/.exec(option)?.[1];
    if (joined !== undefined) return [joined];
    return option === '-I' || option === '--include-path' ? options.slice(i + 1, i + 2) : [];
  });
}

/** Options that read files unknown to the cache, or write files. */
const NOT_CACHED = /^-?-(?:pre-include|include|create-pch|use-pch|time|fdevice-time-trace)(?:=|$)/;

/** A source whose headers cannot be known is not cached. */
function keyOf(task: CompileTask, nvcc: boolean): string | undefined {
  // NVRTC looks for quoted includes beside the source's name, nvcc beside the copy that it is given.
  const headers = includedHeaders(task.source, task.folders, nvcc ? undefined : dirname(task.file));
  if (!headers || task.options.some((option) => NOT_CACHED.test(option))) return undefined;
  const { source, file, target, options, expressions } = task;
  const version = nvcc ? nvccVersion() : nvrtcToolchain().version;
  const provided = nvcc || isEmbedded() ? '' : providedDigest();
  return cacheKey({ version, source, file, target, options, expressions, headers, provided });
}

function recall({ key, task }: Plan): Compiled | undefined {
  const [code, ptx, meta] = (key === undefined ? undefined : cacheRead(key)) ?? [];
  const facts = meta && factsIn(meta.toString());
  if (!code || !ptx || !facts) return undefined;
  return { code, ptx: ptx.toString(), target: task.target, ...facts };
}

/** What an entry says besides the code; undefined where it says something else. */
function factsIn(text: string): Pick<Compiled, 'lowered' | 'log'> | undefined {
  try {
    const facts = JSON.parse(text) as Partial<Pick<Compiled, 'lowered' | 'log'>> | null;
    const { lowered, log } = facts ?? {};
    if (typeof lowered !== 'object' || (lowered as object | null) === null || typeof log !== 'string') return undefined;
    return Object.values(lowered).every((name) => typeof name === 'string') ? { lowered, log } : undefined;
  } catch {
    return undefined;
  }
}

function remember({ key }: Plan, compiled: Compiled): Compiled {
  const { code, ptx, lowered, log } = compiled;
  if (key !== undefined) cacheWrite(key, [code, Buffer.from(ptx), Buffer.from(JSON.stringify({ lowered, log }))]);
  return compiled;
}
