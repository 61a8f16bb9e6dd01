import type { ReportAccess, ReportIndex, ReportKind, ReportOther, ReportPlace } from './report-parts.ts';

/** What a drawing shows of a report. */
export interface Drawable {
  readonly kind: ReportKind;
  readonly summary: string;
  readonly kernel: string;
  readonly thread: ReportIndex | undefined;
  readonly block: ReportIndex | undefined;
  readonly blockSize: ReportIndex | undefined;
  readonly variable: string | undefined;
  readonly access: ReportAccess | undefined;
  readonly place: ReportPlace | undefined;
  readonly others: readonly ReportOther[];
  readonly notes: readonly string[];
  readonly cure: string | undefined;
}

/** A thread or block at a line: what it does, or that it waits. */
interface Lane {
  readonly who: string;
  readonly does: string;
  readonly line: string;
  readonly mark: 'first' | 'second';
}

const WIDTH = 760;
const GAP = 18;
const LINE = 18;
/** Letters of a line of text. */
const MAX_LETTERS = 100;
/** Threads of a row are those of a warp. */
const ROW_THREADS = 32;
const MAX_ROWS = 8;
const CELL = 20;
const LEFT = 64;
const BOX = { width: 300, height: 44 } as const;
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #24292f; }
  .title { font-weight: 600; }
  .code { font-family: ui-monospace, monospace; }
  .thread { fill: #f6f8fa; stroke: #afb8c1; } .box { fill: none; stroke: #57606a; }
  .first { fill: #cf222e; stroke: #cf222e; } .second { fill: #0969da; stroke: #0969da; }
  .edge { fill: none; } .missing { stroke: #bf8700; stroke-width: 2; stroke-dasharray: 6 4; } .cure { fill: #1a7f37; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .thread { fill: #21262d; stroke: #484f58; } .box { stroke: #8b949e; }
    .first { fill: #f85149; stroke: #f85149; } .second { fill: #58a6ff; stroke: #58a6ff; }
    .edge { fill: none; } .missing { stroke: #d29922; } .cure { fill: #3fb950; }
  }`;
interface Words {
  readonly thread: string;
  readonly block: string;
}
const CUDA: Words = { thread: 'thread', block: 'block' };
const OPENCL: Words = { thread: 'work-item', block: 'work-group' };
const VERBS = { read: 'reads', write: 'writes', atomic: 'updates' } as const;

/** A report as a picture: the block and its threads, the accesses or the waiting threads, and what is missing between. */
export function drawReport(report: Drawable): string {
  const drawing = new Drawing();
  for (const text of wrap(report.summary)) drawing.text(text, 'title');
  drawing.space();
  const words = /\bwork-(?:item|group)\b/.test(report.summary) ? OPENCL : CUDA;
  block(drawing, words, report);
  lanes(drawing, lanesOf(report, words), missingOf(report));
  if (report.variable !== undefined && report.access !== undefined) memory(drawing, report);
  for (const note of report.notes) for (const text of wrap(note)) drawing.text(text, '');
  if (report.cure !== undefined) drawing.text(`cure: ${report.cure}`, 'cure');
  return drawing.end(report.summary);
}

class Drawing {
  readonly #parts: string[] = [];
  y = GAP;

  add(part: string): void {
    this.#parts.push(part);
  }

  text(text: string, kind: string): void {
    this.y += LINE;
    this.add(label(GAP, this.y, text, kind));
  }

  space(): void {
    this.y += GAP;
  }

  end(title: string): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${this.y + GAP}" role="img" aria-label="${escape(title)}">
<style>${STYLE}
</style>
${this.#parts.join('\n')}
</svg>
`;
  }
}

/** The threads of the block, a warp a row; of a large block the rows in which something happens. */
function block(drawing: Drawing, words: Words, { blockSize, block: index, thread, others }: Drawable): void {
  if (!blockSize) return;
  const [x, y, z] = blockSize;
  const count = x * y * z;
  const linear = ([i, j, k]: ReportIndex): number => i + x * (j + y * k);
  const first = thread && linear(thread);
  // Threads of another block are not in this picture.
  const same = others.filter((other) => other.block === undefined || String(other.block) === String(index));
  const second = same.flatMap((other) => (other.thread ? [linear(other.thread)] : []));
  const rows = Array.from({ length: Math.ceil(count / ROW_THREADS) }, (_, row) => row);
  const rowOf = (at: number): number => Math.floor(at / ROW_THREADS);
  const marked = [...(first === undefined ? [] : [first]), ...second].map(rowOf);
  const shown =
    rows.length <= MAX_ROWS ? rows : rows.filter((row) => marked.includes(row) || row === 0).slice(0, MAX_ROWS);
  const name = index ? ` (${index.join(', ')})` : '';
  drawing.text(`${words.block}${name}: ${count} ${words.thread}${count === 1 ? '' : 's'}`, '');
  drawing.y += LINE / 2;
  for (const row of shown) {
    drawing.add(label(LEFT - 8, drawing.y + 14, String(row * ROW_THREADS), '', 'end'));
    for (let i = 0; i < ROW_THREADS && row * ROW_THREADS + i < count; i++) {
      const at = row * ROW_THREADS + i;
      const kind = at === first ? 'first' : second.includes(at) ? 'second' : 'thread';
      drawing.add(
        `<rect class="${kind}" x="${LEFT + i * CELL}" y="${drawing.y}" width="${CELL - 4}" height="${CELL - 4}" rx="2"/>`,
      );
    }
    drawing.y += CELL;
  }
  if (shown.length < rows.length) drawing.text(`… ${rows.length - shown.length} more rows`, '');
  drawing.space();
}

function lanesOf(report: Drawable, words: Words): readonly Lane[] {
  const { kind, thread, block: index, access, variable, place, others } = report;
  const threadAt = (at: ReportIndex): string => `${words.thread} (${at.join(', ')})`;
  const blockAt = (at: ReportIndex | undefined): string => `${words.block} (${at?.join(', ') ?? '?'})`;
  const at = (one: ReportPlace | undefined): string => (one && one.line > 0 ? `line ${one.line}` : '');
  const who = thread ? threadAt(thread) : index ? blockAt(index) : '';
  const waits = kind === 'divergent-barrier' || kind === 'warp-deadlock';
  const what = access === undefined ? kind.replaceAll('-', ' ') : `${VERBS[access]} ${variable ?? 'memory'}`;
  const own: Lane[] = waits ? [] : [{ who, does: what, line: at(place), mark: 'first' }];
  const rest = others.map((other, i): Lane => {
    const mark = waits && i === 0 ? 'first' : 'second';
    if (other.access === undefined) return { who: other.what, does: '', line: at(other.place), mark };
    const name = other.thread ? threadAt(other.thread) : blockAt(other.block);
    return { who: name, does: `${VERBS[other.access]} ${variable ?? 'the same'}`, line: at(other.place), mark };
  });
  return [...own, ...rest];
}

/** What is missing between two accesses, or to waiting threads. */
function missingOf({ kind, cure }: Drawable): string | undefined {
  switch (kind) {
    case 'shared-race':
    case 'global-race':
      return / between the two$|\(\)$/.test(cure ?? '')
        ? `${cure?.replace(/ between the two$/, '') ?? ''} is missing here`
        : 'nothing orders the two';
    case 'divergent-barrier':
    case 'warp-deadlock':
      return 'they never meet';
    default:
      return undefined;
  }
}

/** Each on a line of its own, with what is missing between the first two. */
function lanes(drawing: Drawing, list: readonly Lane[], missing: string | undefined): void {
  list.forEach(({ who, does, line, mark }, i) => {
    const { y } = drawing;
    drawing.add(`<rect class="${mark}" x="${GAP}" y="${y}" width="6" height="${BOX.height}"/>`);
    drawing.add(label(GAP + 16, y + 18, who, 'title'));
    drawing.add(label(GAP + 16, y + 36, [does, line].filter((text) => text !== '').join(', '), 'code'));
    drawing.y += BOX.height + 8;
    if (i === 0 && missing !== undefined && list.length > 1) {
      drawing.add(
        `<line class="missing" x1="${GAP}" x2="${WIDTH - 2 * GAP - BOX.width}" y1="${drawing.y}" y2="${drawing.y}"/>`,
      );
      drawing.text(missing, '');
      drawing.y += 8;
    }
  });
}

/** The element that is accessed. */
function memory(drawing: Drawing, { variable = '', others, kind }: Drawable): void {
  const x = WIDTH - GAP - BOX.width;
  const bottom = drawing.y - BOX.height - 8;
  const both = others.some(({ access }) => access !== undefined);
  const top = both ? bottom - BOX.height - 34 : bottom;
  const middle = (top + bottom + BOX.height) / 2;
  drawing.add(`<rect class="box" x="${x}" y="${middle - 16}" width="${BOX.width}" height="32" rx="3"/>`);
  drawing.add(label(x + BOX.width / 2, middle + 5, fit(variable), 'code', 'middle'));
  const edge = (from: number, mark: string): void => {
    drawing.add(
      `<path class="${mark} edge" d="M ${x - 120} ${from} C ${x - 50} ${from}, ${x - 60} ${middle}, ${x} ${middle}"/>`,
    );
  };
  edge(top + BOX.height / 2, 'first');
  if (both) edge(bottom + BOX.height / 2, 'second');
  if (kind === 'out-of-bounds') drawing.add(label(x + BOX.width / 2, middle - 22, 'not there', '', 'middle'));
}

function fit(text: string): string {
  return text.length > 36 ? `${text.slice(0, 35)}…` : text;
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < MAX_LETTERS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function label(x: number, y: number, text: string, kind: string, anchor = 'start'): string {
  const names = kind === '' ? '' : ` class="${kind}"`;
  return `<text${names} x="${x}" y="${y}"${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${escape(text)}</text>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
