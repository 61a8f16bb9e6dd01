import { interruptible, tookTooLong, withCompileScope, type CompileScope } from '../../core/compile-scope.ts';
import type { Device } from '../device/device.ts';
import { buildFailure } from './build-log.ts';
import { status } from '../sys/enums.ts';

const BUILD_PROGRAM_FAILURE = status.CL_BUILD_PROGRAM_FAILURE[0];

/** The object of a driver's work: a program, or a link that becomes a program. */
export interface Work {
  readonly devices: readonly Device[];
  readonly source: string;
  readonly options: string;
  /** Release the object, and the objects that the driver has made for it. */
  close(): void;
}

/** A driver's work, which its caller may abandon before the driver has finished. */
export class Interruptible {
  readonly #work: Work;
  readonly #scope: CompileScope;
  readonly #routine: string;
  #running: Promise<unknown> | undefined;

  constructor(work: Work, scope: CompileScope, routine: string) {
    this.#work = work;
    this.#scope = scope;
    this.#routine = routine;
  }

  /** @returns the driver's status */
  async run<T>(start: () => Promise<T>): Promise<T> {
    const running = withCompileScope(this.#scope, start);
    this.#running = running;
    const { devices, source, options } = this.#work;
    const embedded = devices.every(({ isEmbedded }) => isEmbedded);
    // The embedded compiler ends by itself.
    const { timeoutMs, signal } = this.#scope;
    const scope = embedded ? { ...this.#scope, timeoutMs: 0 } : this.#scope;
    const answer = await interruptible(running, scope, () => {
      const logs = new Map(devices.map(({ name }) => [name, tookTooLong(timeoutMs)]));
      return buildFailure(this.#routine, BUILD_PROGRAM_FAILURE, logs, source, options);
    }).catch((error: unknown) => {
      if (signal?.aborted !== true && embedded) this.#running = undefined;
      throw error;
    });
    this.#running = undefined;
    return answer;
  }

  /** Close the object of the work; while the driver still works on it, after that work. */
  close(): void {
    const close = (): void => this.#work.close();
    if (this.#running) void this.#running.then(close, close);
    else close();
  }
}
