import { nameOf } from '../core/check.ts';
import { brand, formatMessage, GpuError } from '../core/errors.ts';
import { groupOf } from '../ffi/prototype.ts';
import { StatusTable } from '../ffi/status-table.ts';
import { status as statuses } from './sys/enums.ts';
import { functions } from './sys/nvml.ts';

type Blame = 'none' | 'logic' | 'absent' | 'lost' | 'runtime';

const STATUSES: StatusTable<Blame> = new StatusTable(statuses, 'NVML_ERROR_');

/** The vendor's page of each group of the table. */
const PAGES: Readonly<Record<string, string>> = {
  INITIALIZATION: 'group__nvmlInitializationAndCleanup',
  SYSTEM: 'group__nvmlSystemQueries',
  DEVICE: 'group__nvmlDeviceQueries',
  NVLINK: 'group__NvLink',
  EVENTS: 'group__nvmlEvents',
  COMMANDS: 'group__nvmlDeviceCommands',
};

/**
 * What NVML reports. `code` is its constant: `NVML_ERROR_NOT_SUPPORTED` where the device does not have what was asked,
 * `NVML_ERROR_FUNCTION_NOT_FOUND` where the driver is older than the function.
 *
 * @example
 * ```ts
 * import { Device, NvmlError } from 'rawkernel/nvml';
 *
 * try {
 *   console.log(new Device(0).fanSpeedPercent());
 * } catch (error) {
 *   if (!(error instanceof NvmlError)) throw error;
 *   console.log(error.code, error.status, error.routine);
 * }
 * ```
 */
export class NvmlError extends GpuError {}
brand(NvmlError, 'NvmlError');

/** What an error can say beyond its status. */
export interface NvmlErrorDetails {
  readonly reason?: string | undefined;
  /** Lines of `name  value`. */
  readonly facts?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The error of a failed call. */
export function nvmlError(routine: string, status: number, details: NvmlErrorDetails = {}): NvmlError {
  const code = statusName(status);
  const page = PAGES[groupOf(functions, routine) ?? ''];
  const message = formatMessage({
    headline: `${routine} failed: ${code}`,
    reason: details.reason ?? STATUSES.hintOf(status),
    facts: details.facts,
    docs: page === undefined ? undefined : `https://docs.nvidia.com/deploy/nvml-api/${page}.html`,
  });
  return new NvmlError(message, code, status, routine);
}

/** The constant of a status: `NVML_ERROR_NOT_SUPPORTED`. */
export function statusName(status: number): string {
  return STATUSES.nameOf(status);
}

/** Whether this device, driver or user simply gets no answer to the question. */
export function isAbsent(error: unknown): error is NvmlError {
  return blameOf(error) === 'absent';
}

/** Whether NVML failed at one question, and others may have answers: the device and the driver are not lost. */
export function isOneFailure(error: unknown): boolean {
  return error instanceof NvmlError && blameOf(error) !== 'lost';
}

/** What the first query gives, or the second where the driver or the device does not have the first. */
export function orElse<T>(query: () => T, other: () => T): T {
  try {
    return query();
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return other();
  }
}

/** The result of a query; undefined where only this query fails, and NVML goes on. */
export function attempt<T>(query: () => T): T | undefined {
  return unless(isOneFailure, query);
}

function unless<T>(isNoAnswer: (error: unknown) => boolean, query: () => T): T | undefined {
  try {
    return query();
  } catch (error) {
    if (isNoAnswer(error)) return undefined;
    throw error;
  }
}

function blameOf(error: unknown): Blame | undefined {
  return error instanceof NvmlError ? STATUSES.blameOf(error.status) : undefined;
}

/**
 * What a query gives, or undefined where there is no answer to it: this device, this driver or this user does not have it
 * (NVML_ERROR_NOT_SUPPORTED, FUNCTION_NOT_FOUND, NO_PERMISSION, NO_DATA and similar). Every other error is thrown.
 *
 * @example
 * ```ts
 * import { Device, optional } from 'rawkernel/nvml';
 *
 * const device = new Device(0);
 * console.log(optional(() => device.fanSpeedPercent()) ?? 'no fan');
 * ```
 */
export function optional<T>(query: () => T): T | undefined {
  if (typeof query !== 'function') throw new TypeError(`optional takes a function that asks, got ${nameOf(query)}`);
  return unless(isAbsent, query);
}
