import type { AnyHandle } from '../../core/handle.ts';
import { checkOptions, nameOf } from '../../core/check.ts';
import { handleOf } from '../../core/resource.ts';
import { cl, cleanup } from '../call.ts';
import type { Context } from '../device/context.ts';
import { requireVersion } from '../device/requirement.ts';
import { joinOptions, takesArgumentInfo, withArgumentInfo } from './build-options.ts';
import type { CompileSettings } from './build-settings.ts';
import type { RawHeaders } from './compile.ts';
import { makingOf } from './making.ts';
import { createFromSource } from './program-binary.ts';
import { checkDevices, idsOf, ProgramBase } from './program-base.ts';
import type { RawProgram } from './raw-program.ts';

/** Headers for one compilation: {@link Headers.release} releases the programs that were made for it. */
export interface Headers extends RawHeaders {
  release(): void;
}

/** A compilation to an object that is about to begin. */
export interface Compilation {
  readonly raw: RawProgram;
  readonly ids: BigUint64Array;
  readonly headers: Headers;
}

/** Check the settings of a compilation to an object, and note them. */
export function startCompilation(
  program: ProgramBase,
  options: string | readonly string[],
  settings: CompileSettings,
): Compilation {
  const what = 'Program.compile';
  const { context, source } = program;
  const making = makingOf(program);
  checkOptions(settings, ['devices', 'headers', 'timeoutMs', 'signal'], what);
  requireVersion(context.platform, 1, 2, what);
  const devices = checkDevices(context, settings.devices ?? program.devices, what);
  const text = joinOptions(options, what);
  const raw = program.native(what);
  const headers = readHeaders(context, settings.headers ?? {}, what);
  making.devices = devices;
  making.options = takesArgumentInfo(source) ? withArgumentInfo(text) : text;
  making.busy = true;
  return { raw, ids: idsOf(devices), headers };
}

/** Read the headers that a user gave: programs, or texts, by the names after `#include`. */
function readHeaders(context: Context, headers: unknown, what: string): Headers {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    throw new TypeError(`${what}: headers must be an object of programs or texts by name, got ${nameOf(headers)}`);
  }
  const made: RawProgram[] = [];
  // A compilation on a thread still uses them after they are closed.
  const owners: AnyHandle[] = [];
  const release = (): void => {
    for (const raw of made.splice(0)) cleanup('Program', () => cl.clReleaseProgram(raw));
    for (const owner of owners.splice(0)) owner.release();
  };
  try {
    const programs = Object.entries(headers).map(([name, header]: [string, unknown]) => {
      if (header instanceof ProgramBase) {
        if (header.context.identity === context.identity && header.source !== '') {
          const raw = header.native(what);
          owners.push(handleOf(header, what).retain());
          return raw;
        }
        throw new TypeError(`${what}: header '${name}' must be a Program of a text, of the same context`);
      }
      if (typeof header !== 'string') {
        throw new TypeError(`${what}: header '${name}' must be a Program or a string, got ${nameOf(header)}`);
      }
      const raw = createFromSource(context, header === '' ? '\n' : header);
      made.push(raw);
      return raw;
    });
    return { names: Object.keys(headers), programs, release };
  } catch (error) {
    release();
    throw error;
  }
}
