import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type BigIntStats,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
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
    // Devices and pipes are written to, and where a link leads nowhere it is followed.
    const there = statSync(path, { throwIfNoEntry: false });
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (there ? there.isFile() : !isLink) replaceFile(there ? realpathSync(path) : path, content, there?.mode);
    else writeFileSync(path, content);
  } catch (error) {
    throw new Error(`${given}: ${fileProblem(error)}`, { cause: error });
  }
}

/** By a file beside it that takes its name once it is whole. */
function replaceFile(path: string, content: Uint8Array, mode: number | undefined): void {
  const beside = join(dirname(path), `.rawkernel-${randomBytes(8).toString('hex')}`);
  try {
    const file = openSync(beside, 'wx');
    try {
      writeFileSync(file, content);
      if (mode !== undefined) fchmodSync(file, mode);
    } finally {
      closeSync(file);
    }
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
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
