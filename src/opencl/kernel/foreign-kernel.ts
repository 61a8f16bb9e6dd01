import { handleOf } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import { checkForeignContext, foreignHandle, type ForeignOptions } from '../foreign.ts';
import { readInfo } from '../info.ts';
import { programFacts } from '../program/foreign-program.ts';
import { KernelInfo } from '../sys/enums.ts';
import { kernelParameters } from './kernel-arguments.ts';
import type { KernelFacts } from './kernel-base.ts';

/** The facts about a kernel of another library, from the driver; a reference is taken. */
export function foreignKernel(context: Context, handle: Opaque<'cl_kernel'>, options: ForeignOptions): KernelFacts {
  const what = 'Kernel.fromHandle';
  checkContext(context, what);
  const raw = foreignHandle(handle, options, what);
  const owner = handleOf(context, 'fromHandle');
  const query = cl.clGetKernelInfo.bind(undefined, raw);
  const ask = (name: KernelInfo): unknown => readInfo(KernelInfo, query, name, undefined, 'Kernel');
  checkForeignContext(ask('CONTEXT'), context, what);
  const program = programFacts(ask('PROGRAM') as Opaque<'cl_program'>, context, what);
  const name = ask('FUNCTION_NAME') as string;
  const parameters = kernelParameters(raw, name, ask('NUM_ARGS') as number, program.source);
  const { devices, source } = program;
  const facts = { name, raw, owner, context, devices, parameters, source, options: program.options, isForeign: true };
  if (options.retain !== false) cl.clRetainKernel(raw);
  return facts;
}
