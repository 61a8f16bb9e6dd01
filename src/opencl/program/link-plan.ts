import type { CompileLimits } from '../../core/compile-scope.ts';
import type { AnyHandle } from '../../core/handle.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { handleOf } from '../../core/resource.ts';
import { checkContext, type Context } from '../device/context.ts';
import type { Device } from '../device/device.ts';
import { requireVersion } from '../device/requirement.ts';
import { joinOptions } from './build-options.ts';
import { makingOf } from './making.ts';
import { checkDevices, idsOf, ProgramBase } from './program-base.ts';
import type { RawProgram } from './raw-program.ts';

/** A link: its inputs and options. */
export interface LinkPlan {
  readonly context: Context;
  readonly devices: readonly Device[];
  readonly ids: BigUint64Array;
  readonly options: string;
  readonly inputs: readonly RawProgram[];
  /** The records of the inputs. */
  readonly owners: readonly AnyHandle[];
  /** The sources together: parameters are read from them where the driver does not report them. */
  readonly declarations: string;
}

/** The devices that programs are linked for, and the time limit. */
export interface LinkSettings extends CompileLimits {
  /** Default: all of the context's. */
  readonly devices?: readonly Device[];
}

/** Check the arguments of a link. */
export function planLink(
  context: Context,
  programs: readonly ProgramBase[],
  options: string | readonly string[],
  settings: LinkSettings,
  what: string,
): LinkPlan {
  checkContext(context, what);
  checkOptions(settings, ['devices', 'timeoutMs', 'signal'], what);
  requireVersion(context.platform, 1, 2, what);
  const devices = checkDevices(context, settings.devices ?? context.devices, what);
  if (!Array.isArray(programs) || programs.length === 0) {
    throw new TypeError(`${what} takes an array of at least one compiled Program, got ${nameOf(programs)}`);
  }
  const inputs = Array.from(programs, (program: unknown, i) => {
    if (!(program instanceof ProgramBase)) throw new TypeError(`${what} takes Programs, got ${nameOf(program)}`);
    if (program.context.identity !== context.identity) {
      throw new TypeError(`${what}: programs must belong to this context, got a Program of another context`);
    }
    const raw = program.made(what);
    // NVIDIA's driver reads the code of an executable as that of an object, which ends the process.
    if (makingOf(program).stage === 'object') return raw;
    throw new TypeError(
      `${what}: program ${i} must be an object that compile() made, or a library; it is already built`,
    );
  });
  const declarations = programs.map((program: ProgramBase) => makingOf(program).declarations).join('\n');
  const owners = programs.map((program: ProgramBase) => handleOf(program, what));
  return { context, devices, ids: idsOf(devices), options: joinOptions(options, what), inputs, owners, declarations };
}
