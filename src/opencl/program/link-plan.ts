import { checkOptions, nameOf } from '../../core/host-memory.ts';
import { checkContext, type Context } from '../device/context.ts';
import type { Device } from '../device/device.ts';
import { requireVersion } from '../device/requirement.ts';
import { joinOptions } from './build-options.ts';
import { checkDevices, idsOf, ProgramBase, type RawProgram } from './program-base.ts';

/** A link: what goes in, and how. */
export interface LinkPlan {
  readonly context: Context;
  readonly devices: readonly Device[];
  readonly ids: BigUint64Array;
  readonly options: string;
  readonly inputs: readonly RawProgram[];
  /** The sources together: what kernels take is read from them where the driver does not tell. */
  readonly declarations: string;
}

/** For which devices programs are linked. */
export interface LinkSettings {
  /** Default: all of the context's. */
  readonly devices?: readonly Device[];
}

/** Check what a link was given. */
export function planLink(
  context: Context,
  programs: readonly ProgramBase[],
  options: string | readonly string[],
  settings: LinkSettings,
  what: string,
): LinkPlan {
  checkContext(context, what);
  checkOptions(settings, ['devices'], what);
  requireVersion(context.platform, 1, 2, what);
  const devices = checkDevices(context, settings.devices ?? context.devices, what);
  if (!Array.isArray(programs) || programs.length === 0) {
    throw new TypeError(`${what} takes an array of at least one compiled Program; ${nameOf(programs)} came`);
  }
  const inputs = programs.map((program: unknown) => {
    if (!(program instanceof ProgramBase)) throw new TypeError(`${what} takes Programs; ${nameOf(program)} came`);
    if (program.context.identity !== context.identity) {
      throw new TypeError(`${what}: a Program of another context came`);
    }
    return program.made(what);
  });
  const declarations = programs.map(({ making }: ProgramBase) => making.declarations).join('\n');
  return { context, devices, ids: idsOf(devices), options: joinOptions(options, what), inputs, declarations };
}
