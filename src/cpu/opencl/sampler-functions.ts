import type { OpenCLTable } from '../../opencl/sys/tables.ts';
import { AddressingMode, FilterMode, SamplerInfo } from '../../opencl/sys/enums.ts';
import { infoQuery, created } from './answer.ts';
import { Code } from './code.ts';
import { propertiesAt } from './pointer.ts';
import { ClSampler, isSampling } from './sampler.ts';
import type { OpenCLState } from './state.ts';
import type { Rows } from '../abi/rows.ts';

type Names =
  'clCreateSampler' | 'clCreateSamplerWithProperties' | 'clRetainSampler' | 'clReleaseSampler' | 'clGetSamplerInfo';

const ask = infoQuery<typeof SamplerInfo, ClSampler>(SamplerInfo, {
  REFERENCE_COUNT: ({ references }) => references,
  CONTEXT: ({ context }) => context.handle,
  NORMALIZED_COORDS: ({ normalized }) => normalized,
  ADDRESSING_MODE: ({ addressing }) => addressing,
  FILTER_MODE: ({ filter }) => filter,
  PROPERTIES: ({ properties }) => properties,
});

/** Samplers. */
export const samplerFunctions: Rows<OpenCLState, OpenCLTable, Names> = {
  clCreateSampler: (state, context, normalized, addressing, filter, errcode) =>
    created(create(state, context, normalized !== 0, addressing, filter, []), errcode),
  clCreateSamplerWithProperties: (state, context, properties, errcode) =>
    created(createWith(state, context, propertiesAt(properties) ?? []), errcode),
  clRetainSampler: (state, handle) =>
    withSampler(state, handle, (sampler) => {
      sampler.retain();
      return Code.SUCCESS;
    }),
  clReleaseSampler: (state, handle) =>
    withSampler(state, handle, (sampler) => {
      sampler.release();
      return Code.SUCCESS;
    }),
  clGetSamplerInfo: (state, handle, param, size, value, sizeOut) =>
    withSampler(state, handle, (sampler) => ask(sampler, param, size, value, sizeOut)),
};

function withSampler(state: OpenCLState, handle: bigint, run: (sampler: ClSampler) => number): number {
  const sampler = state.samplers.find(handle);
  return sampler ? run(sampler) : Code.INVALID_SAMPLER;
}

function create(
  state: OpenCLState,
  handle: bigint,
  normalized: boolean,
  addressing: number,
  filter: number,
  properties: readonly bigint[],
): bigint | number {
  const context = state.contexts.find(handle);
  if (!context) return Code.INVALID_CONTEXT;
  if (!isSampling(normalized, addressing, filter)) return Code.INVALID_VALUE;
  const gone = (sampler: ClSampler): void => state.samplers.remove(sampler);
  return state.samplers.add(new ClSampler(context, normalized, addressing, filter, properties, gone));
}

function createWith(state: OpenCLState, handle: bigint, properties: readonly bigint[]): bigint | number {
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
  return create(state, handle, normalized, addressing, filter, properties);
}
