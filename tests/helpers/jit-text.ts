import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { cuda, device, jit, type JitFunction } from '../../src/cuda/jit/index.ts';

/** A kernel from a text that no tool changes, in a file of its own, so that places in it are known. */
export function jitOfText(text: string): {
  readonly kernel: JitFunction;
  readonly file: string;
  readonly remove: () => void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-jit-'));
  const file = join(folder, 'kernel.js');
  const whole = `(function (jit, device, cuda) {\n${text}\n})`;
  writeFileSync(file, whole);
  const make = runInThisContext(whole, { filename: file }) as (...args: unknown[]) => JitFunction;
  return { kernel: make(jit, device, cuda), file, remove: () => rmSync(folder, { recursive: true }) };
}
