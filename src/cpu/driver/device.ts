import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { DriverTable } from '../../cuda/sys/tables.ts';
import { status as statuses } from '../../cuda/sys/enums.ts';
import { Status } from '../abi/status.ts';
import { processorName } from '../abi/processor.ts';
import { BUS_ID, deviceAttribute } from './attributes.ts';
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
  | 'cuDeviceCanAccessPeer'
  | 'cuDeviceGetP2PAttribute'
  | 'cuCtxEnablePeerAccess'
  | 'cuCtxDisablePeerAccess'
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

/** The only device: its names and its attributes. */
export const deviceFunctions: Rows<DriverState, DriverTable, Names> = {
  cuGetErrorName: (_state, status, out) => text(status, out, (found) => found),
  cuGetErrorString: (_state, status, out) => text(status, out, describe),
  cuInit: (_state, flags) => (flags === 0 ? Status.SUCCESS : Status.INVALID_VALUE),
  cuDriverGetVersion: (_state, out) => putInt(out, DRIVER_VERSION),
  cuDeviceGetCount: (_state, out) => putInt(out, 1),
  cuDeviceGet: (_state, out, ordinal) => known(ordinal) || putInt(out, ordinal),
  cuDeviceGetName: (_state, out, length, device) =>
    known(device) || roomFor(length) || putText(out, `rawkernel CPU (${processorName()})`, length),
  cuDeviceGetUuid: (_state, out, device) => {
    if (device !== 0) return Status.INVALID_DEVICE;
    const hash = createHash('sha256').update(`rawkernel ${hostname()} ${processorName()}`).digest();
    bytesAt(out, 16).set(hash.subarray(0, 16));
    return Status.SUCCESS;
  },
  cuDeviceTotalMem: (state, out, device) => known(device) || putWide(out, state.memory.total),
  cuDeviceGetAttribute: (state, out, attribute, device) => {
    if (device !== 0) return Status.INVALID_DEVICE;
    const value = deviceAttribute(attribute, state.workers);
    return value === undefined ? Status.INVALID_VALUE : putInt(out, value);
  },
  cuDeviceCanAccessPeer: (_state, out, device, peer) => known(device) || known(peer) || putInt(out, 0),
  // The only device has no peer.
  cuDeviceGetP2PAttribute: () => Status.INVALID_DEVICE,
  cuCtxEnablePeerAccess: () => Status.PEER_ACCESS_UNSUPPORTED,
  cuCtxDisablePeerAccess: () => Status.PEER_ACCESS_NOT_ENABLED,
  cuDeviceGetByPCIBusId: (_state, out, id) => {
    const full = /^[\da-f]{4}:/i.test(id) ? id : `0000:${id}`;
    return full.toLowerCase() === BUS_ID.toLowerCase() ? putInt(out, 0) : Status.INVALID_DEVICE;
  },
  cuDeviceGetPCIBusId: (_state, out, length, device) =>
    known(device) || roomFor(length) || putText(out, BUS_ID, length),
  cuProfilerStart: () => Status.SUCCESS,
  cuProfilerStop: () => Status.SUCCESS,
};

function known(device: number): number {
  return device === 0 ? Status.SUCCESS : Status.INVALID_DEVICE;
}

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
