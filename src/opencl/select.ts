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
import { bind, bindAddresses, withChecks, wrapTable } from '../ffi/bind.ts';
import { isAbsent, namedFile, openLibrary, variableOf, type LibraryDescription } from '../ffi/library.ts';
import { traced } from '../ffi/traced.ts';
import { mergedTable } from './merge.ts';
import { whoHas } from './older/since.ts';
import { withOlderForms } from './older/table.ts';
import { hushEmbedded } from './stand-in-notice.ts';
import { EXTENSIONS, extensionFunctions } from './sys/extensions.ts';
import { functions } from './sys/opencl.ts';
import type { ExtensionTable, OpenCLTable } from './sys/tables.ts';

/** Their arguments are ready-made by the kernel call, which has checked them. */
export const HOT: readonly string[] = ['clSetKernelArg', 'clEnqueueNDRangeKernel', 'clReleaseEvent'];

/** What finds the drivers. */
export const LOADER: LibraryDescription = {
  title: 'the OpenCL loader',
  variable: 'RAWKERNEL_LIBOPENCL',
  symbol: 'clGetPlatformIDs',
  names: {
    linux: ['libOpenCL.so.1', 'libOpenCL.so'],
    win32: ['OpenCL.dll'],
    darwin: ['/System/Library/Frameworks/OpenCL.framework/OpenCL'],
  },
  advice: [
    'on Debian or Ubuntu, for the CPU: apt-get install ocl-icd-libopencl1 pocl-opencl-icd',
    'on Fedora, for the CPU: dnf install ocl-icd pocl',
    "for a GPU: install its vendor's driver, which brings an OpenCL driver along",
    'or without any of them: RAWKERNEL_DEVICE=cpu runs OpenCL on the embedded CPU device',
  ],
};

let current: OpenCLTable | undefined;

/**
 * The table in use. `RAWKERNEL_DEVICE` chooses: `gpu` takes what the installed loader has, `cpu` the embedded platform
 * alone; without it the embedded platform comes last in the loader's list, and is all there is where there is no loader or
 * `RAWKERNEL_CPU_CHECK` asks for checks.
 *
 * @throws {@link LibraryNotFoundError} the loader is wanted and not installed, or cannot be loaded
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
    // Who names a library wants that one.
    if (!(error instanceof LibraryNotFoundError) || namedFile(LOADER) !== undefined || !isAbsent(error)) throw error;
    return embedded();
  }
}

function native(): OpenCLTable {
  return withOlderForms(announced(bind(functions, openLibrary(LOADER), HOT, whoHas)));
}

/** With `RAWKERNEL_TRACE=calls` each call is printed; without it the table is as it was. */
function announced(table: OpenCLTable): OpenCLTable {
  return traceCalls ? wrapTable(functions, table, (...call) => traced(...call)) : table;
}

let loaded: CheckedOpenCL | undefined;

/** Programs that run on other devices never load it. */
function embedded(): CheckedOpenCL {
  if (loaded) return loaded;
  const raw = (requireModule(import.meta.url, '../cpu/opencl-device.js') as typeof Embedded).opencl();
  return (loaded = Object.assign(announced(withChecks(functions, raw, HOT)), {
    [CHECKS]: raw[CHECKS],
    [EXTENSIONS]: withChecks(extensionFunctions, raw[EXTENSIONS]),
  }));
}

/**
 * The extension functions of a platform: by the addresses that its driver gives, or a table's own.
 *
 * @param missing - the error of a function that is not there
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
 * The checked mode of the embedded platform, once something was done with it.
 * @internal
 */
export function checksOf(): CheckedDevice | undefined {
  return (current as (OpenCLTable & Offers) | undefined)?.[CHECKS] ?? loaded?.[CHECKS];
}

/**
 * Put another table under everything; undefined goes back to the installed loader. Objects made before belong to the
 * table that they were made with: use none of them afterwards.
 * @internal
 */
export function useOpenCL(table: OpenCLTable | undefined): void {
  current = table;
}
