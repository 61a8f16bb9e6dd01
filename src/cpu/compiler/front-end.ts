import { join } from 'node:path';
import { HEADER_FOLDER, LIBRARY_FOLDER, readTree, userHeaders } from './headers.ts';
import { NAME_VARIABLE } from './globals.ts';
import { TARGET } from './library.ts';
import type { TranslatedOptions } from './options.ts';
import type { CompileRequest } from './request.ts';
import type { Files, Toolchain, ToolResult } from './toolchain.ts';

let headers: Files | undefined;

/** Clang: CUDA C++ to LLVM's text for wasm64, not optimised, with lines. */
export function translate(toolchain: Toolchain, request: CompileRequest, options: TranslatedOptions): ToolResult {
  headers ??= readTree(join(LIBRARY_FOLDER, 'include'));
  const user = userHeaders(request.source, request.file, request.includes);
  const argv = [
    ...TARGET,
    ...['-aux-triple', 'wasm64-unknown-unknown', '-x', 'cuda', '-fcuda-is-device', '-fdeclspec', '-fno-rtti'],
    ...['-resource-dir', '/usr', '-ffp-contract=off', '-fno-threadsafe-statics', '-fgnuc-version=4.2.1'],
    ...['-debug-info-kind=line-tables-only', '-dwarf-version=5', '-discard-value-names', '-ferror-limit', '20'],
    ...(options.fastMath ? ['-D__USE_FAST_MATH__=1'] : []),
    ...user.flags,
    ...['-internal-isystem', HEADER_FOLDER, '-include', 'rawkernel_cuda.h'],
    ...options.preIncludes.flatMap((name) => ['-include', name]),
    ...options.flags,
    ...['-emit-llvm', '-O3', '-disable-llvm-passes', '-o', 'out', 'kernel.cu'],
  ];
  const files = { ...user.files, [HEADER_FOLDER]: headers, 'kernel.cu': withExpressions(request) };
  const result = toolchain.run(argv, files);
  return { ...result, log: clean(result.log) };
}

/**
 * The source, and behind it a variable for each name expression that holds its address: so clang makes the instance
 * and its text tells the symbol.
 */
function withExpressions({ source, file, expressions }: CompileRequest): string {
  const name = (text: string): string => JSON.stringify(text.replace(/[\r\n]/g, ' '));
  const tail = expressions.map(
    (expression, i) =>
      `# 1 "name expression"\nextern "C" __attribute__((device, used)) const void *${NAME_VARIABLE}${i} = (const void *)(\n` +
      `# 1 ${name(`name expression '${expression}'`)}\n${expression}\n);`,
  );
  return [`# 1 ${name(file)}`, source, ...tail, ''].join('\n');
}

/** Without the count at the end, which counts what is ours too. */
function clean(log: string): string {
  return log.replace(/^\d+ (?:warning|error)s?(?: and \d+ errors?)? generated.*\n?/gm, '').trim();
}
