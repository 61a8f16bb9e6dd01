import { csvRow } from './csv.ts';
import { clean } from '../fit.ts';
import type { GpuReading, Reading } from './gpu-reading.ts';
import type { Paint } from '../output.ts';
import { counted, table } from '../table.ts';
import { METRICS } from './metrics.ts';
import { PROCESS_HEAD, processRows } from './processes.ts';
import { whyNot } from './view.ts';

/** A line for each GPU, for files and pipes. */
export function plainLines({ timeMs, gpus }: Reading): string {
  const time = new Date(timeMs).toISOString();
  return gpus.map((gpu) => `${time}  GPU ${gpu.index}  ${plain(gpu)}  ${gpu.name}\n`).join('');
}

function plain(gpu: GpuReading): string {
  const { snapshot } = gpu;
  if (snapshot === undefined) return whyNot(gpu);
  const processes = counted(gpu.processes.length, 'process', 'processes');
  return [...METRICS.map(({ text }) => text(snapshot) ?? '-'), processes].join('  ');
}

/** One reading as tables. */
export function tables({ gpus }: Reading, paint: Paint): string {
  const head = ['GPU', 'name', ...METRICS.map(({ label }) => label)];
  const rows = gpus
    .filter(({ snapshot }) => snapshot !== undefined)
    .map(({ index, name, snapshot }) => [
      String(index),
      name,
      ...METRICS.map(({ text }) => (snapshot && text(snapshot)) ?? '-'),
    ]);
  const lost = gpus
    .filter(({ error }) => error !== undefined)
    .map(({ index, name, error }) => `GPU ${index}  ${name}: ${paint('red', error?.message ?? '')}`);
  const processes = processRows(gpus).map((row) => row.map(clean));
  return [
    ...(rows.length > 0 ? [table(head, rows)] : []),
    ...(lost.length > 0 ? [lost.join('\n')] : []),
    ...(processes.length > 0 ? [table(PROCESS_HEAD, processes)] : []),
  ].join('\n\n');
}

const CSV: Readonly<Record<string, (gpu: GpuReading) => string | number | boolean | undefined>> = {
  index: ({ index }) => index,
  uuid: ({ uuid }) => uuid,
  name: ({ name }) => name,
  gpu_percent: ({ snapshot }) => snapshot?.utilization?.gpuPercent,
  memory_percent: ({ snapshot }) => snapshot?.utilization?.memoryPercent,
  memory_used_bytes: ({ snapshot }) => snapshot?.memory?.usedBytes,
  memory_total_bytes: ({ snapshot }) => snapshot?.memory?.totalBytes,
  temperature_celsius: ({ snapshot }) => snapshot?.temperatureCelsius,
  memory_temperature_celsius: ({ snapshot }) => snapshot?.memoryTemperatureCelsius,
  fan_percent: ({ snapshot }) => snapshot?.fanSpeedPercent,
  power_watts: ({ snapshot }) => snapshot?.powerWatts,
  power_limit_watts: ({ snapshot }) => snapshot?.powerLimitWatts,
  energy_joules: ({ snapshot }) => snapshot?.energyJoules,
  graphics_mhz: ({ snapshot }) => snapshot?.clocksMHz.graphics,
  sm_mhz: ({ snapshot }) => snapshot?.clocksMHz.sm,
  memory_mhz: ({ snapshot }) => snapshot?.clocksMHz.memory,
  video_mhz: ({ snapshot }) => snapshot?.clocksMHz.video,
  performance_state: ({ snapshot }) => snapshot?.performanceState,
  throttle_reasons: ({ snapshot }) => snapshot?.throttleReasons?.join(' '),
  encoder_percent: ({ snapshot }) => snapshot?.encoderPercent,
  decoder_percent: ({ snapshot }) => snapshot?.decoderPercent,
  pcie_generation: ({ snapshot }) => snapshot?.pcie.generation,
  pcie_width: ({ snapshot }) => snapshot?.pcie.width,
  processes: ({ snapshot, processes }) => snapshot && processes.length,
  error: ({ error }) => error?.code ?? error?.message,
};

/** The first line of the CSV. */
export const CSV_HEAD: string = csvRow(['time', ...Object.keys(CSV)]);

/** A line of CSV for each GPU. */
export function csvLines({ timeMs, gpus }: Reading): string {
  const time = new Date(timeMs).toISOString();
  return gpus.map((gpu) => csvRow([time, ...Object.values(CSV).map((cell) => cell(gpu))])).join('');
}

/** A reading as JSON has it. */
export function documentOf({ timeMs, gpus }: Reading): object {
  return {
    timeMs,
    devices: gpus.map(({ index, name, uuid, snapshot, processes, error }) => ({
      index,
      name,
      uuid,
      ...snapshot,
      processes: snapshot?.processes && processes,
      error,
    })),
  };
}
