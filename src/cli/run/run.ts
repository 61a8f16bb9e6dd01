import { resolve } from 'node:path';
import { readArgument, type Given } from './argument.ts';
import { fileOf } from './array-source.ts';
import { settleDevice } from '../choose-device.ts';
import { Closing } from '../closing.ts';
import { quantile } from '../quantile.ts';
import { numbersOf } from './element-type.ts';
import { readCount, readSizes, type Launched, type LaunchPlan } from './launch-plan.ts';
import { writeNpy, type ShapedArray } from './npy.ts';
import { checkOutputFile, writeOutputFile } from '../output-file.ts';
import { UsageError, type IO, type Outcome, type Paint } from '../output.ts';
import { drawReports } from '../report-file.ts';
import { readSource, type SourceFlags } from '../source-file.ts';

/** The options of `rawkernel run`. */
interface RunOptions extends SourceFlags {
  readonly grid?: string;
  readonly block?: string;
  readonly shared?: string;
  readonly global?: string;
  readonly local?: string;
  readonly arg?: readonly string[];
  readonly out?: readonly string[];
  readonly save?: readonly string[];
  readonly limit: string;
  readonly check?: boolean;
  readonly checkSvg?: string;
  readonly time?: boolean;
  readonly repeat?: string;
  readonly device?: string;
}

/** An array after the launch. */
interface Result extends ShapedArray {
  readonly label: string;
}

/** A `--save`. */
interface Save {
  readonly which: string;
  readonly file: string;
}

interface Times {
  readonly launches: number;
  readonly medianMs: number;
  readonly minMs: number;
  readonly maxMs: number;
}

/** `rawkernel run`: one launch of one kernel. */
export async function runKernel(args: readonly string[], given: RunOptions, io: IO): Promise<Outcome> {
  const { checkSvg } = given;
  if (checkSvg === undefined) return launchOnce(args, given, io);
  const option = `--check-svg ${checkSvg}`;
  checkOutputFile(checkSvg, option, args.slice(0, 1));
  try {
    return await launchOnce(args, { ...given, check: true }, io);
  } catch (error) {
    drawReports(error, checkSvg, option);
    throw error;
  }
}

async function launchOnce(args: readonly string[], options: RunOptions, io: IO): Promise<Outcome> {
  const [path = '', kernel = '', ...rest] = args;
  const source = readSource(path, options);
  checkSizes(source.language, options);
  const limit = readCount(options.limit, '--limit', 0);
  const given = (options.arg ?? []).map(readArgument);
  const saves = readSaves(options.save, [path, ...given.flatMap(({ text }) => fileOf(text) ?? [])]);
  const plan: LaunchPlan = {
    source,
    kernel,
    flags: options,
    rest,
    given,
    // The checked mode is the embedded device's.
    device: options.check === true ? 'cpu' : options.device,
    check: options.check === true,
    repeat: readRepeat(options),
    grid: readSizes(options.grid, '--grid'),
    block: readSizes(options.block, '--block'),
    shared: options.shared === undefined ? 0 : readCount(options.shared, '--shared', 0),
    global: readSizes(options.global, '--global'),
    local: readSizes(options.local, '--local'),
    io,
  };
  if (plan.device === 'cpu') settleDevice('cpu');
  const launched = await launchOn(plan);
  const outs = (options.out ?? []).map((which) => resultOf(which, plan.given, launched, '--out'));
  for (const one of saves) save(one, resultOf(one.which, plan.given, launched, '--save'));
  const times = timesOf(launched.times);
  const document = {
    device: launched.device,
    kernel: launched.signature,
    outputs: outs.map(({ label, kind, array, shape }) => {
      return { argument: label, type: kind.name, shape, data: numbersOf(kind, array) };
    }),
    saved: saves.map(({ file }) => file),
    ...(plan.check ? { reports: [] } : {}),
    ...(times ? { times } : {}),
  };
  const text = (paint: Paint): string => {
    const parts = [`${paint('bold', launched.signature)} ${paint('dim', `on ${launched.device}`)}`];
    if (plan.check) parts.push(paint('green', 'checked: nothing was found'));
    parts.push(...outs.map((out) => showArray(out, limit, paint)));
    parts.push(...saves.map(({ which, file }) => `${which} is in ${file}`));
    if (times) parts.push(showTimes(times));
    return parts.join('\n');
  };
  return { document, text };
}

function readRepeat({ time, repeat }: RunOptions): number {
  if (time === true) return readCount(repeat ?? '10', '--repeat', 1);
  if (repeat === undefined) return 0;
  throw new UsageError(`--repeat ${repeat}: it counts the launches that --time measures: add --time`);
}

