import type { Context } from '../device/context.ts';
import { planLink, type LinkSettings } from './link-plan.ts';
import { linkNow } from './linked.ts';
import type { ProgramBase } from './program-base.ts';
import { adoptProgram, type Program } from './program.ts';

/**
 * Link objects that {@link Program}'s `compile` made to a program whose kernels can be called. With `-create-library`
 * among the options it becomes a library, for other links.
 *
 * Host: blocks; `Program.link` does not.
 *
 * @param context - of the programs
 * @param programs - compiled, or libraries
 * @param options - the linker's: a string as it is, or a list of single options
 * @param settings - for which devices, and how long the embedded device may take; another driver's work cannot be ended
 * while this thread waits
 * @throws {@link BuildError} a function is missing or defined twice
 * @throws TypeError a `signal`, which nothing could abort
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using part = new cl.Program(ctx, 'int twice(int x) { return 2 * x; }').compile();
 * using main = new cl.Program(
 *   ctx,
 *   'int twice(int x);\n__kernel void f(__global int *a) { a[0] = twice(a[0]); }',
 * ).compile();
 * using prg = cl.linkProgram(ctx, [main, part]);
 * console.log(prg.kernelNames);
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clLinkProgram.html | clLinkProgram}
 */
export function linkProgram(
  context: Context,
  programs: readonly ProgramBase[],
  options: string | readonly string[] = '',
  settings: LinkSettings = {},
): Program {
  const plan = planLink(context, programs, options, settings, 'linkProgram');
  return linkNow(plan, settings, 'linkProgram', (raw) => adoptProgram(context, raw, plan.devices));
}
