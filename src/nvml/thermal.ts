import { readChoice } from '../core/choice.ts';
import { checkInteger } from '../core/host-memory.ts';
import { uint, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { byName, type NamesOf } from './names.ts';
import { TemperatureSensor, TemperatureThreshold } from './sys/enums.ts';

/** What happens at a temperature. */
export type TemperatureThresholdName = NamesOf<typeof TemperatureThreshold>;

const THRESHOLDS = byName(TemperatureThreshold);

/** What nvmlDeviceGetTemperature says. */
export function temperatureOf(device: RawDevice): number {
  return uint((out) => nv.nvmlDeviceGetTemperature(device, TemperatureSensor.GPU, out));
}

/** What nvmlDeviceGetTemperatureThreshold says. */
export function thresholdOf(device: RawDevice, threshold: TemperatureThresholdName): number {
  const number = readChoice(threshold, THRESHOLDS, 'Device.temperatureThresholdCelsius: threshold');
  return uint((out) => nv.nvmlDeviceGetTemperatureThreshold(device, number, out));
}

/** What nvmlDeviceGetFanSpeed says. */
export function fanSpeedOf(device: RawDevice, fan: number): number {
  const number = checkInteger(fan, 'Device.fanSpeedPercent: fan', 0, 0xffff_ffff);
  return uint((out) => nv.nvmlDeviceGetFanSpeed(device, number, out));
}