async function launchOn(plan: LaunchPlan): Promise<Launched> {
  const closing = new Closing();
  try {
    if (plan.source.language === 'cuda') return await (await import('./launch-cuda.ts')).launchCuda(plan, closing);
    return await (await import('./launch-opencl.ts')).launchOpenCL(plan, closing);
  } finally {
    closing.close();
  }
}

function checkSizes(language: 'cuda' | 'opencl', options: RunOptions): void {
  const isCuda = language === 'cuda';
  const wrong = isCuda ? (['global', 'local'] as const) : (['grid', 'block', 'shared'] as const);
  const first = wrong.find((name) => options[name] !== undefined);
  const instead = isCuda ? 'CUDA has --grid and --block' : 'OpenCL has --global and --local, and --arg local:BYTES';
  if (first !== undefined) throw new UsageError(`--${first}: ${instead}`);
  if (isCuda && options.block === undefined) throw new UsageError('A launch needs --block, the threads of a block');
  if (!isCuda && options.global === undefined) throw new UsageError('A launch needs --global, the work-items');
  if (options.check === true && options.device !== undefined && options.device !== 'cpu') {
    throw new UsageError('--check is for the embedded CPU device: leave --device out');
  }
}

function readSaves(texts: readonly string[] = [], inputs: readonly string[]): readonly Save[] {
  const taken = new Set<string>();
  return texts.map((text) => {
    const [, which, file] = /^(\w+)=(.+)$/.exec(text) ?? [];
    if (which === undefined || file === undefined) throw new UsageError(`--save ${text}: write 0=result.npy`);
    checkOutputFile(file, `--save ${text}`, inputs);
    if (taken.has(resolve(file))) throw new UsageError(`--save ${text}: another --save writes this file`);
    taken.add(resolve(file));
    return { which, file };
  });
}

/** The array of an argument, by its index or by its parameter's name. */
function resultOf(which: string, given: readonly Given[], launched: Launched, option: string): Result {
  const { parameters, arrays } = launched;
  const index = /^\d+$/.test(which) ? Number(which) : (parameters?.findIndex(({ name }) => name === which) ?? -1);
  const one = given[index];
  const array = arrays[index];
  if (one?.kind !== 'array' || !array) {
    const there = given.flatMap(({ kind }, i) => (kind === 'array' ? [parameters?.[i]?.name ?? String(i)] : []));
    const list = there.length === 0 ? 'there is no array' : `arrays are ${there.join(', ')}`;
    throw new UsageError(`${option} ${which}: no such array among the arguments; ${list}`);
  }
  return { ...one.array, array, label: parameters?.[index]?.name ?? which };
}

function save({ which, file }: Save, result: Result): void {
  const { array } = result;
  const elements = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  writeOutputFile(file, file.endsWith('.npy') ? writeNpy(result) : elements, `--save ${which}=${file}`);
}

function timesOf(times: readonly number[]): Times | undefined {
  if (times.length === 0) return undefined;
  const at = (share: number): number => quantile(times, share);
  return { launches: times.length, medianMs: at(0.5), minMs: at(0), maxMs: at(1) };
}

function showTimes({ launches, medianMs, minMs, maxMs }: Times): string {
  const ms = (value: number): string => `${value < 0.1 ? value.toFixed(5) : value.toFixed(3)} ms`;
  return `time  median ${ms(medianMs)}, min ${ms(minMs)}, max ${ms(maxMs)} of ${launches}`;
}

const DIGITS: Readonly<Record<string, number>> = { f32: 7, f16: 4, bf16: 3 };
const PER_LINE = 8;

function showArray({ label, kind, array, shape }: Result, limit: number, paint: Paint): string {
  const count = limit === 0 ? array.length : Math.min(limit, array.length);
  const digits = DIGITS[kind.name];
  const numbers = numbersOf(kind, array.subarray(0, count)).map((value) =>
    digits === undefined || typeof value === 'bigint' ? String(value) : String(Number(value.toPrecision(digits))),
  );
  const width = Math.max(...numbers.map((text) => text.length));
  const lines: string[] = [];
  for (let at = 0; at < numbers.length; at += PER_LINE) {
    const cells = numbers.slice(at, at + PER_LINE).map((text) => text.padStart(width));
    lines.push(`  ${cells.join(' ')}`);
  }
  const rest = array.length - count;
  if (rest > 0) lines.push(paint('dim', `  ... ${rest} more (--limit 0: all)`));
  return [`${paint('cyan', label)}  ${kind.name}[${shape.join('x')}]`, ...lines].join('\n');
}
