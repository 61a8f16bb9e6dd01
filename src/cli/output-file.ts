import { accessSync, constants, statSync, type BigIntStats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { writeWhole } from '../core/write-whole.ts';
import { fileProblem } from './file-problem.ts';
import { UsageError } from './output.ts';

/**
 * Before the work: reject a file that cannot be created, or that the command reads.
 *
 * @param given - the option with its value
 * @param inputs - the files that the command reads
 */
export function checkOutputFile(path: string, given: string, inputs: readonly string[]): void {
  const folder = dirname(resolve(path));
  if (identity(folder)?.isDirectory() !== true) {
    throw new UsageError(`${given}: there is no folder ${folder}: create it first`);
  }
  const there = identity(path);
  if (there === undefined) return;
  if (there.isDirectory()) throw new UsageError(`${given}: this is a folder, not a file`);
  for (const input of inputs) {
    const read = identity(input);
    if (read && read.dev === there.dev && read.ino === there.ino) {
      throw new UsageError(`${given}: ${input} is an input of this command and would be overwritten; use another file`);
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

/** The identity of a file; undefined where there is no file. */
function identity(path: string): BigIntStats | undefined {
  try {
    // Indices of files may need 64 bits.
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
