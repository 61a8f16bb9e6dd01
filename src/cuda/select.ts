import type * as Embedded from '../cpu/device.ts';
import { sayChecked, wantsChecks } from '../core/check-mode.ts';
import { sayStandIn } from '../core/embedded-notice.ts';
import { deviceVariable } from '../core/environment.ts';
import { LibraryNotFoundError } from '../core/errors.ts';
import { startAhead } from '../core/kernel-thread.ts';
import { CHECKS, type CheckedDevice } from '../core/kernel-report.ts';
import { requireModule } from '../core/require-module.ts';
import { withChecks } from '../ffi/bind.ts';
import { isAbsent, namedFile, variableOf } from '../ffi/library.ts';
import { driverLibrary, HOT } from './libraries/driver/table.ts';
import { nvJitLinkLibrary, type NvJitLinkTable } from './libraries/nvjitlink/table.ts';
import { nvrtcLibrary } from './libraries/nvrtc/table.ts';
import { nvtxLibrary, type NvtxTable } from './libraries/nvtx/table.ts';
import { nvvmLibrary, type NvvmTable } from './libraries/nvvm/table.ts';
import type { DriverTable, NvrtcTable } from './sys/tables.ts';
import { DRIVER } from './toolkit.ts';

let driverTable: DriverTable | undefined;
let nvrtcTable: NvrtcTable | undefined;
let said = false;

const NO_DEVICE = 100;

/**
 * The driver's table: libcuda's, or the embedded device's. `RAWKERNEL_DEVICE` chooses; without it the embedded device
 * stands in where there is no driver or no GPU, or `RAWKERNEL_CPU_CHECK` asks for checks, and a line on stderr says so.
 *
 * @throws {@link LibraryNotFoundError} the driver is required and not installed, or cannot be loaded
 */
export function driver(): DriverTable {
  driverTable ??= wantsEmbedded() ? embeddedDriver() : driverLibrary.native();
  return driverTable;
}

function wantsEmbedded(): boolean {
  const choice = deviceVariable();
  if (wantsChecks(variableOf(DRIVER))) {
    sayChecked('CUDA');
    return true;
  }
  if (choice !== 'auto') return choice === 'cpu';
  const missing = missingGpu();
  if (missing === undefined) return false;
  say(missing);
  return true;
}

/** What is missing for a GPU. Undefined where nothing is, or where an installed driver does not work. */
function missingGpu(): string | undefined {
  // An explicit library path disables the fallback.
  if (namedFile(DRIVER) !== undefined) return undefined;
  try {
    return driverLibrary.native().cuInit(0) === NO_DEVICE ? "CUDA's driver finds no GPU" : undefined;
  } catch (error) {
    if (!(error instanceof LibraryNotFoundError)) throw error;
    return isAbsent(error) ? 'no CUDA driver is installed' : undefined;
  }
}

function say(missing: string): void {
  if (said) return;
  said = true;
  sayStandIn(`${missing}: CUDA runs on the embedded CPU device (RAWKERNEL_DEVICE=cpu: without this line; gpu: never)`);
}

/** The embedded device, under the same checks as a library. */
interface EmbeddedTables {
  readonly driver: DriverTable;
  readonly nvrtc: NvrtcTable;
  readonly compilerVersion: () => string;
  readonly wasmOf: (image: Uint8Array) => Uint8Array | undefined;
}

interface Offers {
  readonly [CHECKS]?: CheckedDevice;
}

let loaded: EmbeddedTables | undefined;

/** Programs that ask for the driver tend to launch kernels; NVRTC alone needs no thread. */
function embeddedDriver(): DriverTable {
  startAhead(import.meta.url, '../cpu/runtime/worker.js');
  return embedded().driver;
}

/** Programs that run on a GPU never load it. */
function embedded(): EmbeddedTables {
  if (loaded) return loaded;
  const device = requireModule(import.meta.url, '../cpu/device.js') as typeof Embedded;
  const raw: DriverTable & Offers = device.driver();
  return (loaded = {
    driver: Object.assign(driverLibrary.watched(withChecks(driverLibrary.functions, raw, HOT)), {
      [CHECKS]: raw[CHECKS],
    }),
    nvrtc: nvrtcLibrary.watched(withChecks(nvrtcLibrary.functions, device.nvrtc())),
    compilerVersion: device.compilerVersion,
    wasmOf: device.wasmOf,
  });
}

/**
 * The embedded device's tables where CUDA runs on it: settles which device it is.
 * @internal
 */
export function chosenEmbedded(): EmbeddedTables | undefined {
  if (!driverTable && wantsEmbedded()) driverTable = embedded().driver;
  return driverTable !== undefined && driverTable === loaded?.driver ? loaded : undefined;
}

/**
 * NVRTC's table, or the embedded compiler's where CUDA runs on the embedded device. NVRTC needs neither GPU nor driver:
 * `RAWKERNEL_DEVICE=gpu` compiles for GPUs on a machine without one.
 *
 * @throws {@link LibraryNotFoundError} no NVRTC is installed
 */
export function nvrtc(): NvrtcTable {
  return nvrtcTable ?? chosenEmbedded()?.nvrtc ?? nvrtcLibrary.native();
}

/**
 * The checked mode of the table in use.
 * @internal
 */
export function checksOf(): CheckedDevice | undefined {
  return (driver() as DriverTable & Offers)[CHECKS];
}

/**
 * Put other tables under the whole half: a fake in a test, another device. A fake stays: what was dropped is destroyed when it is
 * collected, and the machine's driver does not survive handles that another one made up.
 * @internal
 */
export function useTables(tables: {
  driver?: DriverTable | undefined;
  nvrtc?: NvrtcTable | undefined;
  nvtx?: NvtxTable | null | undefined;
  nvJitLink?: NvJitLinkTable | undefined;
  nvvm?: NvvmTable | undefined;
}): void {
  if ('driver' in tables) driverTable = tables.driver;
  if ('nvtx' in tables) nvtxLibrary.use(tables.nvtx);
  if ('nvJitLink' in tables) nvJitLinkLibrary.use(tables.nvJitLink);
  if ('nvvm' in tables) nvvmLibrary.use(tables.nvvm);
  if (!('nvrtc' in tables)) return;
  nvrtcTable = tables.nvrtc;
  nvrtcLibrary.use(undefined);
}
