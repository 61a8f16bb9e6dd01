import * as nvml from '../../nvml/index.ts';
import { jobOf, type JobPlace } from './job-of.ts';
import { firstLineOf, messageOf, UsageError } from '../output.ts';

/** A process on a GPU, with what it made of it. */
export interface ProcessReading extends nvml.GpuProcess {
  /** Undefined without a recent sample of the driver. */
  readonly smPercent: number | undefined;
  readonly memoryPercent: number | undefined;
  /** Of a process that is a rank of a job. */
  readonly job?: JobPlace | undefined;
}

/** A reading of a GPU, or the reason why it failed. */
export interface GpuReading {
  readonly index: number;
  readonly name: string;
  readonly uuid: string | undefined;
  readonly snapshot: nvml.DeviceSnapshot | undefined;
  readonly processes: readonly ProcessReading[];
  readonly error: { readonly name: string; readonly code: string | undefined; readonly message: string } | undefined;
}

/** All GPUs at one time. */
export interface Reading {
  readonly timeMs: number;
  readonly gpus: readonly GpuReading[];
}

/** The driver takes its samples of processes some times a second. */
const MIN_WINDOW_MS = 2000;

/** Polls GPUs. A GPU that stops answering does not stop the others. */
export class Monitor {
  readonly driverVersion: string;
  readonly cudaVersion: string;
  readonly #gpus: readonly Gpu[];

  /**
   * @param choice - indices, UUIDs or PCI bus ids with commas between; all GPUs by default
   * @throws UsageError there is no such GPU
   */
  constructor(choice: string | undefined) {
    this.driverVersion = nvml.driverVersion();
    this.cudaVersion = nvml.cudaDriverVersion().join('.');
    const count = nvml.Device.count();
    if (count === 0) throw new Error('NVML knows of no GPU here');
    this.#gpus = choice === undefined ? everyGpu(count) : chosenGpus(choice);
    if (this.#gpus.length === 0) throw new Error('This user may ask none of the GPUs here');
  }

  /** Ask all of them. Blocks for some milliseconds each. */
  read(intervalMs: number): Reading {
    const timeMs = Date.now();
    const sinceUs = (timeMs - Math.max(intervalMs, MIN_WINDOW_MS)) * 1000;
    return { timeMs, gpus: this.#gpus.map((gpu) => gpu.read(sinceUs)) };
  }
}

class Gpu {
  readonly #which: number | string;
  #device: nvml.Device | undefined;
  // Its name from the last successful reading.
  #index: number;
  #name = 'unknown';
  #uuid: string | undefined;

  constructor(which: number | string, index: number, device: nvml.Device | undefined) {
    this.#which = which;
    this.#index = index;
    this.#device = device;
  }

  read(sinceUs: number): GpuReading {
    try {
      this.#device ??= new nvml.Device(this.#which);
      const snapshot = this.#device.snapshot();
      this.#index = snapshot.index ?? this.#index;
      this.#name = snapshot.name ?? this.#name;
      this.#uuid = snapshot.uuid ?? this.#uuid;
      const processes = withLoad(snapshot.processes ?? [], this.#device, sinceUs);
      return { ...this.#identity, snapshot, processes, error: undefined };
    } catch (cause) {
      const { name, code } = cause as { readonly name: string; readonly code?: string };
      return {
        ...this.#identity,
        snapshot: undefined,
        processes: [],
        error: { name, code, message: firstLineOf(cause) },
      };
    }
  }

  get #identity(): Pick<GpuReading, 'index' | 'name' | 'uuid'> {
    return { index: this.#index, name: this.#name, uuid: this.#uuid };
  }
}

function everyGpu(count: number): Gpu[] {
  return Array.from({ length: count }, (_, i) => {
    try {
      const device = nvml.optional(() => new nvml.Device(i));
      return device === undefined ? undefined : new Gpu(i, i, device);
    } catch {
      // Lost from the beginning: it is shown so, and asked again.
      return new Gpu(i, i, undefined);
    }
  }).filter((gpu) => gpu !== undefined);
}

function chosenGpus(choice: string): Gpu[] {
  return choice.split(',').map((word, i) => {
    const which = /^\d+$/.test(word.trim()) ? Number(word) : word.trim();
    try {
      return new Gpu(which, typeof which === 'number' ? which : i, new nvml.Device(which));
    } catch (error) {
      throw new UsageError(`--device ${word}: ${messageOf(error)}`, { cause: error });
    }
  });
}

/** The processes that take most memory come first. */
function withLoad(processes: readonly nvml.GpuProcess[], device: nvml.Device, sinceUs: number): ProcessReading[] {
  const samples = new Map(processes.length === 0 ? [] : samplesOf(device, sinceUs).map((each) => [each.pid, each]));
  return processes
    .map((process) => {
      const sample = samples.get(process.pid);
      return {
        ...process,
        smPercent: sample?.smPercent,
        memoryPercent: sample?.memoryPercent,
        job: jobOf(process.pid),
      };
    })
    .sort((a, b) => (b.usedBytes ?? 0) - (a.usedBytes ?? 0) || a.pid - b.pid);
}

function samplesOf(device: nvml.Device, sinceUs: number): nvml.ProcessUtilization[] {
  try {
    return device.processUtilization(sinceUs);
  } catch {
    // Not on every device, nor for every user. The next reading shows whether the device is lost.
    return [];
  }
}
