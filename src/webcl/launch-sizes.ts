import { types } from 'node:util';
import { nameOf } from '../core/check.ts';
import { elements, isArray } from '../node-opencl/argument.ts';
import { constants } from './constants.ts';
import { WebCLException } from './exception.ts';
import type { WebCLDevice } from './platform.ts';

type Dims = readonly number[];
/** Offset, global and local size of a launch; null for a missing one. */
type Sizes = readonly [offset: Dims | null, global: Dims, local: Dims | null];

const MAX = 2 ** 32 - 1;

/** Check the sizes of a launch by WebCL's rules. */
export function checkSizes(
  device: WebCLDevice,
  workDim: number,
  offset: unknown,
  global: unknown,
  local: unknown,
): Sizes {
  if (workDim !== 1 && workDim !== 2 && workDim !== 3) {
    throw new WebCLException('INVALID_WORK_DIMENSION', 'workDim must be 1, 2 or 3');
  }
  if (!isList(global)) throw new TypeError('globalWorkSize must be an array of numbers');
  const globals = sizesOf(global, workDim, 'INVALID_GLOBAL_WORK_SIZE');
  const offsets = isNothing(offset) ? null : sizesOf(offset, workDim, 'INVALID_GLOBAL_OFFSET');
  const far = offsets?.findIndex((one, i) => one + (globals[i] ?? 0) > MAX) ?? -1;
  if (far >= 0) {
    throw new WebCLException('INVALID_GLOBAL_OFFSET', `Offset plus size of dimension ${far} must be at most ${MAX}`);
  }
  const locals = isNothing(local) ? null : listOf(local, workDim);
  if (locals) checkGroup(device, globals, locals);
  return [offsets, globals, locals];
}

function checkGroup(device: WebCLDevice, global: Dims, local: Dims): void {
  const odd = local.findIndex((size, i) => size < 1 || (global[i] ?? 0) % size !== 0);
  const limits = device.getInfo(constants.DEVICE_MAX_WORK_ITEM_SIZES) as Dims;
  const large = local.findIndex((size, i) => !Number.isInteger(size) || size > (limits[i] ?? 1));
  if (large >= 0) {
    const text = `A local size must be a whole number up to ${limits[large]}, got ${nameOf(local[large])}`;
    throw new WebCLException('INVALID_WORK_ITEM_SIZE', text);
  }
  if (odd >= 0) {
    const text = `The local size ${local[odd]} must divide the global size ${global[odd]}`;
    throw new WebCLException('INVALID_WORK_GROUP_SIZE', text);
  }
  const total = local.reduce((product, size) => product * size, 1);
  const most = device.getInfo(constants.DEVICE_MAX_WORK_GROUP_SIZE) as number;
  if (total > most) {
    throw new WebCLException(
      'INVALID_WORK_GROUP_SIZE',
      `A work-group must have at most ${most} work-items, got ${total}`,
    );
  }
}

/** Local sizes, to be compared with the device's limits. */
function listOf(list: unknown, count: number): Dims {
  const numbers = isList(list) ? (elements(list, 0) as Dims) : [];
  if (numbers.length === count) return numbers;
  throw new WebCLException('INVALID_WORK_GROUP_SIZE', `The local size must have ${count} numbers, got ${nameOf(list)}`);
}

function sizesOf(list: unknown, count: number, name: string): Dims {
  const numbers = isList(list) ? (elements(list, 0) as Dims) : [];
  if (numbers.length === count && numbers.every((one) => Number.isInteger(one) && one >= 0 && one <= MAX))
    return numbers;
  throw new WebCLException(name, `The list must have ${count} whole numbers from 0 to ${MAX}`);
}

function isList(value: unknown): value is Dims {
  return isArray(value) || types.isTypedArray(value);
}

function isNothing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
