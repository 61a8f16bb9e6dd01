import { guard, type Checked } from '../ffi/guard.ts';
import type { Opaque } from '../ffi/ctype.ts';
import { openclError, type OpenCLError } from './errors.ts';
import { extensionTable } from './select.ts';
import { perTable } from './selection.ts';
import type { ExtensionTable } from './sys/tables.ts';
import { extensionFunctions } from './sys/extensions.ts';
import { status as statuses } from './sys/enums.ts';

/** The functions of extensions, throwing {@link OpenCLError}. */
export type ExtensionCalls = Checked<typeof extensionFunctions>;

const INVALID_OPERATION = statuses.CL_INVALID_OPERATION[0];
const known = perTable(() => new Map<bigint, ExtensionCalls>());

/** The extension functions of a platform. One that it lacks throws when it is called. */
export function extensionCalls(platform: Opaque<'cl_platform_id'>): ExtensionCalls {
  const calls = known();
  let found = calls.get(platform);
  if (!found) {
    let table: ExtensionTable | undefined;
    found = guard(extensionFunctions, () => (table ??= extensionTable(platform, missing)), {
      status: 'cl_int',
      // A key may have a version after the function's name.
      error: (routine, status) => openclError(routine.replace(/_v\d+$/, ''), status),
    });
    calls.set(platform, found);
  }
  return found;
}

/** The error of an operation that a platform does not support. */
export function unsupported(routine: string, reason: string): OpenCLError {
  return openclError(routine, INVALID_OPERATION, { reason });
}

function missing(name: string, group: string): Error {
  return unsupported(name, `The driver has no ${name}; a driver with ${group} has it`);
}
