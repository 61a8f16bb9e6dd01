import { brand, formatMessage, GpuError, hide } from '../core/errors.ts';
import { formatDiagnostics, type Diagnostic } from '../core/diagnostics.ts';
import type { KernelReport } from '../core/kernel-report.ts';
import { faultReports } from './selection.ts';
import { status as statuses } from './sys/enums.ts';

type Row = readonly [value: number, blame: string, advice: string];

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(statuses as Readonly<Record<string, Row>>).map(([name, row]) => [row[0], name]),
);
const MANUAL = 'https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html';

/** Details of an error beyond its status. */
export interface OpenCLErrorDetails {
  /** The fix first, then the reason. Default: the status's own advice. */
  readonly reason?: string | undefined;
  /** Lines of `name  value`. */
  readonly facts?: Readonly<Record<string, string | undefined>> | undefined;
  /** The reports of the kernel that failed. */
  readonly reports?: readonly KernelReport[] | undefined;
}

/** The meaning of statuses that are not constants of OpenCL. */
const VENDORS: ReadonlyMap<number, string> = new Map([
  [-9999, "On NVIDIA: a kernel read or wrote outside of a buffer; the embedded device's checked mode names the line"],
]);

/**
 * A failed OpenCL call.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * try {
 *   using ctx = cl.createSomeContext();
 * } catch (error) {
 *   if (error instanceof cl.OpenCLError) console.log(error.code, error.status, error.routine);
 * }
 * ```
 */
export class OpenCLError extends GpuError {
  /** The reports of a kernel that failed, on the embedded device; empty on other devices. */
  readonly reports: readonly KernelReport[];

  /** @internal */
  constructor(routine: string, status: number, details: OpenCLErrorDetails = {}) {
    if (typeof routine !== 'string') throw new TypeError('An OpenCLError takes the name of a routine and a status');
    const code = NAMES.get(status) ?? `unknown status ${status}`;
    const { reports = [] } = details;
    const advice = reports.length > 0 ? undefined : (adviceOf(code) ?? VENDORS.get(status));
    const message = formatMessage({
      found: reports,
      headline: `${routine} failed: ${code}`,
      reason: details.reason ?? advice,
      facts: details.facts,
      docs: routine.startsWith('cl') ? `${MANUAL}/${routine}.html` : undefined,
    });
    super(message, code, status, routine);
    this.reports = reports;
    hide(this, 'reports');
  }
}
brand(OpenCLError, 'OpenCLError');

/** The device or the driver has no memory left. */
export class OpenCLMemoryError extends OpenCLError {}
brand(OpenCLMemoryError, 'OpenCLMemoryError');

/** The call was wrong: a mistake in the program. */
export class OpenCLLogicError extends OpenCLError {}
brand(OpenCLLogicError, 'OpenCLLogicError');

/** The device, the driver or a command failed. */
export class OpenCLRuntimeError extends OpenCLError {}
brand(OpenCLRuntimeError, 'OpenCLRuntimeError');

/** Details of a failed build. */
export interface BuildFailure {
  /** The whole log of each device that has one, by the device's name. */
  readonly logs: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
  readonly source: string;
  readonly options: string;
}

/** A program did not compile. The message shows the first errors with their source lines. */
export class BuildError extends OpenCLLogicError {
  /** The compiler's log of each device, by the device's name. */
  readonly logs: ReadonlyMap<string, string>;
  /** The first log, whole. */
  readonly log: string;
  /** The diagnostics that could be read from the log. */
  readonly diagnostics: readonly Diagnostic[];
  /** The text that was compiled; '' for a binary. */
  readonly source: string;
  /** The options that the compiler was given. */
  readonly options: string;

  /** @internal */
  constructor(routine: string, status: number, failure: BuildFailure) {
    if (!((failure as Partial<BuildFailure> | null | undefined)?.logs instanceof Map)) {
      throw new TypeError('BuildError takes a routine, a status and { logs, diagnostics, source, options }');
    }
    const { logs, diagnostics, source, options } = failure;
    const [device, log = ''] = [...logs][0] ?? [];
    const frames = formatDiagnostics(diagnostics, source, SOURCE_NAME);
    super(routine, status, {
      reason: frames === '' ? log.trim() || adviceOf(NAMES.get(status) ?? '') : frames,
      facts: { device, options },
    });
    this.logs = logs;
    this.log = log;
    this.diagnostics = diagnostics;
    this.source = source;
    this.options = options;
    hide(this, 'logs', 'log', 'diagnostics', 'source', 'options');
  }
}
brand(BuildError, 'BuildError');

/** The name of a program's own text in messages. */
export const SOURCE_NAME = '<kernel>';

/** The statuses of calls after a kernel has failed: CL_OUT_OF_RESOURCES, and that of a failed event in a wait list. */
const KERNEL_FAILURES: readonly number[] = [
  statuses.CL_OUT_OF_RESOURCES[0],
  statuses.CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST[0],
];

/** The error of a status, of the class for its blame. */
export function openclError(routine: string, status: number, given?: OpenCLErrorDetails): OpenCLError {
  const reports = KERNEL_FAILURES.includes(status) ? faultReports() : [];
  const details = reports.length > 0 ? { ...given, reports } : given;
  // A fault of a kernel is not a lack of memory, although the status says so.
  const blame = reports.length > 0 ? 'runtime' : rowOf(NAMES.get(status) ?? '')?.[1];
  switch (blame) {
    case 'memory':
      return new OpenCLMemoryError(routine, status, details);
    case 'logic':
      return new OpenCLLogicError(routine, status, details);
    case 'runtime':
      return new OpenCLRuntimeError(routine, status, details);
    default:
      return new OpenCLError(routine, status, details);
  }
}

/** Whether a status says that memory has run out, so that freeing some and trying again may help. */
export function isMemoryStatus(status: number): boolean {
  return rowOf(NAMES.get(status) ?? '')?.[1] === 'memory';
}

/** The constant's name of a status: `-5` is `CL_OUT_OF_RESOURCES`. */
export function statusName(status: number): string {
  return NAMES.get(status) ?? `unknown status ${status}`;
}

function rowOf(name: string): Row | undefined {
  return (statuses as Readonly<Record<string, Row | undefined>>)[name];
}

function adviceOf(name: string): string | undefined {
  return rowOf(name)?.[2];
}
