import { accessSync, constants, statSync, type BigIntStats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { writeWhole } from '../core/write-whole.ts';
import { fileProblem } from './file-problem.ts';
import { UsageError } from './output.ts';

/**
 * Refuse a file that cannot come about, or that the command reads, before the work for it is done.
 *
 * @param given - the option with its value
 * @param inputs - the files that the command reads
 */
export function checkOutputFile(path: string, given: string, inputs: readonly string[]): void {
  const folder = dirname(resolve(path));
  if (identity(folder)?.isDirectory() !== true) {
    throw new UsageError(`${given}: there is no folder ${folder}: make it first`);
  }
  const there = identity(path);
  if (there === undefined) return;
  if (there.isDirectory()) throw new UsageError(`${given}: this is a folder; name a file in it`);
  for (const input of inputs) {
    const read = identity(input);
    if (read && read.dev === there.dev && read.ino === there.ino) {
      throw new UsageError(`${given}: ${input} is read by this command, and would be lost; name another file`);
    }
  }
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw new UsageError(`${given}: ${fileProblem(error)}`, { cause: error });
  }
}

/** Write all of a file, or leave what was there. */
export function writeOutputFile(path: string, content: Uint8Array, given: string): void {
  try {
    writeWhole(path, content);
  } catch (error) {
    throw new Error(`${given}: ${fileProblem(error)}`, { cause: error });
  }
}

/** What tells a file from others; undefined where there is none. */
function identity(path: string): BigIntStats | undefined {
  try {
    // Indices of files may need 64 bits.
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
