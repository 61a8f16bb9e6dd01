import { pair, record, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { structs } from './sys/structs.ts';

/** How much of the last sampling period something ran, in percent. The period is between 1/6 and 1 second. */
export interface Utilization {
  /** Some kernel ran, however small. */
  readonly gpuPercent: number;
  /** Device memory was read or written. */
  readonly memoryPercent: number;
}

/** How busy an encoder or a decoder of video is. */
export interface CodecUtilization {
  readonly percent: number;
  /** Over how long, in microseconds. */
  readonly periodUs: number;
}

/** What the encoder does. */
export interface EncoderStats {
  readonly sessionCount: number;
  readonly averageFps: number;
  /** In microseconds. */
  readonly averageLatencyUs: number;
}

/** What nvmlDeviceGetUtilizationRates says. */
export function utilizationOf(device: RawDevice): Utilization {
  const { gpu, memory } = structs.nvmlUtilization_t.fields;
  const view = record(structs.nvmlUtilization_t, (out) => nv.nvmlDeviceGetUtilizationRates(device, out));
  return { gpuPercent: view.getUint32(gpu, true), memoryPercent: view.getUint32(memory, true) };
}

/** What nvmlDeviceGetEncoderUtilization says. */
export function encoderUtilizationOf(device: RawDevice): CodecUtilization {
  const [percent, periodUs] = pair((used, period) => nv.nvmlDeviceGetEncoderUtilization(device, used, period));
  return { percent, periodUs };
}

/** What nvmlDeviceGetDecoderUtilization says. */
export function decoderUtilizationOf(device: RawDevice): CodecUtilization {
  const [percent, periodUs] = pair((used, period) => nv.nvmlDeviceGetDecoderUtilization(device, used, period));
  return { percent, periodUs };
}

/** What nvmlDeviceGetEncoderStats says. */
export function encoderStatsOf(device: RawDevice): EncoderStats {
  const slots = new Uint32Array(3);
  nv.nvmlDeviceGetEncoderStats(device, slots.subarray(0, 1), slots.subarray(1, 2), slots.subarray(2));
  const [sessionCount = 0, averageFps = 0, averageLatencyUs = 0] = slots;
  return { sessionCount, averageFps, averageLatencyUs };
}
