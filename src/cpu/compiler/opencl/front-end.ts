import { checkedFlags } from '../checks/undefined.ts';
import { userHeaders } from '../headers.ts';
import { TARGET } from '../library.ts';
import type { Files, Toolchain, ToolResult } from '../toolchain.ts';
import { FEATURE_FLAG } from './features.ts';
import { LANGUAGE, openCLLibrary } from './library.ts';
import type { OpenCLOptions } from './options.ts';
import type { OpenCLRequest } from './request.ts';

const GIVEN_HEADERS = 'given-headers';

/** Clang: OpenCL C to LLVM's text for wasm64, not optimised, with lines. */
export function translateOpenCL(toolchain: Toolchain, request: OpenCLRequest, options: OpenCLOptions): ToolResult {
  const { source, file, headers } = request;
  const user = userHeaders([source, ...Object.values(headers)].join('\n'), file, options.includes);
  const argv = [
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
    ...['-I', GIVEN_HEADERS, ...user.flags, ...options.flags],
    ...['-mlink-builtin-bitcode', 'items.bc', '-emit-llvm', '-o', '-', 'kernel.cl'],
  ];
  const files = {
    ...user.files,
    [GIVEN_HEADERS]: treeOf(headers),
    'items.bc': openCLLibrary('items', toolchain),
    'kernel.cl': `# 1 ${JSON.stringify(file)}\n${source}\n`,
  };
  const result = toolchain.run(argv, files);
  return { ...result, log: clean(result.log) };
}

/** Files by their paths as nested folders. */
function treeOf(headers: Readonly<Record<string, string>>): Files {
  const tree: Files = {};
  for (const [path, text] of Object.entries(headers)) {
    const parts = path.split('/').filter((part) => part !== '' && part !== '.');
    const name = parts.pop();
    if (name === undefined) continue;
    let folder = tree;
    for (const part of parts) folder = (folder[part] ??= {}) as Files;
    folder[name] = text;
  }
  return tree;
}

function clean(log: string): string {
  return log.replace(/^\d+ (?:warning|error)s?(?: and \d+ errors?)? generated.*\n?/gm, '').trim();
}
