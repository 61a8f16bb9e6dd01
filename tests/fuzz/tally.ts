import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DeviceName, type HalfName } from './halves.ts';
import { type End } from './launch.ts';
import { showCall, type Call } from './spec.ts';

/** What was found, as it is written down. */
export interface Finding {
  readonly half: HalfName;
  readonly device: DeviceName;
  /** The same for faults at one place. */
  readonly kind: string;
  readonly title: string;
  /** The calls of its sequence, and of those before. */
  readonly calls: readonly Call[];
}

/** Sequences that are written down with a fault: an object of one may be collected in the next. */
const KEPT = 9;

/** Counts what children's logs tell, and keeps the first of each kind of fault. */
export class Tally {
  calls = 0;
  returned = 0;
  ours = 0;
  mine = 0;
  pending = 0;
  foreign = 0;
  deaths = 0;
  hangs = 0;
  uncaught = 0;
  overruns = 0;
  readonly #half: HalfName;
  readonly #device: DeviceName;
  readonly #out: string;
  readonly #targets = new Set<string>();
  readonly #reached = new Set<string>();
  readonly #times = new Map<string, number>();
  readonly #findings = new Map<string, { readonly title: string; count: number }>();
  readonly #start = Date.now();

  readonly #internals: boolean;

  constructor(half: HalfName, device: DeviceName, out: string, internals: boolean) {
    this.#internals = internals;
    this.#half = half;
    this.#device = device;
    this.#out = out;
  }

  /** Whatever may not be. */
  get faults(): number {
    return (this.#internals ? 0 : this.foreign) + this.deaths + this.hangs + this.uncaught + this.overruns;
  }

  /** Read a child's log; the number of its last sequence. */
  read(log: string, end: End): number {
    let calls: Call[] = [];
    let last = 0;
    let ended = false;
    for (const line of readFileSync(log, 'utf8').split('\n')) {
      const rest = line.slice(2);
      switch (line[0]) {
        case 'S':
          last = Number(rest);
          calls = calls.filter(({ sequence }) => sequence > last - KEPT);
          break;
        case 'T':
          this.#targets.add(rest);
          break;
        case 'C': {
          const call = parse(rest);
          if (!call) break;
          calls.push(call);
          this.calls++;
          this.#reached.add(`${call.op} ${call.name}`);
          break;
        }
        case 'R':
          this.#outcome(rest, calls);
          break;
        case 'A':
          this.#outcome(rest.replace(/^\d+ /, ''), calls);
          break;
        case 'U':
        case 'W':
          this.uncaught++;
          this.#find(`${line[0] === 'U' ? 'uncaught' : 'warning'} ${short(rest)}`, calls);
          break;
        case 'G':
          this.overruns++;
          this.#find('an array was overrun', calls);
          break;
        case 'P':
          this.#find(`no ground ${rest}`, []);
          break;
        case 'M': {
          const [ms = '', name = ''] = rest.split(' ');
          this.#times.set(name, (this.#times.get(name) ?? 0) + Number(ms));
          break;
        }
        case 'E':
          ended = true;
          break;
        default:
          break;
      }
    }
    if (end.failed) {
      if (end.hung) this.hangs++;
      else this.deaths++;
      const where = ended ? 'at its end' : `in ${calls.at(-1)?.name ?? 'its start'}`;
      this.#find(`${end.how} ${where}`, calls, end.stderr);
    }
    return last;
  }

  #outcome(text: string, calls: readonly Call[]): void {
    switch (text[0]) {
      case 'r':
        this.returned++;
        break;
      case 'o':
        this.ours++;
        break;
      case 'm':
        this.mine++;
        break;
      case 'p':
        this.pending++;
        break;
      default:
        this.foreign++;
        this.#find(`foreign ${calls.at(-1)?.name ?? ''}: ${short(text.slice(2))}`, calls);
    }
  }

  #find(title: string, calls: readonly Call[], stderr = ''): void {
    const kind = kindOf(title);
    const known = this.#findings.get(kind);
    if (known) {
      known.count++;
      return;
    }
    const index = this.#findings.size;
    this.#findings.set(kind, { title, count: 1 });
    mkdirSync(this.#out, { recursive: true });
    const name = join(this.#out, `${this.#half}-${this.#device}-${index}`);
    const finding: Finding = { half: this.#half, device: this.#device, kind, title, calls };
    writeFileSync(`${name}.json`, JSON.stringify(finding));
    const own = calls.filter(({ sequence }) => sequence === calls.at(-1)?.sequence);
    writeFileSync(`${name}.txt`, `${title}\n${own.map(showCall).join('\n')}\n${stderr}\n`);
  }

  /** Whether a fault of that kind came. */
  found(kind: string): boolean {
    return this.#findings.has(kind);
  }

  /** What the whole of a run came to, a row for each half and device. */
  static table(tallies: readonly Tally[]): string {
    const head = [
      '',
      'calls',
      'methods reached',
      'returned',
      'threw ours',
      'threw foreign',
      'uncaught',
      'overruns',
      'deaths',
      'hangs',
    ];
    const rows = tallies.map((tally) =>
      [
        `${tally.#half}, ${tally.#device}`,
        ...[
          tally.calls,
          `${tally.#reached.size}/${tally.#targets.size}`,
          tally.returned + tally.pending,
          tally.ours + tally.mine,
        ],
        ...[tally.foreign, tally.uncaught, tally.overruns, tally.deaths, tally.hangs],
      ].map(String),
    );
    const widths = head.map((title, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? title.length)));
    return [head, ...rows].map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')).join('\n');
  }

  report(): string {
    const seconds = (Date.now() - this.#start) / 1000;
    const row = {
      calls: this.calls,
      'calls/s': Math.round(this.calls / seconds),
      'methods reached': `${this.#reached.size} of ${this.#targets.size}`,
      returned: this.returned,
      promised: this.pending,
      'threw ours': this.ours,
      'threw the fuzzer’s': this.mine,
      'threw foreign': this.foreign,
      uncaught: this.uncaught,
      overruns: this.overruns,
      deaths: this.deaths,
      hangs: this.hangs,
    };
    const lines = Object.entries(row).map(([name, value]) => `  ${name.padEnd(20)}${value}`);
    const findings = [...this.#findings.values()].map(
      ({ title, count }, index) => `  #${index} ${count}× ${title.split('\n').join('\n     ')}`,
    );
    const slow = [...this.#times].sort(([, a], [, b]) => b - a).slice(0, 6);
    lines.push(`  most time           ${slow.map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)} s`).join(', ')}`);
    const missed = [...this.#targets].filter((name) => !this.#reached.has(name));
    const rest = missed.length > 0 ? [`  not reached: ${missed.slice(0, 40).join(', ')}`] : [];
    return [`${this.#half} on ${this.#device}, ${seconds.toFixed(0)} s`, ...lines, ...findings, ...rest].join('\n');
  }
}

/** The same for faults at one place, whatever values were in the call. */
function kindOf(title: string): string {
  const place = /\n at .*?dist\/(?!chunks\/ffi)[^<]*/.exec(title)?.[0];
  return place === undefined ? title.replaceAll(/\d+/g, '') : `${title.split(' ', 1)[0] ?? ''}${place}`;
}

function parse(text: string): Call | undefined {
  try {
    return JSON.parse(text) as Call;
  } catch {
    return undefined;
  }
}

function short(text: string): string {
  try {
    const { name, message, origin } = JSON.parse(text) as Record<'name' | 'message' | 'origin', string | undefined>;
    return `${name ?? ''}: ${message ?? ''}\n at ${origin ?? ''}`;
  } catch {
    return text;
  }
}
