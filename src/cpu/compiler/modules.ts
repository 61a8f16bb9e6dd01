import { TARGET } from './library.ts';
import { demand } from './link.ts';
import type { Toolchain } from './toolchain.ts';

/** Link modules of LLVM's text into one: its text, or the linker's errors. */
export function linkModules(toolchain: Toolchain, texts: readonly string[]): { text?: string; log: string } {
  const [first = '', ...rest] = texts;
  if (rest.length === 0) return { text: first, log: '' };
  const untouched = ['-disable-llvm-passes', '-w'];
  const files: Record<string, Uint8Array | string> = { 'in.ll': first };
  const flags = rest.flatMap((text, i) => {
    const name = `more${i}.bc`;
    const argv = [...TARGET, '-x', 'ir', ...untouched, '-emit-llvm-bc', '-o', '-', 'in.ll'];
    files[name] = demand(toolchain.run(argv, { 'in.ll': text }));
    return ['-mlink-bitcode-file', name];
  });
  const argv = [...TARGET, '-x', 'ir', ...untouched, ...flags, '-emit-llvm', '-o', '-', 'in.ll'];
  const { ok, files: made, log } = toolchain.run(argv, files);
  const out = made['out'];
  return ok && out ? { text: new TextDecoder().decode(out), log: '' } : { log };
}
