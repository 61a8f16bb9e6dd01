import { PublicObject } from '../core/public-object.ts';
import { readChoice } from '../core/choice.ts';
import { checkInteger, nameOf } from '../core/check.ts';
import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import type { RawDevice } from './answer.ts';
import { callWith } from './call.ts';
import type { EccCounterName } from './ecc.ts';
import { ComputeMode, EccCounterType, EnableState } from './sys/enums.ts';

/** Whether something is on. */
export type OnOff = 'enabled' | 'disabled';

/** How many processes may make contexts on a device: any number, one, or none. */
export type SettableComputeMode = 'default' | 'exclusiveProcess' | 'prohibited';

const STATES: Readonly<Record<OnOff, number>> = { enabled: EnableState.ENABLED, disabled: EnableState.DISABLED };
const MODES: Readonly<Record<SettableComputeMode, number>> = {
  default: ComputeMode.DEFAULT,
  exclusiveProcess: ComputeMode.EXCLUSIVE_PROCESS,
  prohibited: ComputeMode.PROHIBITED,
};
const COUNTERS: Readonly<Record<EccCounterName, number>> = {
  volatile: EccCounterType.VOLATILE_ECC,
  aggregate: EccCounterType.AGGREGATE_ECC,
};
const MAX = 0xffff_ffff;

/**
 * What can be set of a device: `device.settings()`. All of it holds for every process on the machine, needs root (on Windows
 * an administrator) and is gone after a restart of the machine, most of it already when the driver is unloaded. Without the
 * privilege each call throws {@link NvmlError} NVML_ERROR_NO_PERMISSION; where the device has no such setting,
 * NVML_ERROR_NOT_SUPPORTED. In both cases nothing has changed.
 *
 * Host: calls may block for some milliseconds.
 *
 * @see {@link https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceCommands.html | Device commands}
 */
export class DeviceSettings extends PublicObject {
  readonly #raw: RawDevice;

  /** @internal */
  constructor(maker: Maker, raw: RawDevice) {
    checkMade(maker === MAKER, 'DeviceSettings', 'call device.settings()');
    super();
    this.#raw = raw;
  }

  /** Keep the driver loaded while nothing uses the device, so that the next program starts faster. Linux only. */
  setPersistenceMode(state: OnOff): void {
    const value = readChoice(state, STATES, 'DeviceSettings.setPersistenceMode: state');
    callWith({ asked: state }, 'nvmlDeviceSetPersistenceMode', this.#raw, value);
  }

  /** Set which processes may make contexts on the device. */
  setComputeMode(mode: SettableComputeMode): void {
    const value = readChoice(mode, MODES, 'DeviceSettings.setComputeMode: mode');
    callWith({ asked: mode }, 'nvmlDeviceSetComputeMode', this.#raw, value);
  }

  /**
   * Limit what the device draws, in watts.
   *
   * @throws {@link NvmlError} NVML_ERROR_INVALID_ARGUMENT: it is not within {@link Power.limitRangeWatts}
   */
  setPowerLimitWatts(watts: number): void {
    if (typeof watts !== 'number' || !(watts > 0) || watts * 1000 > MAX) {
      throw new RangeError(`DeviceSettings.setPowerLimitWatts: watts must be more than 0, got ${nameOf(watts)}`);
    }
    const milliwatts = Math.round(watts * 1000);
    callWith({ asked: `${watts} W` }, 'nvmlDeviceSetPowerManagementLimit', this.#raw, milliwatts);
  }

  /** Hold the graphics clock between two frequencies, in MHz. */
  lockGraphicsClocks(minMHz: number, maxMHz: number): void {
    const [min, max] = range(minMHz, maxMHz, 'DeviceSettings.lockGraphicsClocks');
    callWith({ asked: `${min} to ${max} MHz` }, 'nvmlDeviceSetGpuLockedClocks', this.#raw, min, max);
  }

  /** Let the graphics clock go again. */
  unlockGraphicsClocks(): void {
    callWith({}, 'nvmlDeviceResetGpuLockedClocks', this.#raw);
  }

  /** Hold the memory clock between two frequencies, in MHz. */
  lockMemoryClocks(minMHz: number, maxMHz: number): void {
    const [min, max] = range(minMHz, maxMHz, 'DeviceSettings.lockMemoryClocks');
    callWith({ asked: `${min} to ${max} MHz` }, 'nvmlDeviceSetMemoryLockedClocks', this.#raw, min, max);
  }

  /** Let the memory clock go again. */
  unlockMemoryClocks(): void {
    callWith({}, 'nvmlDeviceResetMemoryLockedClocks', this.#raw);
  }

  /** Say which clocks applications get, in MHz: a pair of {@link Clocks.supportedGraphicsMHz}. */
  setApplicationClocks(memoryMHz: number, graphicsMHz: number): void {
    const memory = checkInteger(memoryMHz, 'DeviceSettings.setApplicationClocks: memoryMHz', 1, MAX);
    const graphics = checkInteger(graphicsMHz, 'DeviceSettings.setApplicationClocks: graphicsMHz', 1, MAX);
    const facts = { memory: `${memory} MHz`, graphics: `${graphics} MHz` };
    callWith(facts, 'nvmlDeviceSetApplicationsClocks', this.#raw, memory, graphics);
  }

  /** Give applications the clocks that they get by default. */
  resetApplicationClocks(): void {
    callWith({}, 'nvmlDeviceResetApplicationsClocks', this.#raw);
  }

  /** Keep what processes use: {@link Device.accounting}. */
  setAccountingMode(state: OnOff): void {
    const value = readChoice(state, STATES, 'DeviceSettings.setAccountingMode: state');
    callWith({ asked: state }, 'nvmlDeviceSetAccountingMode', this.#raw, value);
  }

  /** Count errors of the memory from 0 again. */
  clearEccErrors(counter: EccCounterName): void {
    const value = readChoice(counter, COUNTERS, 'DeviceSettings.clearEccErrors: counter');
    callWith({ asked: counter }, 'nvmlDeviceClearEccErrorCounts', this.#raw, value);
  }
}

function range(min: number, max: number, what: string): readonly [number, number] {
  const low = checkInteger(min, `${what}: minMHz`, 0, MAX);
  return [low, checkInteger(max, `${what}: maxMHz`, low, MAX)];
}
