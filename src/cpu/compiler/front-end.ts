import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { capabilityOf } from '../abi/program.ts';
import { LIBRARY_FOLDER } from '../files/folders.ts';
import { HEADER_FOLDER, readTree, runWithHeaders, UserHeaders } from './headers.ts';
import { NAME_VARIABLE } from './prepare/globals.ts';
import { mentionsReferences } from './prepare/references.ts';
import { checkedFlags } from './checks/undefined.ts';
import { loadOrMake, type Recipe } from './artifact.ts';
import { dialectFlags, dialectLines } from './dialect.ts';
import { explained } from './limits.ts';
import { TARGET } from './library.ts';
import { mentionsAssembly, withPlainConstraints } from './ptx/source.ts';
import { repaired, repairHeaders } from './repairs.ts';
import { translateOptions, type TranslatedOptions } from './options.ts';
import type { CompileRequest } from './request.ts';
import type { Files, Toolchain, ToolResult } from './toolchain.ts';

const MAIN_HEADER = 'rawkernel_cuda.h';
const PRECOMPILED = 'rawkernel_cuda.pch';
/** What is precompiled. An included header is a system header, whose warnings are not the user's. */
const FIRST = 'rawkernel_first.h';
const FIRST_TEXT = `#include <${MAIN_HEADER}>\n`;

interface BuiltInHeaders {
  readonly files: Files;
  /** The text of all of them, and of those that are read before every source. */
  readonly text: string;
  readonly first: string;
}

let headers: BuiltInHeaders | undefined;

/**
 * Translate CUDA C++ with clang to LLVM's text for wasm64, not optimised, with line numbers.
 *
 * @param parameters - describe parameters too, which takes longer
 */
export function translate(
  toolchain: Toolchain,
  request: CompileRequest,
  options: TranslatedOptions,
  parameters = false,
): ToolResult {
  const built = builtInHeaders();
  const checked = request.checked !== false;
  const language = languageFlags(options, checked);
  const first = precompile(toolchain, built, language, options);
  const builtIn = first ? ['-include-pch', PRECOMPILED] : ['-include', MAIN_HEADER];
  const argv = [
    ...language,
    ...sourceName(request, options),
    ...(parameters || checked ? ['-debug-info-kind=limited'] : []),
  ];
  const output = ['-o', '-', 'kernel.cu'];
  const code = ['-emit-llvm', '-disable-llvm-passes', ...output];
  const ownOf = (flags: readonly string[]): readonly string[] => [
    ...flags,
    ...builtIn,
    ...options.preIncludes.flatMap((name) => ['-include', name]),
    ...options.flags,
  ];
  const { source, file, includes: folders } = request;
  const named = options.preIncludes.map((name) => `#include "${name}"`);
  const user = new UserHeaders({ source: [...named, source].join('\n'), file, folders });
  const references = mentionsReferences((property) => property(source) || user.some(property));
  const filesOf = (text: CompileRequest): Files => ({
    ...(first ? { [PRECOMPILED]: first, [FIRST]: FIRST_TEXT } : {}),
    [HEADER_FOLDER]: built.files,
    'kernel.cu': [
      ...architecture(options),
      ...dialectLines(options.standard),
      ...(references ? REFERENCES : []),
      ...AFTER_HEADERS,
      ...executionSpace(options),
      withExpressions(text, options),
    ].join('\n'),
  });
  const hasAssembly = (text: CompileRequest): boolean => mentionsAssembly(text.source) || user.some(mentionsAssembly);
  const whole = (text: CompileRequest): ToolResult =>
    runWithHeaders(toolchain, user, (flags) => [...argv, ...ownOf(flags), ...code], filesOf(text));
  // Clang knows the constraints of PTX only for GPUs: macros are expanded, then the constraints are replaced.
  const expanded = (text: CompileRequest): ToolResult => {
    const own = filesOf(text);
    const preprocess = (flags: readonly string[]): string[] => [...language, ...ownOf(flags), '-E', ...output];
    const { ok, files } = runWithHeaders(toolchain, user, preprocess, own);
    if (!ok || !files['out']) return whole(text);
    const lines = withoutFirst(new TextDecoder().decode(files['out']), first !== undefined);
    return toolchain.run([...argv, ...(first ? builtIn : []), ...withoutMacros(options.flags), ...code], {
      ...own,
      'kernel.cu': withPlainConstraints(lines),
    });
  };
  return runRepaired((text) => (hasAssembly(text) ? expanded(text) : whole(text)), user, request);
}

