import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { addressOf } from '../../ffi/memory.ts';
import { JitOption } from '../sys/enums.ts';

/** What the driver's compiler and linker are told. */
export interface JitOptions {
  /** Registers that a thread may use. */
  readonly maxRegisters?: number;
  /** 0 to 4; 4 by default. */
  readonly optimizationLevel?: number;
  /** Threads that a block shall be able to have: registers are limited for it. */
  readonly threadsPerBlock?: number;
  /** `'sm_90'`; the device of the current context by default. */
  readonly target?: string;
  /** What to take where the exact machine code is missing. */
  readonly fallback?: 'ptx' | 'binary';
  /** Code for a debugger; not optimised. */
  readonly debugInfo?: boolean;
  /** Lines for a profiler. */
  readonly lineInfo?: boolean;
  /** Have the log say how many registers and how much memory a kernel takes. */
  readonly verbose?: boolean;
  /** Which caches global loads use: none is said, the second level's only, or both. */
  readonly cacheMode?: 'none' | 'cg' | 'ca';
}

/** Options as the driver takes them, with the logs that it writes. They live as long as it may write. */
export interface EncodedOptions {
  readonly count: number;
  readonly keys: Int32Array;
  readonly values: BigUint64Array;
  readonly info: () => string;
  readonly errors: () => string;
}

/** Where the driver writes what it has to say; zeros before. */
export interface JitLogs {
  readonly info: Uint8Array;
  readonly errors: Uint8Array;
}

const LOG_BYTES = 32 * 1024;
const ACCELERATED: Readonly<Record<string, number>> = { '': 0, a: 0x1_0000, f: 0x2_0000 };
const FALLBACKS = { ptx: 0, binary: 1 } as const;
const CACHE_MODES = { none: 0, cg: 1, ca: 2 } as const;

/** The names of {@link JitOptions}. */
export const JIT_OPTIONS: readonly string[] = [
  'maxRegisters',
  'optimizationLevel',
  'threadsPerBlock',
  'target',
  'fallback',
  'debugInfo',
  'lineInfo',
  'verbose',
  'cacheMode',
];

function newLogs(): JitLogs {
  return { info: new Uint8Array(LOG_BYTES), errors: new Uint8Array(LOG_BYTES) };
}

let shared: JitLogs | undefined;
let plain: EncodedOptions | undefined;

/** {@link encodeJitOptions} for one call that writes its logs and is done: new logs take as long as a small module. */
export function encodeForCall(options: JitOptions | undefined, what: string): EncodedOptions {
  shared ??= newLogs();
  for (const log of [shared.info, shared.errors]) if (log[0] !== 0) log.fill(0);
  if (options !== undefined) return encodeJitOptions(options, what, shared);
  plain ??= encodeJitOptions(undefined, what, shared);
  // The driver answers there how much it has written.
  plain.values[1] = plain.values[3] = BigInt(LOG_BYTES);
  return plain;
}

/**
 * Check the options and lay them out for the driver, behind two logs.
 *
 * @param logs - of its own where none are given: a driver may write for as long as what it made lives
 * @throws TypeError an option is unknown or of the wrong kind
 * @throws RangeError a number is out of range
 */
export function encodeJitOptions(
  options: JitOptions | undefined,
  what: string,
  logs: JitLogs = newLogs(),
): EncodedOptions {
  checkOptions(options, JIT_OPTIONS, what);
  const { info, errors } = logs;
  const list: [key: number, value: bigint][] = [
    [JitOption.INFO_LOG_BUFFER, addressOf(info)],
    [JitOption.INFO_LOG_BUFFER_SIZE_BYTES, BigInt(LOG_BYTES)],
    [JitOption.ERROR_LOG_BUFFER, addressOf(errors)],
    [JitOption.ERROR_LOG_BUFFER_SIZE_BYTES, BigInt(LOG_BYTES)],
    ...given(options ?? {}).map(([key, value]): [number, bigint] => [key, BigInt(value)]),
  ];
  return {
    count: list.length,
    keys: Int32Array.from(list, ([key]) => key),
    values: BigUint64Array.from(list, ([, value]) => value),
    info: () => logText(info),
    errors: () => logText(errors),
  };
}

function given(options: JitOptions): [key: number, value: number][] {
  const { maxRegisters, optimizationLevel, threadsPerBlock, target, fallback, cacheMode } = options;
  const list: [number, number | undefined][] = [
    [JitOption.MAX_REGISTERS, number(maxRegisters, 'maxRegisters', 1, 255)],
    [JitOption.OPTIMIZATION_LEVEL, number(optimizationLevel, 'optimizationLevel', 0, 4)],
    [JitOption.THREADS_PER_BLOCK, number(threadsPerBlock, 'threadsPerBlock', 1, 1024)],
    [JitOption.TARGET, target === undefined ? undefined : targetNumber(target)],
    [JitOption.FALLBACK_STRATEGY, choice(fallback, FALLBACKS, 'fallback')],
    [JitOption.GENERATE_DEBUG_INFO, flag(options.debugInfo, 'debugInfo')],
    [JitOption.GENERATE_LINE_INFO, flag(options.lineInfo, 'lineInfo')],
    [JitOption.LOG_VERBOSE, flag(options.verbose, 'verbose')],
    [JitOption.CACHE_MODE, choice(cacheMode, CACHE_MODES, 'cacheMode')],
  ];
  return list.filter((entry): entry is [number, number] => entry[1] !== undefined);
}

function number(value: number | undefined, name: string, min: number, max: number): number | undefined {
  return value === undefined ? undefined : checkInteger(value, name, min, max);
}

function flag(value: unknown, name: string): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false, got ${nameOf(value)}`);
  return value ? 1 : 0;
}

function choice<T extends string>(
  value: T | undefined,
  table: Readonly<Record<T, number>>,
  name: string,
): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && Object.hasOwn(table, value)) return table[value];
  throw new TypeError(`${name} must be one of ${Object.keys(table).join(', ')}, got ${nameOf(value)}`);
}

function targetNumber(target: unknown): number {
  const match = typeof target === 'string' ? /^sm_(\d+)([af]?)$/.exec(target) : null;
  if (!match) throw new TypeError(`target must be 'sm_NN', got ${nameOf(target)}`);
  return Number(match[1]) + (ACCELERATED[match[2] ?? ''] ?? 0);
}

function logText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(bytes.subarray(0, end < 0 ? bytes.length : end)).trim();
}
