import { fit, widthOf } from '../fit.ts';
import type { GpuReading, Reading } from './gpu-reading.ts';
import type { Paint } from '../output.ts';
import { sparkline } from './sparkline.ts';
import type { History } from './history.ts';
import { METRICS, type Metric } from './metrics.ts';
import { processLines } from './processes.ts';

/** All that the live view shows. */
export interface View {
  /** The versions. */
  readonly versions: string;
  /** Of the day. */
  readonly time: string;
  readonly intervalSeconds: number;
  readonly reading: Reading;
  readonly history: History;
}

/** The narrowest block of a GPU that may stand beside another. */
const MIN_WIDTH = 60;
const GAP = 3;
/** A title, the metrics, an empty line. */
const BLOCK_ROWS = METRICS.length + 2;
const HEAD_ROWS = 2;
/** An empty line, the head, a process. */
const MIN_PROCESS_ROWS = 3;
const LABEL = 5;
const VALUE = 21;

/** The lines of the live view, as many as there is room for. */
export function draw(view: View, columns: number, rows: number, paint: Paint): string[] {
  const { gpus } = view.reading;
  const room = rows - HEAD_ROWS - (gpus.some(({ processes }) => processes.length > 0) ? MIN_PROCESS_ROWS - 1 : 0);
  const beside = sideBySide(gpus.length, columns, room);
  const body = beside === undefined ? compact(view, columns, room, paint) : blocks(view, columns, beside, paint);
  const above = [head(view, columns, paint), '', ...body];
  return [...above, ...processLines(gpus, columns, rows - above.length, paint)].slice(0, rows);
}

function head({ versions, time, intervalSeconds }: View, columns: number, paint: Paint): string {
  const right = `every ${intervalSeconds} s  ${time}  q quits`;
  const left = `rawkernel top  ${versions}`;
  if (left.length + GAP + right.length > columns) return paint('dim', fit(`${time}  q quits  ${versions}`, columns));
  return paint('dim', fit(left, columns - right.length) + right);
}

/** How many blocks stand in a row so that all are seen; undefined: they are too many for blocks. */
function sideBySide(count: number, columns: number, rows: number): number | undefined {
  for (let beside = 1; beside === 1 || blockWidth(columns, beside) >= MIN_WIDTH; beside++) {
    // The last block needs no empty line under it.
    if (Math.ceil(count / beside) * BLOCK_ROWS - 1 <= rows) return beside;
  }
  return undefined;
}

function blockWidth(columns: number, beside: number): number {
  return Math.floor((columns - GAP * (beside - 1)) / beside);
}

function blocks({ reading, history }: View, columns: number, beside: number, paint: Paint): string[] {
  const width = blockWidth(columns, beside);
  const each = reading.gpus.map((gpu, g) => block(gpu, (m) => history.of(g, m), width, paint));
  const lines: string[] = [];
  for (let first = 0; first < each.length; first += beside) {
    const row = each.slice(first, first + beside);
    for (let line = 0; line < BLOCK_ROWS - 1; line++) {
      lines.push(row.map((one) => one[line] ?? '').join(' '.repeat(GAP)));
    }
    if (first + beside < each.length) lines.push('');
  }
  return lines;
}

type Past = (metric: number) => readonly (number | undefined)[];

function block(gpu: GpuReading, past: Past, width: number, paint: Paint): string[] {
  return [title(gpu, width, paint), ...METRICS.map((metric, m) => metricLine(metric, gpu, past(m), width, paint))];
}

function title(gpu: GpuReading, width: number, paint: Paint): string {
  const name = `GPU ${gpu.index}  ${gpu.name}`;
  const [colour, tail] = gpu.error ? (['red', whyNot(gpu)] as const) : (['dim', remarks(gpu)] as const);
  const room = width - widthOf(name) - 2;
  if (room >= widthOf(tail)) return `${paint('bold', name)}  ${paint(colour, fit(tail, room))}`;
  // The error is more important than the name.
  return gpu.error ? paint('red', fit(`GPU ${gpu.index}  ${tail}`, width)) : paint('bold', fit(name, width));
}

/** The reason why a GPU does not answer. */
export function whyNot({ error }: GpuReading): string {
  return error?.code ?? error?.message ?? '';
}

/** The values without a history. */
function remarks({ snapshot }: GpuReading): string {
  if (snapshot === undefined) return '';
  const { performanceState: state, pcie, fanSpeedPercent: fan, ecc, migEnabled } = snapshot;
  const held = (snapshot.throttleReasons ?? []).filter((reason) => reason !== 'gpuIdle');
  return [
    state === undefined ? '' : `P${state}`,
    pcie.generation === undefined || pcie.width === undefined ? '' : `PCIe ${pcie.generation} x${pcie.width}`,
    fan === undefined ? '' : `fan ${fan} %`,
    migEnabled === true ? 'MIG' : '',
    (ecc.uncorrectedErrors ?? 0) > 0 ? `${ecc.uncorrectedErrors} ECC errors` : '',
    held.length > 0 ? `slowed by ${held.join(', ')}` : '',
  ]
    .filter((text) => text !== '')
    .join('  ');
}

function metricLine(
  metric: Metric,
  { snapshot }: GpuReading,
  past: readonly (number | undefined)[],
  width: number,
  paint: Paint,
): string {
  const value = (snapshot && metric.text(snapshot)) ?? '-';
  const text = fit(`  ${metric.label.padEnd(LABEL)}  ${fit(value, VALUE)}  `, Math.min(width, LABEL + VALUE + 6));
  return text + paint(colourOf(metric, snapshot && metric.part(snapshot)), sparkline(past, width - widthOf(text)));
}

function colourOf({ much }: Metric, part = 0): 'green' | 'yellow' | 'red' {
  if (much === undefined || part < much[0]) return 'green';
  return part < much[1] ? 'yellow' : 'red';
}

/** A line for each GPU, of what fits. */
function compact({ reading, history }: View, columns: number, rows: number, paint: Paint): string[] {
  const shown = reading.gpus.slice(0, reading.gpus.length > rows ? Math.max(rows - 1, 0) : rows);
  const hidden = reading.gpus.length - shown.length;
  const lines = shown.map((gpu, g) => {
    const start = `GPU ${gpu.index}`.padEnd(7);
    if (gpu.error) return paint('red', fit(`${start}${whyNot(gpu)}`, columns));
    let text = start;
    for (const cell of cells(gpu)) {
      if (widthOf(text) + cell.length + MIN_BARS <= columns) text += cell;
    }
    return text + paint('green', sparkline(history.of(g, 0), columns - widthOf(text)));
  });
  return hidden > 0 ? [...lines, paint('dim', fit(`… ${hidden} more`, columns))] : lines;
}

const MIN_BARS = 5;

/** The most important value comes first. */
function cells({ snapshot }: GpuReading): string[] {
  const [load, memory, heat, power, clock] = METRICS.map(({ text }) => (snapshot && text(snapshot)) ?? '-');
  return [
    `${load ?? ''}  `.padStart(7),
    `${heat ?? ''}  `.padStart(8),
    `${power?.split(' / ')[0] ?? ''}${power?.includes('/') === true ? ' W' : ''}  `.padStart(8),
    `${memory ?? ''}  `.padStart(VALUE + 2),
    `${clock ?? ''}  `.padStart(17),
  ];
}
