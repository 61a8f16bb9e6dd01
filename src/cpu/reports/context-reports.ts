import { KernelReport } from '../../core/kernel-report.ts';
import type { ContextFault } from '../runtime/context-fault.ts';
import { Status } from '../abi/status.ts';

/** Reports that a context keeps: the first ones. */
const MAX_REPORTS = 1000;

/** The reports of one context, and which of them the program has received: in an error, or by a query. */
export class ContextReports {
  /** Findings are collected, and kernels go on: each place is printed when it is found. */
  collects = false;
  readonly #print: (report: KernelReport) => void;
  readonly #list: KernelReport[] = [];
  readonly #printed = new Set<KernelReport>();
  readonly #places = new Set<string>();
  #heard = 0;
  #collected = 0;
  #explained = false;

  constructor(print: (report: KernelReport) => void) {
    this.#print = print;
  }

  get all(): readonly KernelReport[] {
    return this.#list;
  }

  /** Those that the program has not heard. */
  get unheard(): readonly KernelReport[] {
    return this.#list.slice(this.#heard);
  }

  /** How many were found while kernels went on. */
  get collected(): number {
    return this.#collected;
  }

  /** @param fatal - the finding has ended the kernel, even where findings are only collected */
  add(report: KernelReport, fatal: boolean): void {
    if (this.#list.length < MAX_REPORTS) this.#list.push(report);
    if (!this.collects || fatal) return;
    this.#collected++;
    const place = placeOf(report);
    this.#printed.add(report);
    if (!this.#places.has(place)) this.#print(report);
    this.#places.add(place);
  }

  /** Report a fault that no finding explains, since the kernel's code did not cause it. */
  explain(fault: ContextFault | undefined, timeoutMs: number): void {
    if (!fault || this.#explained) return;
    this.#explained = true;
    const report = reportOfFault(fault.status, timeoutMs);
    if (report) this.#list.push(report);
  }

  /** Forget that it was lost. */
  reset(): void {
    this.#explained = false;
  }

  /** Hand all of them to the program. */
  hear(): readonly KernelReport[] {
    this.#heard = this.#list.length;
    return this.#list;
  }

  /** Print the reports that were neither given to the program nor printed. */
  tell(): void {
    for (const report of this.takeUnsaid()) this.#print(report);
  }

  /** The reports that were neither given to the program nor printed; the caller prints them. */
  takeUnsaid(): readonly KernelReport[] {
    const unsaid = this.unheard.filter((report) => !this.#printed.has(report));
    for (const report of unsaid) this.#printed.add(report);
    return unsaid;
  }
}

function reportOfFault(status: number, timeoutMs: number): KernelReport | undefined {
  switch (status) {
    case Status.LAUNCH_TIMEOUT: {
      const summary = `a kernel ran longer than RAWKERNEL_CPU_TIMEOUT_MS allows: ${timeoutMs} ms`;
      return new KernelReport({ kind: 'timeout', summary, kernel: '?' });
    }
    case Status.UNKNOWN: {
      const summary = 'a thread that runs kernels has ended, and what it ran with it';
      return new KernelReport({ kind: 'trap', summary, kernel: '?' });
    }
    default:
      return undefined;
  }
}

/** A key that is equal for two reports of the same mistake. */
function placeOf({ kind, kernel, place, others }: KernelReport): string {
  return JSON.stringify([kind, kernel, place, others.map(({ place: other }) => other)]);
}
