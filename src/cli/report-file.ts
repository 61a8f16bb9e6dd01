import type { KernelReport } from '../cuda/index.ts';
import { writeOutputFile } from './output-file.ts';

/** The reports of the checked mode in an error. */
export function reportsOf(error: unknown): readonly KernelReport[] {
  const { reports } = error as { readonly reports?: unknown };
  return Array.isArray(reports) ? (reports as readonly KernelReport[]) : [];
}

/** Draw the first report. */
export function drawReports(error: unknown, file: string, option: string): void {
  const [first] = reportsOf(error);
  if (first) writeOutputFile(file, Buffer.from(first.toSVG()), option);
}
