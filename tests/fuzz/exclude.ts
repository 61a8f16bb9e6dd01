import { type DeviceName, type HalfName } from './halves.ts';

/** What is left out, and why. */
interface Exclusion {
  readonly name: RegExp;
  readonly halves?: readonly HalfName[];
  readonly devices?: readonly DeviceName[];
  /** Only with `--real-gpu`. */
  readonly realGpu?: boolean;
  readonly reason: string;
}

const NATIVE: readonly DeviceName[] = ['pocl', 'gpu'];

/** The short list. */
const EXCLUDED: readonly Exclusion[] = [
  {
    name: /^Stream\.prototype\.(?:waitValue|batchMemOp)|^Semaphore\.prototype\.wait|enqueueWaitSemaphore/i,
    reason: 'waits until the program itself ends the wait, which it may never do',
  },
  {
    name: /[fF]romHandle$|fromExternal$|importPointer$|importFrom/,
    devices: NATIVE,
    reason: 'takes a raw value of the driver on trust; the driver follows it',
  },
  {
    name: /^Handle\.prototype\./,
    reason: 'the owning record is internal: whoever releases it destroys what others use',
  },
  {
    name: /[Mm]anaged|memAdvise|memPrefetch|[aA]ttachMem|streamAttach|memRangeAttributes/,
    realGpu: true,
    reason: 'managed memory of a GPU faults in the host’s own accesses',
  },
  {
    name: /^DeviceSettings\.|\.settings$|[rR]eset|[cC]lock.*set|^Mig|createGpuInstance|setPersistence|setEcc|setPower|freeze|restrict/,
    halves: ['nvml'],
    realGpu: true,
    reason: 'changes a machine that others use',
  },
  {
    name: /[mM]ulticast/,
    realGpu: true,
    reason: 'takes what the GPUs of a machine have of one kind between them',
  },
  {
    name: /^profilerSt|createGreen|^GreenContext#new/,
    realGpu: true,
    reason: 'takes parts of a device, or a tool, that others use',
  },
];

/** Whether a target is left out of a run. */
export function isExcluded(name: string, half: HalfName, device: DeviceName, realGpu: boolean): boolean {
  return EXCLUDED.some(
    (row) =>
      row.name.test(name) &&
      (!row.halves || row.halves.includes(half)) &&
      (!row.devices || row.devices.includes(device)) &&
      (!row.realGpu || realGpu),
  );
}

/** What changes a machine, by the calls in the text of a class. */
const CHANGES =
  /nvml(?:Device|System|Unit|GpuInstance|ComputeInstance|VgpuInstance)(?:Set|Reset|Clear|Create|Destroy|Freeze|Modify|Power)/;

/** Whether objects of a value's class are left out on a GPU that others use, whatever the class and its methods are called. */
export function changesMachine(value: object): boolean {
  const made: unknown = (Object.getPrototypeOf(value) as { readonly constructor?: unknown } | null)?.constructor;
  return typeof made === 'function' && CHANGES.test(Function.prototype.toString.call(made));
}

/** What a call on a GPU that others use may name a size of freely: it allocates nothing. All else asks for little. */
export const TAKES_ANY_SIZE: RegExp =
  /^mem(?:cpy|set)|enqueue(?:Copy|Fill|Read|Write)|\.prototype\.(?:get|copy)[A-Z]\w*$/;

/** What compiles takes a thousand times as long as other calls: called a hundredth as often. */
export const SLOW: RegExp =
  /SourceModule#new|dynamicSourceModule|compile|^Program#new|build|[lL]ink|^createProgram|doctor|nvcc|precompile|KernelVariants|findLibraries|supportedArchitectures/;
