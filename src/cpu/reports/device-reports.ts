import type { KernelReport } from '../../core/kernel-report.ts';
import { ContextReports } from './context-reports.ts';
import { reportOf } from './report.ts';
import { isMeant } from '../runtime/fault.ts';
import type { EngineFinding } from '../runtime/finding.ts';
import type { DeviceMemory } from '../runtime/memory.ts';

/** Reports of closed contexts that are kept for the end, about. */
const MAX_LEFT = 1000;

/** The reports that a program has not received by its end. */
export interface Ending {
  readonly unheard: readonly KernelReport[];
  /** Those of them that are not on stderr yet. */
  readonly unsaid: readonly KernelReport[];
  /** How many were found while kernels went on. */
  readonly collected: number;
  /** The milliseconds of the wait for a checked kernel that did not end; undefined where all have ended. */
  readonly unfinished: number | undefined;
}

/** The reports of all contexts of a device, by the engine's numbers of the contexts. */
export class DeviceReports {
  readonly #print: (report: KernelReport) => void;
  readonly #open = new Map<number, ContextReports>();
  /** Of contexts that are closed. */
  readonly #left: KernelReport[] = [];
  #collected = 0;

  /** @param print - receives the reports that the program does not */
  constructor(print: (report: KernelReport) => void) {
    this.#print = print;
  }

  open(context: number): ContextReports {
    const reports = new ContextReports(this.#print);
    this.#open.set(context, reports);
    return reports;
  }

  /** Print the reports that the program can no longer receive. */
  close(context: number): void {
    const reports = this.#open.get(context);
    if (!reports) return;
    this.#open.delete(context);
    reports.tell();
    if (this.#left.length < MAX_LEFT) this.#left.push(...reports.unheard);
    this.#collected += reports.collected;
  }

  add(finding: EngineFinding, memory: DeviceMemory): void {
    this.#open.get(finding.context)?.add(reportOf(finding, memory), isMeant(finding.kind));
  }

  /**
   * End the reports of a program. The returned `unsaid` reports count as printed.
   *
   * @param unfinished - the milliseconds of the wait for a checked kernel that did not end
   */
  end(unfinished: number | undefined): Ending {
    const open = [...this.#open.values()];
    return {
      unheard: [...this.#left, ...open.flatMap((reports) => reports.unheard)],
      unsaid: open.flatMap((reports) => reports.takeUnsaid()),
      collected: open.reduce((sum, { collected }) => sum + collected, this.#collected),
      unfinished,
    };
  }
}
