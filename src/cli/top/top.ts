import { closeSync, openSync, writeSync } from 'node:fs';
import { fileProblem } from '../file-problem.ts';
import { Monitor, type Reading } from './gpu-reading.ts';
import { painter, UsageError, type IO, type Outcome } from '../output.ts';
import { pause, repeat } from './repeat.ts';
import { Screen } from './screen.ts';
import { History } from './history.ts';
import { CSV_HEAD, csvLines, documentOf, plainLines, tables } from './text.ts';
import { draw } from './view.ts';

interface Options {
  readonly once?: boolean;
  readonly json?: boolean;
  readonly csv?: string;
  readonly interval: string;
  readonly count?: string;
  readonly device?: string;
}

/** An output of readings. */
interface Sink {
  readonly add: (reading: Reading) => void;
  readonly resized?: () => void;
  readonly close?: () => void;
}

const [SHORTEST_S, LONGEST_S] = [0.1, 3600];

/** `rawkernel top`: poll the GPUs and show the readings. */
export async function top(_: readonly string[], options: Options, io: IO): Promise<Outcome | undefined> {
  const intervalMs = 1000 * readInterval(options.interval);
  const count = readCount(options);
  if (options.csv === '-' && options.json === true) throw new UsageError('--csv - and --json both want stdout');
  const monitor = new Monitor(options.device);
  if (options.once === true) return once(monitor, intervalMs, options, io);
  await goOn(monitor, { intervalMs, count }, options, io);
  return undefined;
}

/** Exit code 1: a GPU did not answer. */
function once(monitor: Monitor, intervalMs: number, { csv }: Options, io: IO): Outcome | undefined {
  const file = csv === undefined ? undefined : csvSink(csv, io);
  const reading = monitor.read(intervalMs);
  file?.add(reading);
  file?.close?.();
  if (csv === '-') return undefined;
  const { driverVersion, cudaVersion } = monitor;
  return {
    document: { driverVersion, cudaVersion, ...documentOf(reading) },
    text: (paint) => `${paint('dim', versionsOf(monitor))}\n\n${tables(reading, paint)}`,
    code: reading.gpus.some(({ error }) => error !== undefined) ? 1 : 0,
  };
}

async function goOn(
  monitor: Monitor,
  { intervalMs, count }: { readonly intervalMs: number; readonly count: number },
  options: Options,
  io: IO,
): Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const sinks: Sink[] = [];
  const live = options.json !== true && options.csv !== '-' && canDraw(io);
  const resized = (): void => sinks.forEach((sink) => sink.resized?.());
  // Before the first output: its reader may end the command at once.
  const release = io.watch({ stop: () => ending.abort(), ...(live ? { resized } : {}) });
  try {
    if (options.csv !== undefined) sinks.push(csvSink(options.csv, io));
    if (live) sinks.push(screenSink(monitor, intervalMs, io));
    else if (options.json === true) sinks.push(jsonSink(io));
    else if (options.csv !== '-') sinks.push({ add: (reading) => io.stdout.write(plainLines(reading)) });
    const work = (): void => {
      const reading = monitor.read(intervalMs);
      for (const { add } of sinks) add(reading);
    };
    await repeat(work, { intervalMs, count, signal });
    // The last picture stays for its time.
    if (live && !signal.aborted) await pause(intervalMs, signal);
  } finally {
    for (const { close } of sinks) close?.();
    release();
  }
}

function canDraw({ stdout, env }: IO): boolean {
  return stdout.isTTY === true && env['TERM'] !== 'dumb';
}

/** The live view. */
function screenSink(monitor: Monitor, intervalMs: number, { stdout, env }: IO): Sink {
  const paint = painter(stdout, env);
  const history = new History();
  const screen = new Screen(stdout);
  let last: Reading | undefined;
  const show = (): void => {
    if (last === undefined) return;
    const time = new Date(last.timeMs).toTimeString().slice(0, 8);
    const view = { versions: versionsOf(monitor), time, intervalSeconds: intervalMs / 1000, reading: last, history };
    screen.show(draw(view, screen.columns, screen.rows, paint));
  };
  return {
    add: (reading) => {
      last = reading;
      history.add(reading);
      show();
    },
    resized: show,
    close: () => screen.close(),
  };
}

/** A document in a line for each reading. */
function jsonSink({ stdout }: IO): Sink {
  return { add: (reading) => stdout.write(`${JSON.stringify(documentOf(reading))}\n`) };
}

function csvSink(path: string, { stdout }: IO): Sink {
  if (path === '-') {
    stdout.write(CSV_HEAD);
    return { add: (reading) => stdout.write(csvLines(reading)) };
  }
  const file = opened(path);
  // At once: what is written stays, however the process ends.
  const write = (text: string): void => {
    try {
      writeSync(file, text);
    } catch (error) {
      throw new Error(`--csv ${path}: ${fileProblem(error)}`, { cause: error });
    }
  };
  write(CSV_HEAD);
  return { add: (reading) => write(csvLines(reading)), close: () => closeSync(file) };
}

function opened(path: string): number {
  try {
    return openSync(path, 'w');
  } catch (error) {
    throw new UsageError(`--csv ${path}: ${fileProblem(error)}`, { cause: error });
  }
}

function versionsOf({ driverVersion, cudaVersion }: Monitor): string {
  return `driver ${driverVersion}, CUDA ${cudaVersion}`;
}

function readInterval(text: string): number {
  const seconds = /^[\d.]+$/.test(text) ? Number(text) : NaN;
  if (seconds >= SHORTEST_S && seconds <= LONGEST_S) return seconds;
  throw new UsageError(`--interval ${text}: write seconds, ${SHORTEST_S} to ${LONGEST_S}`);
}

function readCount({ count, once: only }: Options): number {
  if (count === undefined) return Infinity;
  if (only === true) throw new UsageError('--once is --count 1: one of them is enough');
  if (/^\d+$/.test(count) && Number(count) > 0) return Number(count);
  throw new UsageError(`--count ${count}: write a whole number of at least 1`);
}
