import { checkMade, MAKER, type Maker } from '../core/maker.ts';
import { PublicObject } from '../core/public-object.ts';
import type { CLSampler } from '../node-opencl/objects.ts';
import { constants } from './constants.ts';
import { checkLive, cl, WebCLException } from './exception.ts';
import { answer } from './object.ts';
import type { Owner } from './owner.ts';

/** How kernels read images. */
export class WebCLSampler extends PublicObject {
  /** @internal */
  readonly handle: CLSampler;
  readonly #context: Owner;

  /** @internal */
  constructor(maker: Maker, context: Owner, handle: CLSampler) {
    super();
    checkMade(maker === MAKER, 'WebCLSampler', 'call context.createSampler()');
    this.#context = context;
    this.handle = handle;
    context.family.add(this);
  }

  /** A property: `webcl.SAMPLER_FILTER_MODE`. */
  getInfo(name: number): unknown {
    const own = { [constants.SAMPLER_CONTEXT]: () => this.#context };
    checkLive(this.handle, 'CLSampler');
    return answer(name, { prefix: /^SAMPLER_/, own }, (asked) => cl.getSamplerInfo(this.handle, asked));
  }

  /** Release the sampler. */
  release(): void {
    cl.releaseSampler(this.handle);
  }
}

const { ADDRESS_CLAMP, ADDRESS_CLAMP_TO_EDGE, ADDRESS_REPEAT, ADDRESS_MIRRORED_REPEAT } = constants;
const ADDRESSES: readonly unknown[] = [ADDRESS_CLAMP, ADDRESS_CLAMP_TO_EDGE, ADDRESS_REPEAT, ADDRESS_MIRRORED_REPEAT];
const FILTERS: readonly unknown[] = [constants.FILTER_NEAREST, constants.FILTER_LINEAR];

/** Refuse unknown modes, and modes that do not go together. */
export function checkModes(normalizedCoords: unknown, addressingMode: unknown, filterMode: unknown): void {
  const isRepeating = addressingMode === ADDRESS_REPEAT || addressingMode === ADDRESS_MIRRORED_REPEAT;
  const reason = !ADDRESSES.includes(addressingMode)
    ? 'The addressing mode must be one of webcl.ADDRESS_…'
    : !FILTERS.includes(filterMode)
      ? 'The filter mode must be FILTER_NEAREST or FILTER_LINEAR'
      : isRepeating && !normalizedCoords
        ? 'Repeating modes need normalized coordinates'
        : undefined;
  if (reason !== undefined) throw new WebCLException('INVALID_VALUE', reason);
}
