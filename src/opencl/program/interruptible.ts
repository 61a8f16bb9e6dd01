import { interruptible, tookTooLong, withCompileScope, type CompileScope } from '../../core/compile-scope.ts';
import { buildFailure } from './build-log.ts';
import type { ProgramBase } from './program-base.ts';

const BUILD_PROGRAM_FAILURE = -11;

/** A driver's work on a program, which its caller may give up before the driver is done. */
export class Interruptible {
  readonly #program: ProgramBase;
  readonly #scope: CompileScope;
  readonly #routine: string;
  #running: Promise<unknown> | undefined;

  constructor(program: ProgramBase, scope: CompileScope, routine: string) {
    this.#program = program;
    this.#scope = scope;
    this.#routine = routine;
  }

  /** @returns the driver's status */
  async run(work: () => Promise<number>): Promise<number> {
    const running = withCompileScope(this.#scope, work);
    this.#running = running;
    const { devices, source, options } = this.#program;
    const embedded = devices.every(({ isEmbedded }) => isEmbedded);
    // The embedded compiler ends by itself.
    const { timeoutMs, signal } = this.#scope;
    const scope = embedded ? { ...this.#scope, timeoutMs: 0 } : this.#scope;
    const status = await interruptible(running, scope, () => {
      const logs = new Map(devices.map(({ name }) => [name, tookTooLong(timeoutMs)]));
      return buildFailure(this.#routine, BUILD_PROGRAM_FAILURE, logs, source, options);
    }).catch((error: unknown) => {
      if (signal?.aborted !== true && embedded) this.#running = undefined;
      throw error;
    });
    this.#running = undefined;
    return status;
  }

  /** Close the program: where the driver is still at work on it, when that is done. */
  close(): void {
    const close = (): void => this.#program.close();
    if (this.#running) void this.#running.then(close, close);
    else close();
  }
}
