import { spawn, type ChildProcess } from 'node:child_process';
import { extname, join } from 'node:path';

/** Ends process groups when this process has ended, however that comes about. */
export class Reaper {
  readonly #child: ChildProcess;

  constructor() {
    // Run from its sources, this command has its files with their suffix.
    const file = join(import.meta.dirname, `reaper-main${extname(import.meta.filename)}`);
    this.#child = spawn(process.execPath, [...process.execArgv.filter((flag) => !/^--inspect/.test(flag)), file], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      windowsHide: true,
    });
    this.#child.on('error', () => undefined).unref();
    this.#child.stdin?.on('error', () => undefined);
  }

  add(pid: number): void {
    this.#child.stdin?.write(`+${pid}\n`);
  }

  remove(pid: number): void {
    this.#child.stdin?.write(`-${pid}\n`);
  }

  close(): void {
    this.#child.stdin?.end();
  }
}
