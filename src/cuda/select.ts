import type * as Embedded from '../cpu/device.ts';
import { sayChecked, wantsChecks } from '../core/check-mode.ts';
import { deviceVariable } from '../core/environment.ts';
import { LibraryNotFoundError } from '../core/errors.ts';
import { CHECKS, type CheckedDevice } from '../core/kernel-report.ts';
import { requireModule } from '../core/require-module.ts';
import { beforeTimelineCloses, timeline } from '../core/timeline.ts';
import { traceCalls } from '../core/trace.ts';
import { bind, withChecks, wrapTable } from '../ffi/bind.ts';
import { isAbsent, namedFile, openLibrary, variableOf } from '../ffi/library.ts';
import type { Bound, Table } from '../ffi/prototype.ts';
import { traced } from '../ffi/traced.ts';
import { showLaunchConfig } from './launch-config.ts';
import { functions as driverFunctions, since } from './sys/driver.ts';
import { functions as nvJitLinkFunctions } from './sys/nvjitlink.ts';
import { functions as nvrtcFunctions, nvrtcSince } from './sys/nvrtc.ts';
import { functions as nvtxFunctions } from './sys/nvtx.ts';
import { functions as nvvmFunctions } from './sys/nvvm.ts';
import type { DriverTable, NvJitLinkTable, NvrtcTable, NvtxTable, NvvmTable } from './sys/tables.ts';
import { DriverTimeline } from './timeline.ts';
import { DRIVER, NVJITLINK, NVRTC, NVTX, NVVM, toolkits } from './toolkit.ts';

/** What compiles CUDA C++ in this process, and where headers may be. */
export interface NvrtcToolchain {
  readonly version: string;
  /** The library's file, as the loader was asked for it. */
  readonly path?: string | undefined;
  /** Folders of toolkits. */
  readonly homes: readonly string[];
}

/**
 * Functions whose callers check the arguments themselves: the launch path and the queries that polling asks.
 * @internal
 */
export const HOT: readonly string[] = ['cuLaunchKernel', 'cuLaunchKernelEx', 'cuEventQuery', 'cuStreamQuery'];

let driverTable: DriverTable | undefined;
let nvrtcTable: NvrtcTable | undefined;
let nativeNvrtc: NvrtcTable | undefined;
let nvrtcFile: string | undefined;

/**
 * The driver's table: libcuda's, or the embedded device's. `RAWKERNEL_DEVICE` chooses; without it the embedded device
 * stands in where there is no driver or no GPU, or `RAWKERNEL_CPU_CHECK` asks for checks, and a line on stderr says so.
 *
 * @throws {@link LibraryNotFoundError} the driver is wanted and not installed, or cannot be loaded
 */
