import { checkedFlags } from '../checks/undefined.ts';
import { runWithHeaders, UserHeaders } from '../headers.ts';
import { TARGET } from '../library.ts';
import type { Toolchain, ToolResult } from '../toolchain.ts';
import { FEATURE_FLAG } from './features.ts';
import { LANGUAGE, openCLLibrary } from './library.ts';
import type { OpenCLOptions } from './options.ts';
import type { OpenCLRequest } from './request.ts';

/** What compilers of OpenCL C only warn of: programs have conversions between pointers that C does not. */
const WARNINGS = ['incompatible-pointer-types', 'int-conversion'].map((name) => `-Wno-error=${name}`);

/**
 * Lines around the source of a whole program: clang emits only what kernels reach. Functions without `static` are emitted
 * otherwise, whether or not they are called, and a program that includes a library of them becomes 24 MB of text.
 */
const ONLY_REACHED = {
  before: [
    // What is not defined is an error of the link.
    '#pragma clang diagnostic ignored "-Wundefined-internal"',
    '#pragma clang attribute push(__attribute__((internal_linkage)), apply_to = function)',
    '#define kernel kernel __attribute__((used))',
    '#define __kernel __kernel __attribute__((used))',
  ],
  behind: ['#pragma clang attribute pop'],
};
/** A source that defines the keyword as a macro. */
const REDEFINED = /'(?:__)?kernel' macro redefined/;

/** Clang: OpenCL C to LLVM's text for wasm64, not optimised, with lines. */
export function translateOpenCL(toolchain: Toolchain, request: OpenCLRequest, options: OpenCLOptions): ToolResult {
  if (request.result === 'object') return translateAll(toolchain, request, options);
  const result = translateAll(toolchain, request, options, ONLY_REACHED);
  // Some sources are refused for these lines: they declare a built-in function, or make a name with the keyword in it.
  return result.ok && !REDEFINED.test(result.log) ? result : translateAll(toolchain, request, options);
}

function translateAll(
  toolchain: Toolchain,
  request: OpenCLRequest,
  options: OpenCLOptions,
  around: Readonly<Record<'before' | 'behind', readonly string[]>> = { before: [], behind: [] },
): ToolResult {
  const { source, file, headers } = request;
  const argvOf = (flags: readonly string[]): string[] => [
    ...[...TARGET, ...LANGUAGE, `-cl-std=${options.standard}`, FEATURE_FLAG, '-cl-kernel-arg-info'],
    ...['-fdeclare-opencl-builtins', '-finclude-default-header', '-D__OPENCL_VERSION__=300', '-D__IMAGE_SUPPORT__=1'],
    ...[
      `-debug-info-kind=${request.checked === false ? 'line-tables-only' : 'limited'}`,
      '-dwarf-version=5',
      '-discard-value-names',
      '-ferror-limit',
      '20',
    ],
    ...(request.checked === false ? [] : checkedFlags('opencl')),
    ...WARNINGS,
    ...flags,
    ...options.flags,
    ...['-mlink-builtin-bitcode', 'items.bc', '-emit-llvm', '-o', '-', 'kernel.cl'],
  ];
  const files = {
    'items.bc': openCLLibrary('items', toolchain),
    'kernel.cl': [...around.before, `# 1 ${JSON.stringify(file)}`, source, ...around.behind, ''].join('\n'),
  };
  const user = new UserHeaders({ source, file, folders: options.includes, given: headers });
  const result = runWithHeaders(toolchain, user, argvOf, files);
  return { ...result, log: clean(result.log) };
}

function clean(log: string): string {
  return log.replace(/^\d+ (?:warning|error)s?(?: and \d+ errors?)? generated.*\n?/gm, '').trim();
}
