import { nameOf } from '../core/check.ts';
import { MAKER } from '../core/maker.ts';
import { Accounting } from './accounting.ts';
import { bits, uint, wide, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { Clocks } from './clocks.ts';
import { DeviceIdentity } from './device-identity.ts';
import { Ecc } from './ecc.ts';
import { isAbsent } from './errors.ts';
import {
  fieldValueOf,
  fieldValuesOf,
  type AbsentFieldValue,
  type FieldQuery,
  type FieldValue,
} from './field-values.ts';
import { deviceCount, findDevice, FoundDevice, type DeviceSerial } from './find-device.ts';
import { bar1MemoryInfo, memoryInfo, type Bar1MemoryInfo, type MemoryInfo } from './memory.ts';
import { migDevicesOf, migModeOf, ofPart, type MigMode } from './mig.ts';
import { bitNamesIn, nameIn, type BitNamesOf, type NamesOf } from './names.ts';
import { nvlinksOf, type NvLink } from './nvlink.ts';
import { Pcie } from './pcie.ts';
import { Power } from './power.ts';
import {
  processesOf,
  processUtilizationOf,
  type GpuProcess,
  type ProcessKind,
  type ProcessUtilization,
} from './processes.ts';
import { samplesOf, type Sample, type SampleKind } from './samples.ts';
import { DeviceSettings } from './settings.ts';
import { snapshotOf, type DeviceSnapshot, type SnapshotOptions } from './snapshot.ts';
import { ComputeMode, EventType, FieldId } from './sys/enums.ts';
import { fanCountOf, fanSpeedOf, temperatureOf, thresholdOf, type TemperatureThresholdName } from './thermal.ts';
import {
  commonAncestorOf,
  cpuAffinityOf,
  onSameBoard,
  p2pStatusOf,
  type P2PCapabilityName,
  type P2PStatusName,
  type TopologyName,
} from './topology.ts';
import {
  decoderUtilizationOf,
  encoderStatsOf,
  encoderUtilizationOf,
  utilizationOf,
  type CodecUtilization,
  type EncoderStats,
  type Utilization,
} from './utilization.ts';

const MILLI = 1000;

/**
 * A GPU, or a part of one in MIG mode. It holds nothing: make as many as you like. Each property and method asks the driver
 * anew; what the device does not have throws {@link NvmlError} NVML_ERROR_NOT_SUPPORTED.
 *
 * Host: queries take microseconds to a few milliseconds; what blocks longer says so.
 *
 * @example
 * ```ts
 * import { Device, optional } from 'rawkernel/nvml';
 *
 * for (const device of Device.all()) {
 *   const { usedBytes, totalBytes } = device.memory;
 *   console.log(device.name, `${usedBytes / 2 ** 20} of ${totalBytes / 2 ** 20} MiB`);
 *   console.log(optional(() => device.temperatureCelsius), optional(() => device.powerWatts));
 * }
 * ```
 * @see {@link https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceQueries.html | Device queries}
 */
export class Device extends DeviceIdentity {
  /**
   * Name a device.
   *
   * @param which - its number in the order of the PCI bus, from 0; its UUID, `'GPU-8a1c…'` or `'MIG-…'`; its PCI bus id,
   * `'0000:3b:00.0'`; or its board's serial number. CUDA's numbers may differ: `new Device(cudaDevice.busId)`.
   * @throws RangeError the machine has fewer devices
   * @throws {@link NvmlError} NVML_ERROR_NOT_FOUND: no device is called so
   */
  constructor(which?: number | string | DeviceSerial);
  /** @internal */
  constructor(found: FoundDevice);
  constructor(which: number | string | DeviceSerial | FoundDevice = 0) {
    super(MAKER, findDevice(which));
  }

  /**
   * How many GPUs there are, those that this process may not use too.
   *
   * @throws {@link LibraryNotFoundError} no NVIDIA driver is installed
   * @throws {@link NvmlError} the driver does not start
   */
  static count(): number {
    return deviceCount();
  }

  /** The GPUs that this process may ask. Throws as {@link Device.count} does. */
  static all(): Device[] {
    return Array.from({ length: Device.count() }, (_, index) => {
      try {
        return new Device(index);
      } catch (error) {
        if (!isAbsent(error)) throw error;
        return undefined;
      }
    }).filter((device) => device !== undefined);
  }

  /** Device memory, in bytes. */
  get memory(): MemoryInfo {
    return memoryInfo(this.raw);
  }

  /** The device memory that the host can address, in bytes. */
  get bar1Memory(): Bar1MemoryInfo {
    return bar1MemoryInfo(this.raw);
  }

  /** How many bits the memory moves at once. */
  get memoryBusWidthBits(): number {
    return uint((out) => nv.nvmlDeviceGetMemoryBusWidth(this.raw, out));
  }

  /** How busy the device is. */
  get utilization(): Utilization {
    return utilizationOf(this.raw);
  }

  /** How busy the encoder of video is. */
  get encoderUtilization(): CodecUtilization {
    return encoderUtilizationOf(this.raw);
  }

  /** How busy the decoder of video is. */
  get decoderUtilization(): CodecUtilization {
    return decoderUtilizationOf(this.raw);
  }

  /** What the encoder of video does. */
  get encoderStats(): EncoderStats {
    return encoderStatsOf(this.raw);
  }

  /** The temperature of the chip. */
  get temperatureCelsius(): number {
    return temperatureOf(this.raw);
  }

  /** The temperature of the memory; not all devices measure it. */
  get memoryTemperatureCelsius(): number {
    return fieldValueOf(this.raw, FieldId.MEMORY_TEMP).value;
  }

  /**
   * The temperature at which something happens: `'slowdown'`, `'shutdown'`. Newer devices give how far it is to that instead:
   * `FieldId.TEMPERATURE_SLOWDOWN_TLIMIT`.
   */
  temperatureThresholdCelsius(threshold: TemperatureThresholdName): number {
    return thresholdOf(this.raw, threshold);
  }

  /** How many fans there are. */
  get fanCount(): number {
    return fanCountOf(this.raw);
  }

  /**
   * How fast a fan is meant to turn, in percent of its most; it may be more than 100.
   *
   * @throws RangeError the device has fewer fans
   * @throws {@link NvmlError} NVML_ERROR_NOT_SUPPORTED: the device has no fan
   */
  fanSpeedPercent(fan = 0): number {
    return fanSpeedOf(this.raw, fan);
  }

  /** What the device draws, in watts: {@link Power.usageWatts}. */
  get powerWatts(): number {
    return this.power.usageWatts;
  }

  /** What the device draws and may draw. */
  get power(): Power {
    return new Power(MAKER, this.raw);
  }

  /** What the device has used since the driver was loaded, in joules. */
  get energyJoules(): number {
    return wide((out) => nv.nvmlDeviceGetTotalEnergyConsumption(this.raw, out)) / MILLI;
  }

  /** The clocks. */
  get clocks(): Clocks {
    return new Clocks(MAKER, this.raw);
  }

  /** 0 is the fastest state, 15 the slowest; undefined where the driver does not know. */
  get performanceState(): number | undefined {
    const state = uint((out) => nv.nvmlDeviceGetPerformanceState(this.raw, out));
    return state > SLOWEST_STATE ? undefined : state;
  }

  /** The link to the host. */
  get pcie(): Pcie {
    return new Pcie(MAKER, this.raw);
  }

  /** The links to other devices and to switches, those that are down too; empty without NVLink. */
  nvlinks(): NvLink[] {
    return nvlinksOf(this.raw);
  }

  /** Errors of the memory. */
  get ecc(): Ecc {
    return new Ecc(MAKER, this.raw);
  }

  /** What processes have used. */
  get accounting(): Accounting {
    return new Accounting(MAKER, this.raw);
  }

  /** The processes that use the device; of one kind, or of all that it knows. A process of several kinds is listed once. */
  processes(kind?: ProcessKind): GpuProcess[] {
    return processesOf(this.raw, kind);
  }

  /**
   * What each process made of the device: the newest sample of each.
   *
   * @param sinceUs - leave out samples before this time, in microseconds since 1970: a `timestampUs` from before
   */
  processUtilization(sinceUs = 0): ProcessUtilization[] {
    return processUtilizationOf(this.raw, sinceUs);
  }

  /** The driver's own samples after a time in microseconds since 1970, oldest first. */
  samples(kind: SampleKind, sinceUs = 0): Sample[] {
    return samplesOf(this.raw, kind, sinceUs);
  }

  /**
   * A value that has no function of its own, by its number.
   *
   * @param scopeId - what it is of, such as the number of an NVLink
   * @throws {@link NvmlError} NVML_ERROR_NOT_SUPPORTED: the device has no such value
   */
  fieldValue(fieldId: number, scopeId = 0): FieldValue {
    return fieldValueOf(this.raw, fieldId, scopeId);
  }

  /** Several such values at once, in their order. One without an answer has a `code` instead of a value. */
  fieldValues(fields: readonly FieldQuery[]): (FieldValue | AbsentFieldValue)[] {
    return fieldValuesOf(this.raw, fields);
  }

  /** Whether the driver stays loaded while nothing uses the device. Linux only. */
  get persistenceMode(): boolean {
    return uint((out) => nv.nvmlDeviceGetPersistenceMode(this.raw, out)) === 1;
  }

  /** Which processes may make contexts on the device. */
  get computeMode(): NamesOf<typeof ComputeMode> | 'unknown' {
    return nameIn(
      ComputeMode,
      uint((out) => nv.nvmlDeviceGetComputeMode(this.raw, out)),
    );
  }

  /** Whether a display is connected. */
  get displayConnected(): boolean {
    return uint((out) => nv.nvmlDeviceGetDisplayMode(this.raw, out)) === 1;
  }

  /** Whether something is drawn for a display, connected or not. */
  get displayActive(): boolean {
    return uint((out) => nv.nvmlDeviceGetDisplayActive(this.raw, out)) === 1;
  }

  /** Whether the device is cut into parts. */
  get mig(): MigMode {
    return migModeOf(this.raw);
  }

  /** Its parts, each a device. */
  migDevices(): Device[] {
    return migDevicesOf(this.raw).map((raw) => new Device(new FoundDevice(raw)));
  }

  /** Whether this is a part of a device. */
  get isMigDevice(): boolean {
    return uint((out) => nv.nvmlDeviceIsMigDeviceHandle(this.raw, out)) === 1;
  }

  /** The device that this is a part of. */
  get migParent(): Device {
    const routine = 'nvmlDeviceGetDeviceHandleFromMigDeviceHandle';
    return new Device(new FoundDevice(ofPart(routine, () => bits((out) => nv[routine](this.raw, out)))));
  }

  /** The number of a part's GPU instance. */
  get gpuInstanceId(): number {
    return ofPart('nvmlDeviceGetGpuInstanceId', () => uint((out) => nv.nvmlDeviceGetGpuInstanceId(this.raw, out)));
  }

  /** The number of a part's compute instance. */
  get computeInstanceId(): number {
    const routine = 'nvmlDeviceGetComputeInstanceId';
    return ofPart(routine, () => uint((out) => nv[routine](this.raw, out)));
  }

  /** Where the ways of this device and another to each other meet. */
  commonAncestor(other: Device): TopologyName {
    return commonAncestorOf(this.raw, rawOf(other, 'commonAncestor'));
  }

  /** Whether this device can do something with the memory of another, or why not. */
  p2pStatus(other: Device, capability: P2PCapabilityName): P2PStatusName {
    return p2pStatusOf(this.raw, rawOf(other, 'p2pStatus'), capability);
  }

  /** Whether this device and another are on one board. */
  onSameBoard(other: Device): boolean {
    return onSameBoard(this.raw, rawOf(other, 'onSameBoard'));
  }

  /** The processors near the device, by their numbers. Linux only. */
  get cpuAffinity(): number[] {
    return cpuAffinityOf(this.raw);
  }

  /** The events that an {@link EventSet} can wait for. */
  get supportedEvents(): BitNamesOf<typeof EventType>[] {
    return bitNamesIn(
      EventType,
      bits((out) => nv.nvmlDeviceGetSupportedEventTypes(this.raw, out)),
    );
  }

  /**
   * Everything that a monitor shows, as a plain object for JSON. What the device does not have is undefined.
   *
   * Host: blocks for some milliseconds, with `pcieThroughput` for about 40 ms more.
   *
   * @throws {@link NvmlError} NVML_ERROR_GPU_IS_LOST and similar: no query works any more
   */
  snapshot(options: SnapshotOptions = {}): DeviceSnapshot {
    return snapshotOf(this, options);
  }

  /** Settings that need root; all other members only read. */
  settings(): DeviceSettings {
    return new DeviceSettings(MAKER, this.raw);
  }
}

const SLOWEST_STATE = 15;

function rawOf(other: Device, method: string): RawDevice {
  if (!(other instanceof Device)) throw new TypeError(`Device.${method} takes a Device, got ${nameOf(other)}`);
  return other.raw;
}
