import { handleOf } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import type { Device } from '../device/device.ts';
import { checkForeignContext, foreignHandle, type ForeignOptions } from '../foreign.ts';
import { OpenCLError } from '../errors.ts';
import { readInfo } from '../info.ts';
import { BuildStatus, ProgramBinaryType, ProgramBuildInfo, ProgramInfo } from '../sys/enums.ts';
import { readLogs } from './build-log.ts';
import type { Making } from './making.ts';
import type { RawProgram } from './raw-program.ts';

/** The facts about a program of another library, from the driver. */
export interface ProgramFacts extends Pick<Making, 'devices' | 'stage' | 'options' | 'logs'> {
  readonly source: string;
}

/** Ask the driver for all facts, refuse a program of another context, and take a reference. */
export function foreignProgram(
  context: Context,
  handle: Opaque<'cl_program'>,
  options: ForeignOptions,
  what: string,
): ProgramFacts & { readonly raw: RawProgram } {
  checkContext(context, what);
  const raw = foreignHandle(handle, options, what);
  handleOf(context, 'fromHandle');
  const facts = programFacts(raw, context, what);
  if (options.retain !== false) cl.clRetainProgram(raw);
  return { ...facts, raw };
}

/** The facts about a program of a context, from the driver. */
export function programFacts(raw: RawProgram, context: Context, what: string): ProgramFacts {
  const query = cl.clGetProgramInfo.bind(undefined, raw);
  const ask = (name: ProgramInfo): unknown => readInfo(ProgramInfo, query, name, undefined, 'Program');
  checkForeignContext(ask('CONTEXT'), context, what);
  const ids = ask('DEVICES') as readonly bigint[];
  const devices = context.devices.filter((device) => ids.includes(device.raw));
  const [device] = devices;
  if (!device) throw new TypeError(`${what}: the program must be for devices of the context`);
  const build = cl.clGetProgramBuildInfo.bind(undefined, raw, device.raw);
  const told = (name: ProgramBuildInfo): unknown => readInfo(ProgramBuildInfo, build, name, undefined, 'Program');
  const built = told('STATUS') === BuildStatus.SUCCESS;
  return {
    devices,
    source: ask('SOURCE') as string,
    stage: built ? stageOf(device, () => told('BINARY_TYPE') as number) : 'nothing',
    options: told('OPTIONS') as string,
    // PoCL has no log of a program that was not built.
    logs: built ? readLogs(raw, devices) : new Map(),
  };
}

function stageOf(device: Device, binaryType: () => number): Making['stage'] {
  // Before OpenCL 1.2 a program is built as a whole.
  if (!device.platform.atLeast(1, 2)) return 'executable';
  try {
    const type = binaryType();
    return type === ProgramBinaryType.COMPILED_OBJECT || type === ProgramBinaryType.LIBRARY ? 'object' : 'executable';
  } catch (error) {
    if (error instanceof OpenCLError) return 'executable';
    throw error;
  }
}