/** What tells the `static` kernels of a relocatable source from those of others. */
function sourceName({ source, file }: CompileRequest, { relocatable }: TranslatedOptions): string[] {
  return relocatable ? [`-cuid=${createHash('sha256').update(`${file}\0${source}`).digest('hex').slice(0, 16)}`] : [];
}

/** The most rounds of repairs: clang stops after some errors, and those behind come to light in the next round. */
const ROUNDS = 4;

/** Run clang, and again without what it alone refuses; a source that has other errors keeps the first log. */
function runRepaired(
  run: (request: CompileRequest) => ToolResult,
  user: UserHeaders,
  request: CompileRequest,
): ToolResult {
  const first = run(request);
  let result = first;
  let text = request;
  const warnings: string[] = [];
  for (let round = 0; !result.ok && round < ROUNDS; round++) {
    const own = repaired(text.source, text.file, result.log);
    const inHeaders = repairHeaders(user, result.log);
    if (!own && inHeaders.length === 0) break;
    warnings.push(...(own?.warnings ?? []), ...inHeaders);
    if (own) text = { ...text, source: own.source };
    result = run(text);
  }
  const last = result.ok ? result : first;
  return { ...last, log: clean(result.ok ? [...warnings, last.log].join('\n') : last.log) };
}

/** Preprocessing puts the text of a precompiled header back in its place; what follows is of the user. */
function withoutFirst(text: string, isPrecompiled: boolean): string {
  const start = isPrecompiled ? text.search(new RegExp(`^# 1 "[^"]*${MAIN_HEADER}" 1`, 'm')) : -1;
  const end = /^# \d+ "<[^"]*>" 2\n/m.exec(text.slice(start));
  if (start < 0 || !end) return text;
  return text.slice(start + end.index + end[0].length).replace(/^(# \d+ "kernel\.cu") 2$/m, '$1');
}

/** The flags for a source whose macros are expanded and whose headers are in it. */
function withoutMacros(flags: readonly string[]): string[] {
  return [...flags.filter((flag) => !/^-[DU]/.test(flag)), '-Wno-pragma-once-outside-header'];
}

/** Inline functions and variables are the same ones in all sources; kernels may launch kernels. */
const RELOCATABLE = ['-fgpu-rdc'];

function languageFlags({ standard, fastMath, relocatable }: TranslatedOptions, checked: boolean): string[] {
  return [
    ...TARGET,
    ...['-aux-triple', 'wasm64-unknown-unknown', '-x', 'cuda', '-fcuda-is-device', '-fdeclspec', '-fno-rtti'],
    ...['-resource-dir', '/usr', '-ffp-contract=off', '-fno-threadsafe-statics', '-fgnuc-version=4.2.1', '-O3'],
    '-fno-strict-float-cast-overflow',
    ...['-debug-info-kind=line-tables-only', '-dwarf-version=5', '-discard-value-names', '-ferror-limit', '20'],
    ...['-internal-isystem', HEADER_FOLDER],
    ...dialectFlags(standard),
    ...(fastMath ? ['-D__USE_FAST_MATH__=1'] : []),
    ...(relocatable ? RELOCATABLE : []),
    ...(checked ? checkedFlags('cuda') : []),
  ];
}

function builtInHeaders(): BuiltInHeaders {
  return (headers ??= readHeaders());
}

function readHeaders(): BuiltInHeaders {
  const files = readTree(join(LIBRARY_FOLDER, 'include'));
  const first = Object.fromEntries(Object.entries(files).filter(([name]) => name.startsWith('rawkernel')));
  return { files, text: textOfFiles(files), first: textOfFiles(first) };
}

function textOfFiles(tree: Files): string {
  return Object.values(tree)
    .map((entry) => (entry instanceof Uint8Array ? Buffer.from(entry).toString('latin1') : textOfFiles(entry as Files)))
    .join('\n');
}

/** The built-in headers, read by clang once; undefined where they ask for one of the user's macros. */
function precompile(
  toolchain: Toolchain,
  headers: BuiltInHeaders,
  language: readonly string[],
  { flags }: TranslatedOptions,
): Uint8Array | undefined {
  const macros = flags.map((flag) => /^-[DU]\s*(\w+)/.exec(flag)?.[1]).filter((macro) => macro !== undefined);
  const asked = (macro: string): boolean =>
    new RegExp(`^[ \\t]*#[ \\t]*(?:el)?if.*\\b${macro}\\b`, 'm').test(headers.first);
  if (macros.some(asked)) return undefined;
  return loadOrMake(precompiled(headers, language), toolchain);
}

function precompiled({ files, text }: BuiltInHeaders, language: readonly string[]): Recipe {
  const argv = [...language, '-w', '-emit-pch', '-o', '-', FIRST];
  return {
    parts: { what: 'CPU device headers', language, text: `${FIRST_TEXT}${text}` },
    // A header that does not compile will say so in the user's own compilation.
    make: (toolchain) => toolchain.run(argv, { [FIRST]: FIRST_TEXT, [HEADER_FOLDER]: files }).files['out'],
  };
}

/** Recipes of the precompiled built-in headers for the common combinations of options. */
export function headerRecipes(): Recipe[] {
  const built = builtInHeaders();
  const ways = [
    [[], false],
    [['--use_fast_math'], false],
    [[], true],
  ] as const;
  return ways.map(([options, checked]) => precompiled(built, languageFlags(translateOptions(options), checked)));
}

/** The recipe of the headers that every program without options has. */
export function headerRecipe(): Recipe {
  return precompiled(builtInHeaders(), languageFlags(translateOptions([]), false));
}

/** Translate a file of the device's own library, which has the built-in headers before it. */
export function translatePlain(toolchain: Toolchain, name: string, files: Files): ToolResult {
  const first = loadOrMake(headerRecipe(), toolchain) ?? new Uint8Array();
  const argv = [
    ...languageFlags(translateOptions([]), false).filter((flag) => !flag.startsWith('-debug-info-kind')),
    ...['-include-pch', PRECOMPILED, '-w', '-emit-llvm', '-disable-llvm-passes', '-o', '-', name],
  ];
  return toolchain.run(argv, {
    ...files,
    [PRECOMPILED]: first,
    [FIRST]: FIRST_TEXT,
    [HEADER_FOLDER]: builtInHeaders().files,
  });
}

/** From this compute capability on, functions of a warp name the threads that take part. */
const SYNC_CAPABILITY = 70;

/** The built-in headers are for compute capability 9.0, and are read before the source is. */
function architecture({ arch }: TranslatedOptions): string[] {
  const capability = capabilityOf(arch);
  if (capability === 90) return [];
  const older = capability < SYNC_CAPABILITY ? ['#include "rawkernel/warp_before_sync.h"'] : [];
  return ['#undef __CUDA_ARCH__', `#define __CUDA_ARCH__ ${capability}0`, ...older];
}

/** Repeats the effect of NDEBUG on `assert`: the built-in headers were precompiled without the user's macros. */
const AFTER_HEADERS = ['#ifdef NDEBUG', '#undef assert', '#define assert(expression) ((void)0)', '#endif'];

/** Names that CUDA 12 has given back to programs are there for those that need them. */
const REFERENCES = ['#include "rawkernel/texture_references.h"'];

/** With NVRTC's option for it, functions without an execution space are compiled for the device too. */
function executionSpace({ defaultDevice }: TranslatedOptions): string[] {
  return defaultDevice ? ['#pragma clang force_cuda_host_device begin'] : [];
}

/**
 * The source, followed by a variable for each name expression, which holds the expression's address: so clang
 * instantiates the template, and the module's text has the symbol.
 */
function withExpressions({ source, file, expressions }: CompileRequest, { defaultDevice }: TranslatedOptions): string {
  const name = (text: string): string => JSON.stringify(text.replace(/[\r\n]/g, ' '));
  const end = defaultDevice ? ['#pragma clang force_cuda_host_device end'] : [];
  const tail = expressions.map(
    (expression, i) =>
      `# 1 "name expression"\nextern "C" __attribute__((device, used)) const void *${NAME_VARIABLE}${i} = (const void *)(\n` +
      `# 1 ${name(`name expression '${expression}'`)}\n${/^\s*[&(]/.test(expression) ? '' : '&'}${expression}\n);`,
  );
  return [`# 1 ${name(file)}`, source, ...tail, ...end, ''].join('\n');
}

/** A log without clang's final count, which includes our headers, and with explanations of features that no CPU has. */
function clean(log: string): string {
  return explained(log.replace(/^\d+ (?:warning|error)s?(?: and \d+ errors?)? generated.*\n?/gm, '').trim());
}
