import * as cuda from '../../cuda/index.ts';
import { benchCuda } from './bench-cuda.ts';
import { benchOpenCL } from './bench-opencl.ts';
import { placedDevices } from '../facts/opencl-facts.ts';
import { firstLineOf, messageOf, UsageError, type IO, type Outcome, type Paint } from '../output.ts';
import { embeddedCompiler } from '../facts/package-facts.ts';
import { blocking } from '../progress.ts';
import { table } from '../table.ts';
import { readWhat } from '../target.ts';
import { MEASUREMENTS, type Measured } from './measured.ts';

interface Job {
  readonly id: string;
  readonly name: string;
  readonly measure: (seconds: number) => Measured;
}

interface Line {
  readonly id: string;
  readonly name: string;
  readonly measured?: Measured;
  readonly error?: string;
}

const LONGEST_S = 3600;

/** `rawkernel bench`: what copies and launches cost here. */
export async function bench(args: readonly string[], options: { readonly seconds: string }, io: IO): Promise<Outcome> {
  const what = readWhat(args);
  const seconds = Number(options.seconds);
  if (!(seconds > 0 && seconds <= LONGEST_S)) {
    throw new UsageError(`--seconds ${options.seconds}: write a number above 0, ${LONGEST_S} at most`);
  }
  const missing: string[] = [];
  const jobs: Job[] = [];
  if (what.cuda) jobs.push(...listed(missing, cudaJobs));
  if (what.opencl) jobs.push(...listed(missing, openclJobs));
  // Compiling and warming up take their part.
  const share = (seconds * 0.7) / Math.max(1, jobs.length) / MEASUREMENTS;
  const lines: Line[] = [];
  for (const { id, name, measure } of jobs) {
    // Room for what waits to be printed.
    await new Promise(setImmediate);
    try {
      lines.push({ id, name, measured: blocking(io, `measuring ${id}`, () => measure(share)) });
    } catch (error) {
      lines.push({ id, name, error: messageOf(error) });
    }
  }
  const failed = lines.length === 0 || lines.some(({ error }) => error !== undefined);
  const document = { units: { copies: 'GB/s', launches: 'us' }, devices: lines, missing };
  return { document, text: (paint) => show(lines, missing, paint), code: failed ? 1 : 0 };
}

function listed(missing: string[], list: () => Job[]): Job[] {
  try {
    return list();
  } catch (error) {
    missing.push(firstLineOf(error));
    return [];
  }
}

function cudaJobs(): Job[] {
  return Array.from({ length: cuda.Device.count() }, (_, i) => new cuda.Device(i))
    .filter((device) => !device.isEmbedded || embeddedCompiler().installed)
    .map((device) => ({
      id: `cuda:${device.ordinal}`,
      name: device.name,
      measure: (seconds) => benchCuda(device, seconds),
    }));
}

function openclJobs(): Job[] {
  return placedDevices()
    .filter(({ device }) => device.compilerAvailable)
    .map(({ id, device }) => ({ id, name: device.name, measure: (seconds) => benchOpenCL(device, seconds) }));
}

function show(lines: readonly Line[], missing: readonly string[], paint: Paint): string {
  const rate = (value: number): string => value.toFixed(1);
  const rows = lines.flatMap(({ id, name, measured: m }) => {
    if (!m) return [];
    const copies = [
      m.hostToDevice,
      m.hostToDevicePinned,
      m.deviceToHost,
      m.deviceToHostPinned,
      m.deviceToDevice,
      m.launchUs,
      m.launchAndWaitUs,
    ].map(rate);
    return [[id, ...copies, name]];
  });
  const head = ['device', 'to device', 'pinned', 'to host', 'pinned', 'on device', 'launch us', 'and wait us', 'name'];
  const parts = rows.length === 0 ? [] : [paint('dim', 'copies in GB/s, launches in microseconds'), table(head, rows)];
  for (const { id, error } of lines) if (error !== undefined) parts.push(`${paint('red', id)}  ${error}`);
  parts.push(...missing.map((text) => paint('yellow', text)));
  return parts.length === 0 ? paint('yellow', 'There is no device to measure') : parts.join('\n');
}
