import type { Device } from '../device/device.ts';
import type { KernelAttributes } from './kernel-attributes.ts';

/** The state of a program's build. */
export interface Making {
  stage: 'nothing' | 'object' | 'executable';
  /** It is being built or compiled. */
  busy: boolean;
  devices: readonly Device[];
  /** The options that the compiler was given. */
  options: string;
  logs: ReadonlyMap<string, string>;
  fromCache: boolean;
  /** The attributes of its kernels, for drivers whose binaries do not have them. */
  attributes: KernelAttributes;
  /** It was made of intermediate language. */
  isIL: boolean;
  /** The text in which its kernels are declared. */
  declarations: string;
}

/** Not a member of the program: code that could change it could make kernels of a value that is not a program. */
const makings = new WeakMap<object, Making>();

/** Begin to record the state of a program's build. */
export function beginMaking(program: object, devices: readonly Device[], source: string): void {
  makings.set(program, {
    stage: 'nothing',
    busy: false,
    devices,
    options: '',
    logs: new Map(),
    fromCache: false,
    attributes: new Map(),
    isIL: false,
    declarations: source,
  });
}

/** The state of a program's build. */
export function makingOf(program: object): Making {
  return makings.get(program) as Making;
}

/** Whether a value is a program: its own record says so, and not a prototype. */
export function isProgram(value: unknown): boolean {
  return makings.has(value as object);
}
