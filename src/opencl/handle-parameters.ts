import { widesAt, type Pointer } from '../ffi/pointer.ts';
import type { Parameter } from '../ffi/prototype.ts';
import { status } from './sys/enums.ts';
import { structs } from './sys/structs.ts';

/** The status of a call with a handle of the wrong implementation. */
const REFUSALS: Readonly<Record<string, number>> = {
  cl_device_id: status.CL_INVALID_DEVICE[0],
  cl_context: status.CL_INVALID_CONTEXT[0],
  cl_command_queue: status.CL_INVALID_COMMAND_QUEUE[0],
  cl_mem: status.CL_INVALID_MEM_OBJECT[0],
  cl_program: status.CL_INVALID_PROGRAM[0],
  cl_kernel: status.CL_INVALID_KERNEL[0],
  cl_event: status.CL_INVALID_EVENT_WAIT_LIST[0],
  cl_sampler: status.CL_INVALID_SAMPLER[0],
};

/** Whether a handle of a type is not an object of the implementation that is called. */
export type IsForeign = (handle: bigint, type: string, args: readonly unknown[]) => boolean;

/**
 * Looks for handles of one implementation among the arguments for another, which would read them as addresses of its own:
 * alone, in lists, in the description of an image. Undefined for a function that has no other handles.
 *
 * @param first - the parameter that decides which implementation is called
 * @returns the status of the refused call, or undefined
 */
export function refusal(
  params: readonly Parameter[],
  first: number,
  isForeign: IsForeign,
): ((args: readonly unknown[]) => number | undefined) | undefined {
  const others = params.flatMap((param, i) => (i !== first && isHandle(param) ? [[i, param.type] as const] : []));
  const lists = params.flatMap((param, i) => (isList(param, params[i - 1]) ? [[i, param.type] as const] : []));
  const image = params.findIndex(({ type }) => type === 'cl_image_desc');
  if (others.length + lists.length === 0 && image < 0) return undefined;
  return (args) => {
    for (const [i, type] of others) if (isForeign(args[i] as bigint, type, args)) return REFUSALS[type];
    for (const [i, type] of lists) {
      for (const handle of handlesIn(args, i)) if (isForeign(handle, type, args)) return REFUSALS[type];
    }
    const under = image >= 0 ? memoryUnder(args[image] as Pointer) : 0n;
    return isForeign(under, 'cl_mem', args) ? REFUSALS['cl_mem'] : undefined;
  };
}

/** The handles of a list among the arguments; its length comes before it. */
export function handlesIn(args: readonly unknown[], at: number): readonly bigint[] {
  const count = args[at - 1] as number;
  return count === 0 || args[at] === 0n ? [] : [...widesAt(args[at] as Pointer, count)];
}

/** The object that an image is a view of. */
function memoryUnder(description: Pointer): bigint {
  if (description === 0n) return 0n;
  const { size, fields } = structs.cl_image_desc;
  return widesAt(description, size / 8)[fields.mem_object / 8] ?? 0n;
}

/** Whether a parameter is a list of handles. */
export function isList({ type, stars, out }: Parameter, before: Parameter | undefined): boolean {
  return stars === 1 && !out && type in REFUSALS && before?.type === 'cl_uint';
}

/** Whether a parameter is a handle. */
export function isHandle({ type, stars }: Parameter): boolean {
  return stars === 0 && (type in REFUSALS || type === 'cl_platform_id');
}
