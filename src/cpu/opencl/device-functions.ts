import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { DeviceType } from '../../opencl/sys/enums.ts';
import { bytesAt, putInt, putWide, type Out } from '../abi/out.ts';
import { nanoseconds } from '../runtime/clock.ts';
import { answerList, encodeWides } from './answer.ts';
import { Code } from './code.ts';
import { ClDevice, Partition } from './device.ts';
import { askDevice } from './device-info.ts';
import { propertiesAt, widesAt } from './pointer.ts';
import type { OpenCLState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'clGetDeviceIDs'
  | 'clGetDeviceInfo'
  | 'clCreateSubDevices'
  | 'clRetainDevice'
  | 'clReleaseDevice'
  | 'clGetDeviceAndHostTimer'
  | 'clGetHostTimer';

const COUNTS_END = 0n;
const KNOWN_TYPES = DeviceType.DEFAULT | DeviceType.CPU | DeviceType.GPU | DeviceType.ACCELERATOR | DeviceType.CUSTOM;

/** Whether a device type includes CPUs; undefined for an unknown type. */
export function wantsCpu(type: number | bigint): boolean | undefined {
  const bits = Number(BigInt.asUintN(32, BigInt(type)));
  if (bits === DeviceType.ALL) return true;
  if (bits === 0 || (bits & ~KNOWN_TYPES) !== 0) return undefined;
  return (bits & (DeviceType.CPU | DeviceType.DEFAULT)) !== 0;
}

/** The devices of a type that includes CPUs. The default one is the first. */
export function rootsOf({ roots }: OpenCLState, type: number | bigint): readonly ClDevice[] {
  return Number(BigInt.asUintN(32, BigInt(type))) === DeviceType.DEFAULT ? roots.slice(0, 1) : roots;
}

/** The processor, once or more often, and its sub-devices. */
export const deviceFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clGetDeviceIDs: (state, platform, type, count, list, countOut) => {
    if (platform !== 0n && platform !== state.platform) return Code.INVALID_PLATFORM;
    const wanted = wantsCpu(type);
    if (wanted === undefined) return Code.INVALID_DEVICE_TYPE;
    if (list === 0n ? count > 0 || countOut === 0n : count === 0) return Code.INVALID_VALUE;
    if (!wanted) {
      putInt(countOut, 0);
      return Code.DEVICE_NOT_FOUND;
    }
    return answerList(
      rootsOf(state, type).map(({ handle }) => handle),
      count,
      list,
      countOut,
    );
  },
  clGetDeviceInfo: (state, handle, param, size, value, sizeOut) =>
    withDevice(state, handle, (device) => askDevice({ state, device }, param, size, value, sizeOut)),
  clCreateSubDevices: (state, handle, properties, count, list, countOut) =>
    withDevice(state, handle, (device) => partition(state, device, properties, count, list, countOut)),
  clRetainDevice: (state, handle) =>
    withDevice(state, handle, (device) => {
      device.retain();
      return Code.SUCCESS;
    }),
  clReleaseDevice: (state, handle) =>
    withDevice(state, handle, (device) => {
      device.release();
      return Code.SUCCESS;
    }),
  clGetDeviceAndHostTimer: (state, handle, deviceOut, hostOut) =>
    withDevice(state, handle, () => {
      if (deviceOut === 0n || hostOut === 0n) return Code.INVALID_VALUE;
      const now = nanoseconds();
      putWide(deviceOut, now);
      return putWide(hostOut, now);
    }),
  clGetHostTimer: (state, handle, out) =>
    withDevice(state, handle, () => (out === 0n ? Code.INVALID_VALUE : putWide(out, nanoseconds()))),
};

function withDevice(state: OpenCLState, handle: bigint, run: (device: ClDevice) => number): number {
  const device = state.devices.find(handle);
  return device ? run(device) : Code.INVALID_DEVICE;
}

/** The threads of each sub-device, or a status. */
function sharesOf(device: ClDevice, list: readonly bigint[], raw: Out): number[] | number {
  const [kind, value = 0n] = list;
  if (kind === Partition.EQUALLY) {
    const each = Number(value);
    if (each < 1 || each > device.units) return Code.DEVICE_PARTITION_FAILED;
    return Array.from({ length: Math.floor(device.units / each) }, () => each);
  }
  if (kind !== Partition.BY_COUNTS) return Code.INVALID_VALUE;
  const counts = countsAt(raw, device.units + 1);
  if (counts.length === 0 || counts.length > device.units || counts.some((count) => count < 1)) {
    return Code.INVALID_DEVICE_PARTITION_COUNT;
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  return total > device.units ? Code.INVALID_DEVICE_PARTITION_COUNT : counts;
}

function partition(state: OpenCLState, device: ClDevice, raw: Out, count: number, list: Out, countOut: Out): number {
  const properties = propertiesAt(raw, 1);
  if (!properties || (list === 0n ? countOut === 0n : count === 0)) return Code.INVALID_VALUE;
  const shares = sharesOf(device, properties, raw);
  if (typeof shares === 'number') return shares;
  if (list !== 0n) {
    if (count < shares.length) return Code.INVALID_VALUE;
    const kept =
      properties[0] === Partition.EQUALLY ? properties : [Partition.BY_COUNTS, ...shares.map(BigInt), COUNTS_END, 0n];
    const gone = (part: ClDevice): void => state.devices.remove(part);
    const handles = shares.map((units) => state.devices.add(new ClDevice(units, gone, device, kept)));
    const bytes = encodeWides(handles);
    bytesAt(list, bytes.length).set(bytes);
  }
  return putInt(countOut, shares.length);
}

/** The numbers after BY_COUNTS, up to the final 0. */
function countsAt(raw: Out, most: number): number[] {
  const counts: number[] = [];
  for (let i = 1; i <= most; i++) {
    const value = typeof raw === 'bigint' ? widesAt(raw + BigInt(8 * i), 1)[0] : widesAt(raw, i + 1)[i];
    if (value === undefined || value === COUNTS_END) break;
    counts.push(Number(BigInt.asIntN(64, value)));
  }
  return counts;
}
