import { traceVariable } from './environment.ts';
import { warn } from './errors.ts';

const { topics, complaint } = traceVariable();
if (complaint !== undefined) warn(complaint, 'RAWKERNEL_TRACE');

/** `RAWKERNEL_TRACE=calls` (or `1`) prints a line for each native call. */
export const traceCalls: boolean = topics.includes('calls') || topics.includes('1');

/** `RAWKERNEL_TRACE=leaks` adds to a leak's warning where the object was made. */
export const traceLeaks: boolean = topics.includes('leaks');

/** `RAWKERNEL_TRACE=reports`: OpenCL drivers print what goes wrong in a context. */
export const traceReports: boolean = topics.includes('reports');

const DEFAULT_TIMELINE = 'rawkernel-timeline.json';

/** `RAWKERNEL_TRACE=timeline:FILE`: where the timeline is written. */
export const timelineFile: string | undefined = timelineOf(topics);

function timelineOf(list: readonly string[]): string | undefined {
  const topic = list.find((text) => /^timeline(?::|$)/.test(text));
  return topic === undefined ? undefined : topic.slice('timeline:'.length) || DEFAULT_TIMELINE;
}

/** Print the beginning of a call's line, before the call: a process that dies in it has said where. */
export function traceStart(text: string): void {
  process.stderr.write(text);
}

/**
 * Print the rest of a call's line.
 *
 * @param outcome - the result, and what was written to the out-parameters
 * @param ms - how long it took
 */
export function traceEnd(outcome: string, ms: number): void {
  process.stderr.write(` = ${outcome}  ${(1000 * ms).toFixed(1)} us\n`);
}
