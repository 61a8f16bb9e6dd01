import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { DriverTable } from '../../cuda/sys/tables.ts';
import { status as statuses } from '../../cuda/sys/enums.ts';
import { Status } from '../abi/status.ts';
import { processorName } from '../abi/processor.ts';
import { busId, deviceAttribute } from './attributes.ts';
import { bytesAt, putInt, putText, putWide, textAddress } from '../abi/out.ts';
import type { DriverState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'cuGetErrorName'
  | 'cuGetErrorString'
  | 'cuInit'
  | 'cuDriverGetVersion'
  | 'cuDeviceGet'
  | 'cuDeviceGetCount'
  | 'cuDeviceGetName'
  | 'cuDeviceGetUuid'
  | 'cuDeviceTotalMem'
  | 'cuDeviceGetAttribute'
  | 'cuDeviceGetByPCIBusId'
  | 'cuDeviceGetPCIBusId'
  | 'cuProfilerStart'
  | 'cuProfilerStop';

const DRIVER_VERSION = 12_080;

/** `CUDA_ERROR_OUT_OF_MEMORY` in plain words. */
function describe(name: string): string {
  return name === 'CUDA_SUCCESS'
    ? 'no error'
    : name
        .replace(/^CUDA_ERROR_/, '')
        .toLowerCase()
        .replaceAll('_', ' ');
}

const STATUS_NAMES = new Map(Object.entries(statuses).map(([name, [value]]) => [value as number, name]));

/** The devices: their names and their attributes. */
export const deviceFunctions: Rows<DriverState, DriverTable, Names> = {
  cuGetErrorName: (_state, status, out) => text(status, out, (found) => found),
  cuGetErrorString: (_state, status, out) => text(status, out, describe),
  cuInit: (_state, flags) => (flags === 0 ? Status.SUCCESS : Status.INVALID_VALUE),
  cuDriverGetVersion: (_state, out) => putInt(out, DRIVER_VERSION),
  cuDeviceGetCount: (state, out) => putInt(out, state.devices.list.length),
  cuDeviceGet: (state, out, ordinal) => state.known(ordinal) || putInt(out, ordinal),
  cuDeviceGetName: (state, out, length, device) =>
    state.known(device) || roomFor(length) || putText(out, `rawkernel CPU (${processorName()})`, length),
  cuDeviceGetUuid: (state, out, device) => {
    if (state.known(device)) return Status.INVALID_DEVICE;
    const which = device === 0 ? '' : ` ${device}`;
    const hash = createHash('sha256').update(`rawkernel ${hostname()} ${processorName()}${which}`).digest();
    bytesAt(out, 16).set(hash.subarray(0, 16));
    return Status.SUCCESS;
  },
  cuDeviceTotalMem: (state, out, device) => state.known(device) || putWide(out, state.devices.total),
  cuDeviceGetAttribute: (state, out, attribute, device) => {
    if (state.known(device)) return Status.INVALID_DEVICE;
    const value = deviceAttribute(attribute, state.workers, device);
    return value === undefined ? Status.INVALID_VALUE : putInt(out, value);
  },
  cuDeviceGetByPCIBusId: (state, out, id) => {
    const full = /^[\da-f]{4}:/i.test(id) ? id : `0000:${id}`;
    const found = state.devices.list.find(({ ordinal }) => busId(ordinal).toLowerCase() === full.toLowerCase());
    return found ? putInt(out, found.ordinal) : Status.INVALID_DEVICE;
  },
  cuDeviceGetPCIBusId: (state, out, length, device) =>
    state.known(device) || roomFor(length) || putText(out, busId(device), length),
  cuProfilerStart: () => Status.SUCCESS,
  cuProfilerStop: () => Status.SUCCESS,
};

function roomFor(length: number): number {
  return length > 0 ? Status.SUCCESS : Status.INVALID_VALUE;
}

function text(status: number, out: Parameters<typeof putWide>[0], show: (name: string) => string): number {
  const found = STATUS_NAMES.get(status);
  if (found === undefined) {
    putWide(out, 0n);
    return Status.INVALID_VALUE;
  }
  return putWide(out, textAddress(show(found)));
}
