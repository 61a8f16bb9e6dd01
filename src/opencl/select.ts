import { sayChecked, wantsChecks } from '../core/check-mode.ts';
import { isEmbeddedHandle } from '../core/embedded-handle.ts';
import { deviceVariable } from '../core/environment.ts';
import { LibraryNotFoundError } from '../core/errors.ts';
import { CHECKS, type CheckedDevice } from '../core/kernel-report.ts';
import { requireModule } from '../core/require-module.ts';
import type * as Embedded from '../cpu/opencl-device.ts';
import { traceCalls } from '../core/trace.ts';
import type { CheckedOpenCL } from '../cpu/opencl-table.ts';
import type { Opaque } from '../ffi/ctype.ts';
import { bindAddresses, withChecks, wrapTable } from '../ffi/bind.ts';
import { isAbsent, namedFile, variableOf } from '../ffi/library.ts';
import { traced } from '../ffi/traced.ts';
import { mergedTable } from './merge.ts';
import { withOlderForms } from './older/table.ts';
import { hushEmbedded } from './stand-in-notice.ts';
import { EXTENSIONS, extensionFunctions } from './sys/extensions.ts';
import type { ExtensionTable, OpenCLTable } from './sys/tables.ts';
import { HOT, LOADER, loaderLibrary } from './table.ts';

let current: OpenCLTable | undefined;

/**
 * The table in use. `RAWKERNEL_DEVICE` chooses: `gpu` takes the platforms of the installed loader, `cpu` the embedded
 * platform alone; without it the embedded platform comes last in the loader's list, and is the only one where there is no loader
 * or `RAWKERNEL_CPU_CHECK` asks for checks.
 *
 * @throws {@link LibraryNotFoundError} the loader is required and not installed, or cannot be loaded
 */
export function opencl(): OpenCLTable {
  return (current ??= chosen());
}

function chosen(): OpenCLTable {
  const choice = deviceVariable();
  if (wantsChecks(variableOf(LOADER))) {
    // Other platforms would run kernels without checks, and nothing would say so.
    hushEmbedded();
    sayChecked('OpenCL');
    return embedded();
  }
  if (choice === 'cpu') return embedded();
  if (choice === 'gpu') return native();
  try {
    return mergedTable(native(), embedded);
  } catch (error) {
    // An explicit library path disables the fallback.
    if (!(error instanceof LibraryNotFoundError) || namedFile(LOADER) !== undefined || !isAbsent(error)) throw error;
    return embedded();
  }
}

function native(): OpenCLTable {
  return withOlderForms(loaderLibrary.native());
}

let loaded: CheckedOpenCL | undefined;

/** Programs that run on other devices never load it. */
function embedded(): CheckedOpenCL {
  if (loaded) return loaded;
  const raw = (requireModule(import.meta.url, '../cpu/opencl-device.js') as typeof Embedded).opencl();
  return (loaded = Object.assign(loaderLibrary.watched(withChecks(loaderLibrary.functions, raw, HOT)), {
    [CHECKS]: raw[CHECKS],
    [EXTENSIONS]: withChecks(extensionFunctions, raw[EXTENSIONS]),
  }));
}

/**
 * The extension functions of a platform: by the addresses that its driver gives, or a table's own.
 *
 * @param missing - the error of a missing function
 */
export function extensionTable(
  platform: Opaque<'cl_platform_id'>,
  missing: (name: string, group: string) => Error,
): ExtensionTable {
  const table = opencl();
  const functions =
    (table as OpenCLTable & Offers)[EXTENSIONS] ?? (isEmbeddedHandle(platform) ? embedded()[EXTENSIONS] : undefined);
  if (functions) return functions;
  const bound = bindAddresses(
    extensionFunctions,
    // Koffi gives null for NULL.
    (name) => (table.clGetExtensionFunctionAddressForPlatform(platform, name) as bigint | null) ?? 0n,
    missing,
  );
  return traceCalls ? wrapTable(extensionFunctions, bound, (...call) => traced(...call)) : bound;
}

interface Offers {
  readonly [CHECKS]?: CheckedDevice;
  readonly [EXTENSIONS]?: ExtensionTable;
}

/**
 * The checked mode of the embedded platform, once the platform is in use.
 * @internal
 */
export function checksOf(): CheckedDevice | undefined {
  return (current as (OpenCLTable & Offers) | undefined)?.[CHECKS] ?? loaded?.[CHECKS];
}

/**
 * Replace the table; undefined restores the installed loader's. Earlier objects belong to the earlier table and must not
 * be used afterwards.
 * @internal
 */
export function useOpenCL(table: OpenCLTable | undefined): void {
  current = table;
  if (table === undefined) loaderLibrary.use(undefined);
}
