import { fit } from '../fit.ts';
import type { GpuReading } from './gpu-reading.ts';
import { jobText } from './job-of.ts';
import type { Paint } from '../output.ts';
import { bytes } from '../table.ts';

/** From here on there is room for what processes do. */
const WIDE = 60;

/** An empty line, a head and the processes that there is room for. */
export function processLines(gpus: readonly GpuReading[], columns: number, rows: number, paint: Paint): string[] {
  const all = processRows(gpus);
  if (rows < 3 || all.length === 0) return [];
  const wide = columns >= WIDE;
  const line = ([gpu = '', pid = '', kind = '', load = '', memory = '', name = '']: readonly string[]): string => {
    const middle = wide ? `  ${fit(kind, 8)}` : '';
    const text = `${gpu.padStart(3)}  ${pid.padStart(8)}${middle}  ${load.padStart(5)}  ${memory.padStart(10)}  ${name}`;
    return fit(text, columns).trimEnd();
  };
  const room = rows - 2;
  const shown = all.slice(0, all.length > room ? room - 1 : room);
  const more = all.length - shown.length;
  return [
    '',
    paint('bold', line(PROCESS_HEAD)),
    ...shown.map(line),
    ...(more > 0 ? [paint('dim', fit(`… ${more} more`, columns).trimEnd())] : []),
  ];
}

/** Above {@link processRows}. */
export const PROCESS_HEAD = ['GPU', 'PID', 'kind', 'load', 'memory', 'name'] as const;

/** The processes of all GPUs, as cells. */
export function processRows(gpus: readonly GpuReading[]): string[][] {
  return gpus.flatMap(({ index, processes }) =>
    processes.map(({ pid, name, kinds, usedBytes, smPercent, job }) => [
      String(index),
      String(pid),
      kinds.join('+'),
      smPercent === undefined ? '-' : `${smPercent} %`,
      usedBytes === undefined ? '-' : bytes(usedBytes),
      job ? jobText(job) : (name ?? '?'),
    ]),
  );
}
