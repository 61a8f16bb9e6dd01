import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { readLauncher } from '../../job/environment.ts';

/** A process's place in a job of several. */
export interface JobPlace {
  readonly program: string;
  readonly rank: number;
  readonly size: number;
}

/** Flags of Node.js and Python that are followed by a value of their own. */
const WITH_VALUE = [
  '-r',
  '--require',
  '--import',
  '--loader',
  '--experimental-loader',
  '-C',
  '--conditions',
  '-W',
  '-X',
];

/**
 * Which rank of which job a process is: by the variables that its launcher has set. Linux shows these to the process's
 * own user and to root.
 *
 * @param proc - where the process file system is
 * @returns undefined where it is not a rank, or nothing tells
 */
export function jobOf(pid: number, proc = '/proc'): JobPlace | undefined {
  try {
    const entries = partsOf(`${proc}/${pid}/environ`).map((entry) => {
      const at = entry.indexOf('=');
      return [entry.slice(0, at), entry.slice(at + 1)] as const;
    });
    const { rank, size } = readLauncher(Object.fromEntries(entries));
    return { program: programOf(partsOf(`${proc}/${pid}/cmdline`)), rank, size };
  } catch {
    return undefined;
  }
}

/** A process of a job, in one line. */
export function jobText({ program, rank, size }: JobPlace): string {
  return `${program} rank ${rank}/${size}`;
}

/** Texts with a NUL behind each. */
function partsOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').split('\0').slice(0, -1);
}

/** The script of an interpreter, else the program itself. */
function programOf([program = '?', ...args]: readonly string[]): string {
  const script = args.find((arg, i) => !arg.startsWith('-') && !WITH_VALUE.includes(args[i - 1] ?? ''));
  return basename(script ?? program);
}
