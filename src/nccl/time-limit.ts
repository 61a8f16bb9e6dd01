import { ncclTimeoutVariable } from '../core/environment.ts';

/** Options with a time limit in milliseconds. */
interface TimedOptions {
  readonly timeoutMs?: number | undefined;
}

/** A time limit, or that of `RAWKERNEL_NCCL_TIMEOUT_MS` where it is shorter. */
export function limitedMs(timeoutMs: number): number {
  return Math.min(timeoutMs, ncclTimeoutVariable() ?? Infinity);
}

/** The options of a communicator, with the time limit of `RAWKERNEL_NCCL_TIMEOUT_MS` where they have none or a longer one. */
export function withTimeLimit<Options extends TimedOptions>(options: Options): Options {
  const limitMs = ncclTimeoutVariable();
  // What is not a record of options is refused later.
  const given: unknown = (options as Options | null | undefined)?.timeoutMs;
  if (limitMs === undefined || typeof options !== 'object' || (typeof given === 'number' && !(given > limitMs)))
    return options;
  return given === undefined || typeof given === 'number' ? { ...options, timeoutMs: limitMs } : options;
}
