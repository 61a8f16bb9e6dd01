import { isMainThread } from 'node:worker_threads';
import { paintReport, wantsColours, type ColourStream } from '../../core/colours.ts';
import type { KernelReport } from '../../core/kernel-report.ts';
import { runtimeProcess } from '../../core/runtime-process.ts';
import type { Ending } from './device-reports.ts';
import type { DeviceHost } from './device-setup.ts';

const NAME = 'rawkernel: ';
/** The key of the functions that the process calls at its end; test runners load this module several times. */
const ENDS = Symbol.for('rawkernel.cpu.ends.1');

type Ends = Set<() => Ending>;

/** The host of this process's devices: reports that the program does not receive go to stderr and set the exit code. */
export const PROCESS: DeviceHost = { print, atEnd };

function print(report: KernelReport): void {
  process.stderr.write(textOf(report, process.stderr));
}

function textOf(report: KernelReport, stream: ColourStream): string {
  const text = String(report);
  return `${NAME}${wantsColours(stream) ? paintReport(text) : text}\n`;
}

function atEnd(end: () => Ending): void {
  const owner = runtimeProcess() as NodeJS.Process & { [ENDS]?: Ends };
  let ends = owner[ENDS];
  if (!ends) {
    const made: Ends = new Set();
    ends = owner[ENDS] = made;
    owner.once('exit', (code) => {
      finish(owner, Number(owner.exitCode ?? code), made);
    });
  }
  ends.add(end);
}

/**
 * Print the remaining reports. A report that the program has not received, or a kernel that did not end, makes exit
 * code 0 a 1.
 */
function finish(owner: NodeJS.Process, code: number, ends: Ends): void {
  const endings = [...ends].map((end) => end());
  const unheard = endings.flatMap((ending) => ending.unheard);
  const unfinished = endings.find((ending) => ending.unfinished !== undefined)?.unfinished;
  const fails = code === 0 && (unheard.length > 0 || unfinished !== undefined);
  const collected = endings.reduce((sum, ending) => sum + ending.collected, 0);
  const lines: string[] = [];
  if (unfinished !== undefined) {
    lines.push(`a kernel was ended with the process, ${unfinished / 1000} s after it: it is not checked to its end`);
  }
  if (collected > 0) lines.push(countOf(collected, 'of kernels'));
  else if (unheard.length > 0) lines.push(countOf(unheard.length, 'of kernels that no call has thrown'));
  if (lines.length === 0) return;
  const summary = `${NAME}${lines.join('; ')}${fails ? '; exit code 1' : ''}`;
  if (fails && !isMainThread) {
    // A thread's exit code is not the process's: only an error reaches the code that started the thread.
    throw new Error([summary, ...unheard].join('\n'));
  }
  for (const report of endings.flatMap((ending) => ending.unsaid)) {
    owner.stderr.write(textOf(report, owner.stderr));
  }
  owner.stderr.write(`${summary}\n`);
  if (fails) owner.exitCode = 1;
}

function countOf(count: number, what: string): string {
  return `${count} ${count === 1 ? 'report' : 'reports'} ${what}`;
}
