import { AddressingMode, FilterMode } from '../../opencl/sys/enums.ts';
import { SamplerBits } from '../abi/opencl-image.ts';
import type { ClContext } from './context.ts';
import { ClObject } from './object.ts';

const ADDRESSING: ReadonlyMap<number, number> = new Map<number, number>([
  [AddressingMode.NONE, SamplerBits.ADDRESS_NONE],
  [AddressingMode.CLAMP_TO_EDGE, SamplerBits.ADDRESS_CLAMP_TO_EDGE],
  [AddressingMode.CLAMP, SamplerBits.ADDRESS_CLAMP],
  [AddressingMode.REPEAT, SamplerBits.ADDRESS_REPEAT],
  [AddressingMode.MIRRORED_REPEAT, SamplerBits.ADDRESS_MIRRORED_REPEAT],
]);
const FILTERS: ReadonlyMap<number, number> = new Map<number, number>([
  [FilterMode.NEAREST, SamplerBits.FILTER_NEAREST],
  [FilterMode.LINEAR, SamplerBits.FILTER_LINEAR],
]);

/** How an image is read between its pixels and beyond its edges. */
export class ClSampler extends ClObject {
  readonly context: ClContext;
  readonly normalized: boolean;
  /** `AddressingMode` */
  readonly addressing: number;
  /** `FilterMode` */
  readonly filter: number;
  readonly properties: readonly bigint[];
  /** As kernels have it: the bits of the language's own sampler constants. */
  readonly bits: number;
  readonly #gone: (sampler: ClSampler) => void;

  constructor(
    context: ClContext,
    normalized: boolean,
    addressing: number,
    filter: number,
    properties: readonly bigint[],
    gone: (sampler: ClSampler) => void,
  ) {
    super();
    this.context = context;
    this.normalized = normalized;
    this.addressing = addressing;
    this.filter = filter;
    this.properties = properties;
    this.bits =
      (normalized ? SamplerBits.NORMALIZED : 0) | (ADDRESSING.get(addressing) ?? 0) | (FILTERS.get(filter) ?? 0);
    this.#gone = gone;
    context.retain();
  }

  destroy(): void {
    this.#gone(this);
    this.context.release();
  }
}

/** Whether numbers are an addressing mode and a filter that go together. */
export function isSampling(normalized: boolean, addressing: number, filter: number): boolean {
  if (!ADDRESSING.has(addressing) || !FILTERS.has(filter)) return false;
  const repeats = addressing === AddressingMode.REPEAT || addressing === AddressingMode.MIRRORED_REPEAT;
  return normalized || !repeats;
}
