import { MAKER } from '../core/maker.ts';
import { SamplerInfo } from '../opencl/sys/enums.ts';
import { array, bool, context, uint } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure } from './failure.ts';
import { asking, wrapped, readers, type GetInfo, type Readers } from './info.ts';
import { CLSampler, retained, type CLContext } from './objects.ts';

const READERS: Readers = readers([SamplerInfo.CONTEXT[0], wrapped(retained.context)]);
const { NORMALIZED_COORDS, ADDRESSING_MODE, FILTER_MODE } = SamplerInfo;
const NAMES: readonly number[] = [NORMALIZED_COORDS[0], ADDRESSING_MODE[0], FILTER_MODE[0]];

/** A sampler, by OpenCL 1's function. */
export function createSampler(
  ...args: [context: CLContext, normalized: boolean | number, addressing: number, filter: number]
): CLSampler {
  expectArguments(args, 4);
  const owner = context(args[0], 0);
  return new CLSampler(MAKER, cl.clCreateSampler(owner, bool(args[1], 1), uint(args[2], 2), uint(args[3], 3)));
}

/** A sampler, by OpenCL 2's function: `[cl.SAMPLER_NORMALIZED_COORDS, true, cl.SAMPLER_FILTER_MODE, cl.FILTER_LINEAR]`. */
export function createSamplerWithProperties(
  ...args: [context: CLContext, properties: readonly (number | boolean)[] | null]
): CLSampler {
  expectArguments(args, 2);
  const owner = context(args[0], 0);
  const list = pairs(args[1] === null ? [] : array(args[1], 1));
  for (let i = 0; i < list.length; i += 2) {
    const value = list[i + 1];
    if (!NAMES.includes(list[i] as number) || (typeof value !== 'number' && typeof value !== 'boolean')) {
      throw failure('CL_INVALID_VALUE', new TypeError('Properties must be pairs of a name and a number or a boolean'));
    }
  }
  const properties = BigUint64Array.from([...list, 0], (value) => BigInt(uint(value, 1)));
  return new CLSampler(MAKER, cl.clCreateSamplerWithProperties(owner, properties));
}

/** A property of a sampler: `cl.SAMPLER_FILTER_MODE`. */
export const getSamplerInfo: GetInfo<CLSampler> = asking('CLSampler', 'clGetSamplerInfo', [SamplerInfo], READERS);

/** The list without a final 0. */
function pairs(list: readonly unknown[]): readonly unknown[] {
  return list.length % 2 !== 0 && list.at(-1) === 0 ? list.slice(0, -1) : list;
}
