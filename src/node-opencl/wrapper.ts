// Programs for node-webcl look for these names. node-opencl has them for this reason; they do nothing.

class Wrapper {
  /** The constructor's argument. */
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
