// node-webcl's programs look for these names; node-opencl has them for that, and they do nothing.

class Wrapper {
  /** What it was made with. */
  readonly _: unknown;

  constructor(value?: unknown) {
    this._ = value;
  }
}

export class WebCLPlatform extends Wrapper {}
export class WebCLDevice extends Wrapper {}
export class WebCLContext extends Wrapper {}
export class WebCLCommandQueue extends Wrapper {}
export class WebCLMemObject extends Wrapper {}
export class WebCLEvent extends Wrapper {}
export class WebCLProgram extends Wrapper {}
export class WebCLKernel extends Wrapper {}
export class WebCLSampler extends Wrapper {}
