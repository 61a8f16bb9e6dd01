import { MAKER } from '../core/maker.ts';
import { warn } from '../core/errors.ts';
import { ContextInfo, ContextProperty, DeviceType } from '../opencl/sys/enums.ts';
import { array, object, objects, pointerTo, uint } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure, namedError } from './failure.ts';
import { asking, wrappedList, readers, type GetInfo, type Readers } from './info.ts';
import { CLContext, retained, type CLDeviceId, type CLPlatformId } from './objects.ts';

/** Names and values in turn: `[cl.CONTEXT_PLATFORM, platform]`. */
export type ContextProperties = readonly (number | CLPlatformId)[] | null | undefined;

const READERS: Readers = readers([ContextInfo.DEVICES[0], wrappedList(retained.device)]);
const NOTIFY = 0n as never;
const DEVICE_NOT_FOUND = namedError('CL_DEVICE_NOT_FOUND').message;

/** A context of devices. The callbacks are accepted and never called. */
export function createContext(
  ...args: [properties: ContextProperties, devices: readonly CLDeviceId[] | null, callback?: unknown, error?: unknown]
): CLContext {
  expectArguments(args, 2);
  const properties = propertiesOf(args[0]);
  const devices = objects('CLDeviceId')(args[1], 1);
  return new CLContext(MAKER, cl.clCreateContext(properties, devices.length, pointerTo(devices), NOTIFY, 0n));
}

type FromType = (
  ...args: [properties: ContextProperties, type: number, callback: unknown, error: unknown]
) => CLContext;

/** As {@link createContextFromType}, but a platform without a device of the type is an error. */
export const exactContextFromType: FromType = (...args) => {
  expectArguments(args, 4);
  return fromType(propertiesOf(args[0]), uint(args[1], 1));
};

/**
 * A context of a platform's devices of a type. The callbacks are accepted and never called.
 *
 * Programs ask for a GPU whether they need one or not. A platform without a GPU, an error in node-opencl, gives its default
 * device here, with a warning; the strict forms throw.
 */
export const createContextFromType: FromType = (...args) => {
  expectArguments(args, 4);
  const [properties, type] = [propertiesOf(args[0]), uint(args[1], 1)];
  try {
    return fromType(properties, type);
  } catch (error) {
    if ((error as Error).message !== DEVICE_NOT_FOUND) throw error;
    const context = fromType(properties, DeviceType.DEFAULT);
    warn(`The platform has no device of type ${type}; its default device is used`, 'RAWKERNEL_DEVICE_TYPE');
    return context;
  }
};

function fromType(properties: BigInt64Array | bigint, type: number): CLContext {
  return new CLContext(MAKER, cl.clCreateContextFromType(properties, type, NOTIFY, 0n));
}

/** A property of a context: `cl.CONTEXT_DEVICES`. */
export const getContextInfo: GetInfo<CLContext> = asking('CLContext', 'clGetContextInfo', [ContextInfo], READERS);

/** The driver's list with its final 0; NULL for a missing list. */
function propertiesOf(value: unknown): BigInt64Array | bigint {
  if (value === null || value === undefined) return 0n;
  const list = array(value, 0);
  if (list.length % 2 !== 0 && list.at(-1) !== 0) {
    throw failure('CL_INVALID_PROPERTY', new Error('Context properties must be pairs of a name and a value'));
  }
  return BigInt64Array.from([...list, 0], (entry, i) => {
    const platform = i % 2 === 1 && uint(list[i - 1], 0) === ContextProperty.PLATFORM;
    return platform ? object('CLPlatformId')(entry, 0) : BigInt(uint(entry, 0));
  });
}
