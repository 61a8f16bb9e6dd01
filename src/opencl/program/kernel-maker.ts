import type { BuiltProgram } from './built-program.ts';

type Maker = (program: BuiltProgram, name: string) => object;

let maker: Maker;

/** Register how a program makes a kernel: the class of kernels lies above programs, and does this. */
export function makeKernelsWith(make: Maker): void {
  maker = make;
}

/** The registered function. */
export function kernelMaker(): Maker {
  return maker;
}
