import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jit, toDevice, type JitFunction } from '../../src/cuda/jit/index.ts';
import '../../src/cuda/autoinit.ts';
import { mistakes, type Mistake } from './jit-mistakes.ts';
import { programs } from './jit-programs.ts';
import { puzzles } from './jit-puzzles.ts';
import type { KernelCase } from './jit-setting.ts';

// What kernels do where a program runs that is TypeScript: in tools, and in other runtimes than Node.js.

/** What is the same wherever it is made. */
export interface JitReport {
  /** A digest of the bits that each kernel computes. */
  readonly results: Readonly<Record<string, string>>;
  /** What each kernel with a mistake throws, without the folder. */
  readonly messages: readonly string[];
  /** Messages that name another place than that of the mistake. */
  readonly misplaced: readonly string[];
}

const folder = dirname(fileURLToPath(import.meta.url));
const lines = readFileSync(join(folder, 'jit-mistakes.ts'), 'utf8').split('\n');

/** @param where - on the device, or in the simulator */
export function jitReport(where: 'at' | 'simulate'): JitReport {
  const messages = mistakes.map(messageOf);
  return {
    results: Object.fromEntries([...puzzles, ...programs].map((one) => [one.title, digestOf(one, where)])),
    messages,
    misplaced: mistakes.flatMap((one, i) =>
      isInPlace(one, messages[i] ?? '') ? [] : [`${one.title}: ${messages[i]}`],
    ),
  };
}

function digestOf({ setting, kernel }: KernelCase, where: 'at' | 'simulate'): string {
  const { shapes, grid, block } = setting;
  const arrays = setting.arrays.map((host, i) => toDevice(host, { shape: [...(shapes[i] ?? [])] }));
  (kernel({ jit }) as JitFunction)[where](grid, block)(...arrays);
  const { buffer } = arrays.at(-1)?.get() as Float32Array<ArrayBuffer>;
  for (const one of arrays) one.close();
  return createHash('sha256').update(new Uint8Array(buffer)).digest('hex').slice(0, 16);
}

function messageOf({ run }: Mistake): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message.replaceAll(folder + sep, '');
  }
  return 'nothing was thrown';
}

/** Whether a message has the line of the mistake, with its word marked. */
function isInPlace({ title, word }: Mistake, message: string): boolean {
  const row = lines.findIndex((line) => line.endsWith(` // ${title}`));
  const line = lines[row] ?? '';
  const [first = '', shown = '', marks = ''] = message.split('\n');
  const head = `  ${row + 1} | `;
  return (
    first.startsWith(`jit-mistakes.ts:${row + 1}: `) &&
    shown === head + line &&
    marks.indexOf('^') === head.length + line.indexOf(word)
  );
}
