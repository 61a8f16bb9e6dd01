import { readChoice } from '../core/choice.ts';
import { checkInteger } from '../core/check.ts';
import { uint, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { attempt, nvmlError } from './errors.ts';
import { byName, type NamesOf } from './names.ts';
import { status, TemperatureSensor, TemperatureThreshold } from './sys/enums.ts';

/** What happens at a temperature. */
export type TemperatureThresholdName = NamesOf<typeof TemperatureThreshold>;

const THRESHOLDS = byName(TemperatureThreshold);
const [NOT_SUPPORTED] = status.NVML_ERROR_NOT_SUPPORTED;

/** What nvmlDeviceGetTemperature says. */
export function temperatureOf(device: RawDevice): number {
  return uint((out) => nv.nvmlDeviceGetTemperature(device, TemperatureSensor.GPU, out));
}

/** What nvmlDeviceGetTemperatureThreshold says. */
export function thresholdOf(device: RawDevice, threshold: TemperatureThresholdName): number {
  const number = readChoice(threshold, THRESHOLDS, 'Device.temperatureThresholdCelsius: threshold');
  return uint((out) => nv.nvmlDeviceGetTemperatureThreshold(device, number, out));
}

/** What nvmlDeviceGetNumFans says. */
export function fanCountOf(device: RawDevice): number {
  return uint((out) => nv.nvmlDeviceGetNumFans(device, out));
}

/** What nvmlDeviceGetFanSpeed says. */
export function fanSpeedOf(device: RawDevice, fan: number): number {
  const number = checkInteger(fan, 'Device.fanSpeedPercent: fan', 0, 0xffff_ffff);
  const count = attempt(() => fanCountOf(device));
  // On a device without fans, drivers say that the number of the fan is invalid.
  if (count === 0) throw nvmlError('nvmlDeviceGetFanSpeed', NOT_SUPPORTED, { reason: 'The device has no fan' });
  if (count !== undefined && number >= count) {
    throw new RangeError(`There is no fan ${number}; this device has ${count}, counted from 0`);
  }
  return uint((out) => nv.nvmlDeviceGetFanSpeed(device, number, out));
}
