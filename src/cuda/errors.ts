import { GpuError, brand, formatMessage, hide } from '../core/errors.ts';
import { formatDiagnostics, type Diagnostic } from '../core/diagnostics.ts';
import type { KernelReport } from '../core/kernel-report.ts';
import { readText } from '../ffi/memory.ts';
import { groupOf } from '../ffi/prototype.ts';
import { StatusTable } from '../ffi/status-table.ts';
import { driver } from './select.ts';
import { functions } from './sys/driver.ts';
import { nvrtcStatus, status as statusTable, stickyStatuses } from './sys/enums.ts';
import { take } from '../ffi/slot.ts';
import { slotOf } from './slots.ts';

type Blame = 'none' | 'memory' | 'logic' | 'launch' | 'runtime' | 'other';

/** The base of what the CUDA driver reports. */
export class CudaError extends GpuError {}
brand(CudaError, 'CudaError');

/** Device or host memory ran out. */
export class CudaMemoryError extends CudaError {}
brand(CudaMemoryError, 'CudaMemoryError');

/** The program is wrong, on any machine. */
export class CudaLogicError extends CudaError {}
brand(CudaLogicError, 'CudaLogicError');

/** A kernel failed, or could not be started. */
export class CudaLaunchError extends CudaError {
  /** What is known of it: on the embedded device each kernel that fails leaves a report, on a GPU there is none. */
  readonly reports: readonly KernelReport[];

  constructor(
    message: string,
    code: string,
    status: number,
    routine: string,
    options?: ErrorOptions & { readonly reports?: readonly KernelReport[] },
  ) {
    super(message, code, status, routine, options);
    this.reports = options?.reports ?? [];
    hide(this, 'reports');
  }
}
brand(CudaLaunchError, 'CudaLaunchError');

/** The machine or its driver cannot do it. */
export class CudaRuntimeError extends CudaError {}
brand(CudaRuntimeError, 'CudaRuntimeError');

/** NVRTC failed for another reason than the source. */
export class NvrtcError extends GpuError {}
brand(NvrtcError, 'NvrtcError');

/** A source does not compile, or a module does not link. */
export class CompileError extends Error {
  readonly code = 'ERR_RAWKERNEL_COMPILE';
  /** The compiler's own words. */
  readonly log: string;
  readonly source: string;
  readonly options: readonly string[];
  readonly diagnostics: readonly Diagnostic[];

  constructor(
    headline: string,
    details: {
      readonly log: string;
      readonly source: string;
      readonly file: string;
      readonly options: readonly string[];
      readonly diagnostics: readonly Diagnostic[];
    },
  ) {
    if (typeof headline !== 'string' || !Array.isArray((details as typeof details | undefined)?.diagnostics)) {
      throw new TypeError('CompileError takes a headline and { log, source, file, options, diagnostics }');
    }
    const frames = formatDiagnostics(details.diagnostics, details.source, details.file);
    super(
      formatMessage({
        headline,
        reason: frames === '' ? details.log.trim() : frames,
        facts: { options: details.options.join(' ') },
      }),
    );
    this.log = details.log;
    this.source = details.source;
    this.options = details.options;
    this.diagnostics = details.diagnostics;
    hide(this, 'log', 'source', 'options', 'diagnostics');
  }
}
brand(CompileError, 'CompileError');

const CLASSES = {
  none: CudaError,
  memory: CudaMemoryError,
  logic: CudaLogicError,
  launch: CudaLaunchError,
  runtime: CudaRuntimeError,
  other: CudaError,
} as const;

const statuses: StatusTable<Blame> = new StatusTable(statusTable, 'CUDA_ERROR_');
const nvrtcStatuses: StatusTable = new StatusTable(nvrtcStatus, 'NVRTC_ERROR_');

/** The constant of a status: `CUDA_ERROR_INVALID_VALUE`. A status newer than our table is asked of the driver. */
export function statusName(status: number): string {
  if (statuses.has(status)) return statuses.nameOf(status);
  const slot = slotOf('size_t');
  const found = driver().cuGetErrorName(status, slot) === 0 ? readText(take(slot)) : '';
  return found === '' ? statuses.nameOf(status) : found;
}

/** What an error may know beyond its status. */
export interface ErrorContext {
  /** The vendor's group whose page the message names; by default that of the routine. */
  readonly group?: string | undefined;
  readonly reason?: string | undefined;
  readonly facts?: Readonly<Record<string, string | undefined>> | undefined;
  readonly cause?: unknown;
  readonly reports?: readonly KernelReport[] | undefined;
}

/** The error of a failed driver call; its class says who is to blame. */
export function cudaError(routine: string, status: number, context: ErrorContext = {}): CudaError {
  const code = statusName(status);
  const hint = statuses.hintOf(status) ?? '';
  const group = context.group ?? groupOf(functions, routine);
  const message = formatMessage({
    found: context.reports,
    headline: `${routine} failed: ${code}`,
    reason: context.reason ?? (context.reports?.length ? undefined : hint),
    facts: context.facts,
    docs: group && `https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__${group.replaceAll('_', '__')}.html`,
  });
  const { cause, reports = [] } = context;
  const options = { ...(cause === undefined ? {} : { cause }), reports };
  return new CLASSES[statuses.blameOf(status) ?? 'other'](message, code, status, routine, options);
}

/** The error of a failed NVRTC call. */
export function nvrtcError(routine: string, status: number): NvrtcError {
  const code = nvrtcStatuses.nameOf(status);
  const message = formatMessage({
    headline: `${routine} failed: ${code}`,
    reason: nvrtcStatuses.hintOf(status),
    docs: 'https://docs.nvidia.com/cuda/nvrtc/index.html',
  });
  return new NvrtcError(message, code, status, routine);
}

/** Whether a status makes its context unusable for good. */
export function isSticky(status: number): boolean {
  return stickyStatuses.includes(status);
}
