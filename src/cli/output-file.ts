import { statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf, UsageError } from './output.ts';

/**
 * Refuse a file that cannot come about, before the work for it is done.
 *
 * @param given - the option with its value
 */
export function checkOutputFile(path: string, given: string): void {
  const folder = dirname(resolve(path));
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`${given}: there is no folder ${folder}: make it first`);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new UsageError(`${given}: this is a folder; name a file in it`);
  }
}

/** Write all of a file. */
export function writeOutputFile(path: string, content: Uint8Array, given: string): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw new UsageError(`${given}: ${messageOf(error)}`, { cause: error });
  }
}
