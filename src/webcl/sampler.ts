import type { CLSampler } from '../node-opencl/objects.ts';
import { constants } from './constants.ts';
import type { WebCLContext } from './context.ts';
import { cl } from './exception.ts';
import { answer } from './object.ts';

/** How kernels read images. */
export class WebCLSampler {
  /** @internal */
  readonly handle: CLSampler;
  readonly #context: WebCLContext;

  /** @internal */
  constructor(context: WebCLContext, handle: CLSampler) {
    this.#context = context;
    this.handle = handle;
    context.family.add(this);
  }

  /** A property: `webcl.SAMPLER_FILTER_MODE`. */
  getInfo(name: number): unknown {
    const own = { [constants.SAMPLER_CONTEXT]: () => this.#context };
    return answer(name, { prefix: /^SAMPLER_/, own }, (asked) => cl.getSamplerInfo(this.handle, asked));
  }

  /** Let go of the sampler. */
  release(): void {
    cl.releaseSampler(this.handle);
  }
}
