import { createHash } from 'node:crypto';
import { cpus, hostname } from 'node:os';
import type { DriverTable } from '../../cuda/sys/tables.ts';
import { status as statuses } from '../../cuda/sys/enums.ts';
import { Status } from '../abi/status.ts';
import { BUS_ID, deviceAttribute } from './attributes.ts';
import { bytesAt, putInt, putText, putWide, textAddress } from '../abi/out.ts';
import type { DriverState } from './state.ts';

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

/** The one device that there is: what it is called and what it can do. */
export function deviceFunctions(state: DriverState): Pick<DriverTable, Names> {
  const names = new Map(Object.entries(statuses).map(([name, [value]]) => [value as number, name]));
  const model = cpus()[0]?.model.trim() ?? process.arch;
  const name = `rawkernel CPU (${model})`;
  const known = (device: number): number => (device === 0 ? Status.SUCCESS : Status.INVALID_DEVICE);
  const roomFor = (length: number): number => (length > 0 ? Status.SUCCESS : Status.INVALID_VALUE);
  const text = (status: number, out: Parameters<typeof putWide>[0], show: (name: string) => string): number => {
    const found = names.get(status);
    if (found === undefined) {
      putWide(out, 0n);
      return Status.INVALID_VALUE;
    }
    return putWide(out, textAddress(show(found)));
  };

  return {
    cuGetErrorName: (status, out) => text(status, out, (found) => found),
    cuGetErrorString: (status, out) => text(status, out, describe),
    cuInit: (flags) => (flags === 0 ? Status.SUCCESS : Status.INVALID_VALUE),
    cuDriverGetVersion: (out) => putInt(out, DRIVER_VERSION),
    cuDeviceGetCount: (out) => putInt(out, 1),
    cuDeviceGet: (out, ordinal) => known(ordinal) || putInt(out, ordinal),
    cuDeviceGetName: (out, length, device) => known(device) || roomFor(length) || putText(out, name, length),
    cuDeviceGetUuid: (out, device) => {
      if (device !== 0) return Status.INVALID_DEVICE;
      const hash = createHash('sha256').update(`rawkernel ${hostname()} ${model}`).digest();
      bytesAt(out, 16).set(hash.subarray(0, 16));
      return Status.SUCCESS;
    },
    cuDeviceTotalMem: (out, device) => known(device) || putWide(out, state.memory.total),
    cuDeviceGetAttribute: (out, attribute, device) => {
      if (device !== 0) return Status.INVALID_DEVICE;
      const value = deviceAttribute(attribute, state.workers);
      return value === undefined ? Status.INVALID_VALUE : putInt(out, value);
    },
    cuDeviceCanAccessPeer: (out, device, peer) => known(device) || known(peer) || putInt(out, 0),
    // There is one device, which is nobody's peer.
    cuDeviceGetP2PAttribute: () => Status.INVALID_DEVICE,
    cuCtxEnablePeerAccess: () => Status.PEER_ACCESS_UNSUPPORTED,
    cuCtxDisablePeerAccess: () => Status.PEER_ACCESS_NOT_ENABLED,
    cuDeviceGetByPCIBusId: (out, id) => {
      const full = /^[\da-f]{4}:/i.test(id) ? id : `0000:${id}`;
      return full.toLowerCase() === BUS_ID.toLowerCase() ? putInt(out, 0) : Status.INVALID_DEVICE;
    },
    cuDeviceGetPCIBusId: (out, length, device) => known(device) || roomFor(length) || putText(out, BUS_ID, length),
    cuProfilerStart: () => Status.SUCCESS,
    cuProfilerStop: () => Status.SUCCESS,
  };
}
