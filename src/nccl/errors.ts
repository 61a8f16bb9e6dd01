import { brand, formatMessage, GpuError, hide } from '../core/errors.ts';
import { groupOf } from '../ffi/prototype.ts';
import { StatusTable } from '../ffi/status-table.ts';
import type { HangReport } from './hang-report.ts';
import { status as statuses } from './sys/enums.ts';
import { functions } from './sys/nccl.ts';

type Blame = 'none' | 'logic' | 'pending' | 'remote' | 'runtime';

const STATUSES: StatusTable<Blame> = new StatusTable(statuses, 'ncclResult_');
const [TIMEOUT] = statuses.ncclTimeout;

const MANUAL = 'https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/api';

/** The vendor's page of each group of the table. */
const PAGES: Readonly<Record<string, string>> = {
  COMMUNICATORS: 'comms',
  REGISTRATION: 'comms',
  OPERATORS: 'ops',
  COLLECTIVES: 'colls',
  'POINT-TO-POINT': 'p2p',
  GROUPS: 'group',
};

/**
 * What NCCL reports. `code` is its constant: `'ncclRemoteError'` where another rank has died,
 * `'ncclInvalidUsage'` where the program is wrong.
 *
 * @example
 * ```ts
 * import { NcclError, UniqueId } from 'rawkernel/nccl';
 *
 * try {
 *   UniqueId.create();
 * } catch (error) {
 *   if (!(error instanceof NcclError)) throw error;
 *   console.log(error.code, error.status, error.routine);
 * }
 * ```
 */
export class NcclError extends GpuError {}
brand(NcclError, 'NcclError');

/** A call did not finish in time: `report` says which ranks, calls and lines of the program differ. */
export class NcclTimeoutError extends NcclError {
  /** What each rank was at; undefined without a store, where this rank knows of itself alone. */
  readonly report: HangReport | undefined;

  constructor(message: string, routine: string, report?: HangReport) {
    super(message, 'ncclTimeout', TIMEOUT, routine);
    this.report = report;
    hide(this, 'report');
  }
}
brand(NcclTimeoutError, 'NcclTimeoutError');

/** What an error can say beyond its status. */
export interface NcclErrorDetails {
  readonly reason?: string | undefined;
  /** Lines of `name  value`. */
  readonly facts?: Readonly<Record<string, string | undefined>> | undefined;
  /** NCCL's own last line about it. */
  readonly said?: string | undefined;
}

/** The error of a failed call. */
export function ncclError(routine: string, status: number, details: NcclErrorDetails = {}): NcclError {
  const code = statusName(status);
  const page = PAGES[groupOf(functions, routine) ?? ''];
  const message = formatMessage({
    headline: `${routine} failed: ${code}`,
    reason: details.reason ?? STATUSES.hintOf(status),
    facts: { ...details.facts, NCCL: details.said },
    docs: page === undefined ? undefined : `${MANUAL}/${page}.html`,
  });
  return new NcclError(message, code, status, routine);
}

/** The constant of a status: `ncclInvalidUsage`. */
export function statusName(status: number): string {
  return STATUSES.nameOf(status);
}
