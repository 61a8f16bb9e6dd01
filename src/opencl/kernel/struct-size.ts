import type { Opaque } from '../../ffi/ctype.ts';
import { buildHere, cl, cleanup } from '../call.ts';
import { OpenCLError } from '../errors.ts';
import { createFromText } from '../program/program-binary.ts';
import { KernelWorkGroupInfo } from '../sys/enums.ts';
import type { KernelFacts } from './kernel-base.ts';

/** The platform that accepts a struct of a wrong size, and reads past its end. */
const UNCHECKED = 'Portable Computing Language';
const PROBE = 'rawkernel_struct_size';
const NAME = /^(?:struct |union |enum )?[A-Za-z_]\w*$/;

/** The source, the options and the target of a build. */
export interface Built {
  readonly context: Opaque<'cl_context'>;
  readonly device: Opaque<'cl_device_id'>;
  /** The name of its platform. */
  readonly platform: string;
  readonly source: string;
  readonly options: string;
}

const MAX_ANSWERS = 64;
const answers = new Map<string, number | undefined>();
/** The sizes by owner and by the type's name. */
const known = new WeakMap<object, Map<string, number | undefined>>();

/**
 * The size of a type that a program's source declares, where its driver does not compare it with an argument's: the compiler
 * reports it as the work-group size of a kernel that is built for the purpose, once for each type.
 *
 * @returns undefined where the driver compares, or the size cannot be determined
 */
export function structSize(facts: KernelFacts, type: string): number | undefined {
  const { context, source, options, owner } = facts;
  return typeSize(owner, type, () => {
    const [device] = facts.devices;
    const platform = context.platform.name;
    return device && { context: context.use('struct'), device: device.raw, platform, source, options };
  });
}

/**
 * The same for any program that was built.
 *
 * @param owner - the sizes are cached as long as it lives
 */
export function typeSize(owner: object, type: string, read: () => Built | undefined): number | undefined {
  if (!NAME.test(type)) return undefined;
  let sizes = known.get(owner);
  if (!sizes) known.set(owner, (sizes = new Map<string, number | undefined>()));
  if (!sizes.has(type)) {
    const built = read();
    sizes.set(type, built?.platform === UNCHECKED && built.source !== '' ? askOnce(built, type) : undefined);
  }
  return sizes.get(type);
}

/** Kernels of one program are made again and again: a build for each would take longer than the kernels. */
function askOnce(built: Built, type: string): number | undefined {
  const key = [built.device, type, built.options, built.source].join('\0');
  if (!answers.has(key)) {
    if (answers.size === MAX_ANSWERS) answers.clear();
    answers.set(key, ask(built, type));
  }
  return answers.get(key);
}

function ask({ context, source, options, device }: Built, type: string): number | undefined {
  const attribute = `__attribute__((reqd_work_group_size(sizeof(${type}), 1, 1)))`;
  try {
    const program = createFromText(context, `${source}\n__kernel ${attribute} void ${PROBE}(void) {}\n`);
    try {
      if (buildHere(program, BigUint64Array.of(device), options) !== 0) return undefined;
      const kernel = cl.clCreateKernel(program, PROBE);
      try {
        const sizes = new BigUint64Array(3);
        const [param] = KernelWorkGroupInfo.COMPILE_WORK_GROUP_SIZE;
        cl.clGetKernelWorkGroupInfo(kernel, device, param, sizes.byteLength, sizes, 0n);
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