export function driver(): DriverTable {
  driverTable ??= wantsEmbedded() ? embedded().driver : nativeDriver();
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

/** What of a GPU is not there. Undefined where it is, and where something is there that does not work. */
function missingGpu(): string | undefined {
  // Who names a library wants that one.
  if (namedFile(DRIVER) !== undefined) return undefined;
  try {
    return nativeDriver().cuInit(0) === NO_DEVICE ? "CUDA's driver finds no GPU" : undefined;
  } catch (error) {
    if (!(error instanceof LibraryNotFoundError)) throw error;
    return isAbsent(error) ? 'no CUDA driver is installed' : undefined;
  }
}

const NO_DEVICE = 100;

let said = false;

function say(missing: string): void {
  if (said) return;
  said = true;
  process.stderr.write(
    `rawkernel: ${missing}: CUDA runs on the embedded CPU device (RAWKERNEL_DEVICE=cpu: without this line; gpu: never)\n`,
  );
}

let native: DriverTable | undefined;

function nativeDriver(): DriverTable {
  if (native) return native;
  const library = openLibrary(DRIVER);
  const table: DriverTable = bind(driverFunctions, library, HOT, (name) =>
    since[name] === undefined ? undefined : `drivers for CUDA ${since[name]} and newer have it`,
  );
  library.describeVersion(() => versionOf(table));
  return (native = watchedDriver(table));
}

/** With `RAWKERNEL_TRACE` the calls are watched; without it the table is as it was. */
function watchedDriver(table: DriverTable): DriverTable {
  const file = timeline();
  if (!file) return announced(driverFunctions, table);
  const watcher = new DriverTimeline(table, file);
  beforeTimelineCloses(() => watcher.finish());
  return wrapTable(driverFunctions, announced(driverFunctions, table), (...call) => watcher.watch(...call));
}

function announced<T extends Table>(functions: T, table: Bound<T>): Bound<T> {
  if (!traceCalls) return table;
  return wrapTable(functions, table, (...call) => traced(...call, { CUlaunchConfig: showLaunchConfig }));
}

/** The embedded device, under the same checks as a library. */
interface EmbeddedTables {
  readonly driver: DriverTable;
  readonly nvrtc: NvrtcTable;
  readonly compilerVersion: () => string;
  readonly wasmOf: (image: Uint8Array) => Uint8Array | undefined;
}

let loaded: EmbeddedTables | undefined;

/** Programs that run on a GPU never load it. */
function embedded(): EmbeddedTables {
  if (loaded) return loaded;
  const device = requireModule(import.meta.url, '../cpu/device.js') as typeof Embedded;
  const raw: DriverTable & Offers = device.driver();
  return (loaded = {
    driver: Object.assign(watchedDriver(withChecks(driverFunctions, raw, HOT)), { [CHECKS]: raw[CHECKS] }),
    nvrtc: announced(nvrtcFunctions, withChecks(nvrtcFunctions, device.nvrtc())),
    compilerVersion: device.compilerVersion,
    wasmOf: device.wasmOf,
  });
}

/**
 * Whether CUDA runs on the embedded device: settles which device it is. A fake driver leaves the compiler to NVRTC.
 * @internal
 */
export function isEmbedded(): boolean {
  if (!driverTable && wantsEmbedded()) driverTable = embedded().driver;
  return driverTable !== undefined && driverTable === loaded?.driver;
}

/** For which CUDA a driver is. */
export function versionOf(table: Pick<DriverTable, 'cuDriverGetVersion'>): string | undefined {
  const slot = new Int32Array(1);
  if (table.cuDriverGetVersion(slot) !== 0) return undefined;
  const version = slot[0] ?? 0;
  return `for CUDA ${Math.floor(version / 1000)}.${Math.floor((version % 1000) / 10)}`;
}

/**
 * NVRTC's table, or the embedded compiler's where CUDA runs on the embedded device. NVRTC needs neither GPU nor driver:
 * `RAWKERNEL_DEVICE=gpu` compiles for GPUs where there is none.
 *
 * @throws {@link LibraryNotFoundError} no NVRTC is installed
 */
export function nvrtc(): NvrtcTable {
  if (nvrtcTable) return nvrtcTable;
  if (isEmbedded()) return embedded().nvrtc;
  if (nativeNvrtc) return nativeNvrtc;
  const library = openLibrary(NVRTC);
  nvrtcFile = library.path;
  const table: NvrtcTable = bind(nvrtcFunctions, library, [], (name) =>
    nvrtcSince[name] === undefined ? undefined : `NVRTC ${nvrtcSince[name]} and newer have it`,
  );
  library.describeVersion(() => nvrtcVersion(table));
  return (nativeNvrtc = announced(nvrtcFunctions, table));
}

/**
 * Whether the vendor's library compiles: it brings no headers of C's library.
 * @internal
 */
export function isNativeNvrtc(): boolean {
  return nvrtc() === nativeNvrtc;
}

/** NVRTC's own version. */
export function nvrtcVersion(table: Pick<NvrtcTable, 'nvrtcVersion'>): string {
  const numbers = new Int32Array(2);
  table.nvrtcVersion(numbers, numbers.subarray(1));
  return numbers.join('.');
}

/**
 * The WebAssembly in an image that the embedded compiler made; undefined for any other.
 * @internal
 */
export function wasmOf(image: Uint8Array): Uint8Array | undefined {
  return isEmbedded() ? embedded().wasmOf(image) : undefined;
}

let nvJitLinkTable: NvJitLinkTable | undefined;

/**
 * nvJitLink's table. It needs neither GPU nor driver.
 *
 * @throws {@link LibraryNotFoundError} no nvJitLink is installed
 */
export function nvJitLink(): NvJitLinkTable {
  return (nvJitLinkTable ??= announced(nvJitLinkFunctions, bind(nvJitLinkFunctions, openLibrary(NVJITLINK))));
}

let nvvmTable: NvvmTable | undefined;
let nvvmFile: string | undefined;

/**
 * libNVVM's table. It needs neither GPU nor driver.
 *
 * @throws {@link LibraryNotFoundError} no libNVVM is installed
 */
export function nvvm(): NvvmTable {
  if (nvvmTable) return nvvmTable;
  const library = openLibrary(NVVM);
  nvvmFile = library.path;
  return (nvvmTable = announced(nvvmFunctions, bind(nvvmFunctions, library)));
}

/** The file of {@link nvvm}, as the loader was asked for it; undefined before it is open. */
export function nvvmPath(): string | undefined {
  return nvvmFile;
}

let nvtxTable: NvtxTable | null | undefined;

/**
 * NVTX's table; undefined where there is no such library: a program that marks its ranges runs everywhere.
 *
 * @throws {@link LibraryNotFoundError} `RAWKERNEL_LIBNVTX` names a library that cannot be loaded
 */
export function nvtx(): NvtxTable | undefined {
  if (nvtxTable === undefined) nvtxTable = openNvtx();
  return nvtxTable ?? undefined;
}

function openNvtx(): NvtxTable | null {
  try {
    return announced(nvtxFunctions, bind(nvtxFunctions, openLibrary(NVTX)));
  } catch (error) {
    if (!(error instanceof LibraryNotFoundError) || namedFile(NVTX) !== undefined) throw error;
    return null;
  }
}

interface Offers {
  readonly [CHECKS]?: CheckedDevice;
}

/** The checked mode of the device; a GPU has none. */
export function checkedDevice(): CheckedDevice | undefined {
  return (driver() as DriverTable & Offers)[CHECKS];
}

/** What {@link nvrtc} compiles with. */
export function nvrtcToolchain(): NvrtcToolchain {
  const table = nvrtc();
  if (loaded && table === loaded.nvrtc) return { version: loaded.compilerVersion(), homes: [] };
  return { version: `NVRTC ${nvrtcVersion(table)}`, path: nvrtcFile, homes: toolkits() };
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
  if ('nvtx' in tables) nvtxTable = tables.nvtx;
  if ('nvJitLink' in tables) nvJitLinkTable = tables.nvJitLink;
  if ('nvvm' in tables) nvvmTable = tables.nvvm;
  if (!('nvrtc' in tables)) return;
  nvrtcTable = tables.nvrtc;
  nativeNvrtc = undefined;
}
