import type { AnyHandle } from '../../core/handle.ts';
import { buildHere, cl, cleanup } from '../call.ts';
import { OpenCLError } from '../errors.ts';
import { createFromSource } from '../program/program-binary.ts';
import { KernelWorkGroupInfo } from '../sys/enums.ts';
import type { KernelFacts } from './kernel-base.ts';

/** The platform that takes a struct of any size for a parameter of another, and reads behind its end. */
const UNCHECKED = 'Portable Computing Language';
const PROBE = 'rawkernel_struct_size';
const NAME = /^(?:struct |union |enum )?[A-Za-z_]\w*$/;

/** Of each program, by the type's name. */
const known = new WeakMap<AnyHandle, Map<string, number | undefined>>();

/**
 * The bytes of a type that a program's source declares, where its driver does not compare them with an argument's: the
 * compiler tells by the work-group size of a kernel that is built for the question, once for each type.
 *
 * @returns undefined where the driver compares, or nobody can tell
 */
export function structSize(facts: KernelFacts, type: string): number | undefined {
  const { context, source, owner } = facts;
  if (context.platform.name !== UNCHECKED || source === '' || !NAME.test(type)) return undefined;
  let sizes = known.get(owner);
  if (!sizes) known.set(owner, (sizes = new Map<string, number | undefined>()));
  if (!sizes.has(type)) sizes.set(type, ask(facts, type));
  return sizes.get(type);
}

function ask({ context, source, options, devices: [device] }: KernelFacts, type: string): number | undefined {
  if (!device) return undefined;
  const attribute = `__attribute__((reqd_work_group_size(sizeof(${type}), 1, 1)))`;
  try {
    const program = createFromSource(context, `${source}\n__kernel ${attribute} void ${PROBE}(void) {}\n`);
    try {
      if (buildHere(program, BigUint64Array.of(device.raw), options) !== 0) return undefined;
      const kernel = cl.clCreateKernel(program, PROBE);
      try {
        const sizes = new BigUint64Array(3);
        const [param] = KernelWorkGroupInfo.COMPILE_WORK_GROUP_SIZE;
        cl.clGetKernelWorkGroupInfo(kernel, device.raw, param, sizes.byteLength, sizes, 0n);
        return Number(sizes[0]) || undefined;
      } finally {
        cleanup('Kernel', () => cl.clReleaseKernel(kernel));
      }
    } finally {
      cleanup('Program', () => cl.clReleaseProgram(program));
    }
  } catch (error) {
    if (error instanceof OpenCLError) return undefined;
    throw error;
  }
}
