import { readChoice } from '../core/choice.ts';
import { checkInteger } from '../core/check.ts';
import { list, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { readValue } from './field-values.ts';
import { SamplingType } from './sys/enums.ts';
import { structs } from './sys/structs.ts';
import { take } from '../ffi/slot.ts';
import { slotOf } from './slots.ts';

/** What the driver samples by itself: watts, percent, or MHz. */
export type SampleKind =
  'powerWatts' | 'gpuPercent' | 'memoryPercent' | 'encoderPercent' | 'decoderPercent' | 'processorMHz' | 'memoryMHz';

/** One of the driver's samples. */
export interface Sample {
  /** In microseconds since 1970. */
  readonly timestampUs: number;
  readonly value: number;
}

const KINDS: Readonly<Record<SampleKind, number>> = {
  powerWatts: SamplingType.TOTAL_POWER_SAMPLES,
  gpuPercent: SamplingType.GPU_UTILIZATION_SAMPLES,
  memoryPercent: SamplingType.MEMORY_UTILIZATION_SAMPLES,
  encoderPercent: SamplingType.ENC_UTILIZATION_SAMPLES,
  decoderPercent: SamplingType.DEC_UTILIZATION_SAMPLES,
  processorMHz: SamplingType.PROCESSOR_CLK_SAMPLES,
  memoryMHz: SamplingType.MEMORY_CLK_SAMPLES,
};

/** The samples that the driver has taken since a time. */
export function samplesOf(device: RawDevice, kind: SampleKind, sinceUs: number): Sample[] {
  const number = readChoice(kind, KINDS, 'Device.samples: kind');
  const since = checkInteger(sinceUs, 'Device.samples: sinceUs');
  const scale = kind === 'powerWatts' ? 1000 : 1;
  const { size, fields } = structs.nvmlSample_t;
  const type = slotOf('nvmlValueType_t');
  return list(
    'nvmlDeviceGetSamples',
    size,
    (count, room) => nv.nvmlDeviceGetSamples(device, number, since, type, count, room),
    (view) => ({
      timestampUs: Number(view.getBigUint64(fields.timeStamp, true)),
      value: readValue(view, fields.sampleValue, take(type)) / scale,
    }),
    // The driver leaves room that it does not fill.
  ).filter(({ timestampUs }) => timestampUs > since);
}
