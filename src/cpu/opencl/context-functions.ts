import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { ContextInfo, ContextProperty } from '../../opencl/sys/enums.ts';
import type { Out } from '../abi/out.ts';
import { infoQuery, created } from './answer.ts';
import { Code } from './code.ts';
import type { ClContext } from './context.ts';
import type { ClDevice } from './device.ts';
import { rootsOf, wantsCpu } from './device-functions.ts';
import { addressAt, propertiesAt } from './pointer.ts';
import type { OpenCLState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  | 'clCreateContext'
  | 'clCreateContextFromType'
  | 'clRetainContext'
  | 'clReleaseContext'
  | 'clGetContextInfo'
  | 'clSetContextDestructorCallback';

const ask = infoQuery<typeof ContextInfo, ClContext>(ContextInfo, {
  REFERENCE_COUNT: ({ references }) => references,
  NUM_DEVICES: ({ devices }) => devices.length,
  DEVICES: ({ devices }) => devices.map(({ handle }) => handle),
  PROPERTIES: ({ properties }) => properties,
});

/** Contexts. */
export const contextFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clCreateContext: (state, properties, count, list, notify, data, errcode) => {
    const devices = (): readonly ClDevice[] | number => {
      if (count === 0 || list === 0n) return Code.INVALID_VALUE;
      const found = state.devicesAt(list, count);
      return typeof found === 'number' ? found : [...new Set(found)];
    };
    return created(create(state, properties, devices, notify, data), errcode);
  },
  clCreateContextFromType: (state, properties, type, notify, data, errcode) => {
    const devices = (): readonly ClDevice[] | number => {
      const wanted = wantsCpu(type);
      if (wanted === undefined) return Code.INVALID_DEVICE_TYPE;
      return wanted ? rootsOf(state, type) : Code.DEVICE_NOT_FOUND;
    };
    return created(create(state, properties, devices, notify, data), errcode);
  },
  clRetainContext: (state, handle) =>
    withContext(state, handle, (context) => {
      context.retain();
      return Code.SUCCESS;
    }),
  clReleaseContext: (state, handle) =>
    withContext(state, handle, (context) => {
      context.release();
      return Code.SUCCESS;
    }),
  clGetContextInfo: (state, handle, param, size, value, sizeOut) =>
    withContext(state, handle, (context) => ask(context, param, size, value, sizeOut)),
  clSetContextDestructorCallback: (state, handle, notify, data) =>
    withContext(state, handle, (context) => {
      if (notify === 0n) return Code.INVALID_VALUE;
      context.destructors.push({ notify, data: addressAt(data) });
      return Code.SUCCESS;
    }),
};

function withContext(state: OpenCLState, handle: bigint, run: (context: ClContext) => number): number {
  const context = state.contexts.find(handle);
  return context ? run(context) : Code.INVALID_CONTEXT;
}

function create(
  state: OpenCLState,
  raw: Out,
  devices: () => readonly ClDevice[] | number,
  notify: bigint,
  data: Out,
): bigint | number {
  const properties = propertiesAt(raw) ?? [];
  const seen = new Set<bigint>();
  for (let i = 0; i + 1 < properties.length; i += 2) {
    const [name = 0n, value = 0n] = properties.slice(i, i + 2);
    if (seen.has(name)) return Code.INVALID_PROPERTY;
    seen.add(name);
    if (name === BigInt(ContextProperty.PLATFORM)) {
      if (value !== state.platform) return Code.INVALID_PLATFORM;
    } else if (name !== BigInt(ContextProperty.INTEROP_USER_SYNC) || value > 1n) return Code.INVALID_PROPERTY;
  }
  if (notify === 0n && data !== 0n) return Code.INVALID_VALUE;
  const list = devices();
  if (typeof list === 'number') return list;
  const callback = notify === 0n ? undefined : { notify, data: addressAt(data) };
  return state.addContext(list, properties, callback);
}
