import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { AddressingMode, FilterMode, SamplerInfo } from '../../opencl/sys/enums.ts';
import { infoQuery, created } from './answer.ts';
import { Code } from './code.ts';
import { propertiesAt } from './pointer.ts';
import { ClSampler, isSampling } from './sampler.ts';
import type { OpenCLState } from './state.ts';

type Names =
  'clCreateSampler' | 'clCreateSamplerWithProperties' | 'clRetainSampler' | 'clReleaseSampler' | 'clGetSamplerInfo';

/** Samplers. */
export function samplerFunctions(state: OpenCLState): Pick<OpenCLTable, Names> {
  const ask = infoQuery<typeof SamplerInfo, ClSampler>(SamplerInfo, {
    REFERENCE_COUNT: ({ references }) => references,
    CONTEXT: ({ context }) => context.handle,
    NORMALIZED_COORDS: ({ normalized }) => normalized,
    ADDRESSING_MODE: ({ addressing }) => addressing,
    FILTER_MODE: ({ filter }) => filter,
    PROPERTIES: ({ properties }) => properties,
  });

  const withSampler = (handle: bigint, run: (sampler: ClSampler) => number): number => {
    const sampler = state.samplers.find(handle);
    return sampler ? run(sampler) : Code.INVALID_SAMPLER;
  };

  const create = (
    handle: bigint,
    normalized: boolean,
    addressing: number,
    filter: number,
    properties: readonly bigint[],
  ): bigint | number => {
    const context = state.contexts.find(handle);
    if (!context) return Code.INVALID_CONTEXT;
    if (!isSampling(normalized, addressing, filter)) return Code.INVALID_VALUE;
    const gone = (sampler: ClSampler): void => state.samplers.remove(sampler);
    return state.samplers.add(new ClSampler(context, normalized, addressing, filter, properties, gone));
  };

  const createWith = (handle: bigint, properties: readonly bigint[]): bigint | number => {
    let normalized = true;
    let addressing: number = AddressingMode.CLAMP;
    let filter: number = FilterMode.NEAREST;
    const seen = new Set<number>();
    for (let i = 0; i + 1 < properties.length; i += 2) {
      const [name, value] = [Number(properties[i]), Number(properties[i + 1])];
      if (seen.has(name)) return Code.INVALID_VALUE;
      seen.add(name);
      if (name === SamplerInfo.NORMALIZED_COORDS[0] && value <= 1) normalized = value === 1;
      else if (name === SamplerInfo.ADDRESSING_MODE[0]) addressing = value;
      else if (name === SamplerInfo.FILTER_MODE[0]) filter = value;
      else return Code.INVALID_VALUE;
    }
    return create(handle, normalized, addressing, filter, properties);
  };

  return {
    clCreateSampler: (context, normalized, addressing, filter, errcode) =>
      created(create(context, normalized !== 0, addressing, filter, []), errcode),
    clCreateSamplerWithProperties: (context, properties, errcode) =>
      created(createWith(context, propertiesAt(properties) ?? []), errcode),
    clRetainSampler: (handle) =>
      withSampler(handle, (sampler) => {
        sampler.retain();
        return Code.SUCCESS;
      }),
    clReleaseSampler: (handle) =>
      withSampler(handle, (sampler) => {
        sampler.release();
        return Code.SUCCESS;
      }),
    clGetSamplerInfo: (handle, param, size, value, sizeOut) =>
      withSampler(handle, (sampler) => ask(sampler, param, size, value, sizeOut)),
  };
}
