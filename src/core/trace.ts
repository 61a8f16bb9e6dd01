const topics = new Set((process.env['RAWKERNEL_TRACE'] ?? '').split(',').map((topic) => topic.trim()));

/** `RAWKERNEL_TRACE=calls` (or `1`) prints a line for each native call. */
export const traceCalls: boolean = topics.has('calls') || topics.has('1');

/** `RAWKERNEL_TRACE=leaks` adds to a leak's warning where the object was made. */
export const traceLeaks: boolean = topics.has('leaks');

/** Print one call on stderr. */
export function traceCall(routine: string, args: readonly unknown[], result: string): void {
  process.stderr.write(`${routine}(${args.map(show).join(', ')}) = ${result}\n`);
}

function show(value: unknown): string {
  if (typeof value === 'bigint') return `0x${value.toString(16)}`;
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}[${value.byteLength} B]`;
  return String(value);
}
