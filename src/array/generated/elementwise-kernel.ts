import { Callable } from '../../core/callable.ts';
import { checkOptions } from '../../core/check.ts';
import { FlatProgram } from './flat-program.ts';
import { KernelArguments } from './kernel-arguments.ts';
import { checkText, checkUserOptions, kernelName, type UserTextOptions } from './user-text.ts';

export interface ElementwiseKernelOptions extends UserTextOptions {
  readonly name?: string | undefined;
  readonly loopPrep?: string | undefined;
  readonly afterLoop?: string | undefined;
}

const OPTIONS = ['name', 'preamble', 'options', 'loopPrep', 'afterLoop', 'types'];
const WHAT = 'ElementwiseKernel';

export interface ElementwiseKernel {
  (...args: readonly unknown[]): void;
}
/* eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is callable */
export class ElementwiseKernel extends Callable {
  readonly #program: FlatProgram;
  constructor(parameters: string | readonly string[], operation: string, options: ElementwiseKernelOptions = {}) {
    checkOptions(options, OPTIONS, WHAT);
    const name = kernelName(options.name, 'elementwise', WHAT);
    checkText(operation, `${WHAT}: the operation`);
    checkUserOptions(options, WHAT);
    const { loopPrep = '', afterLoop = '' } = options;
    const list = new KernelArguments(parameters, name, { types: options.types, reserved: ['i'] });
    const program = new FlatProgram({ ...options, name, parameters: list, operation, loopPrep, afterLoop });
    super((...args: readonly unknown[]) => {
      program.run(args);
    }, name);
    this.#program = program;
  }
  get source(): string | undefined {
    return this.#program.source;
  }
}
