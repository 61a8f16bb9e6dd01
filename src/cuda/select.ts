import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type * as Embedded from '../cpu/device.ts';
import { bind } from '../ffi/bind.ts';
import { openLibrary, type LibraryDescription } from '../ffi/library.ts';
import type { Bound } from '../ffi/prototype.ts';
import { functions as driverFunctions } from './sys/driver.ts';
import { functions as nvrtcFunctions } from './sys/nvrtc.ts';

/** The CUDA driver's functions, from wherever they come. */
export type DriverTable = Bound<typeof driverFunctions>;

/** NVRTC's functions. */
export type NvrtcTable = Bound<typeof nvrtcFunctions>;

/** What compiles CUDA C++ in this process, and where headers may be. */
export interface NvrtcToolchain {
  readonly version: string;
  /** The library's file, as the loader was asked for it. */
  readonly path?: string | undefined;
  /** Folders of toolkits. */
  readonly homes: readonly string[];
}

/** Functions whose callers check the arguments themselves: the launch path and the queries that polling asks. */
const HOT = ['cuLaunchKernel', 'cuLaunchKernelEx', 'cuEventQuery', 'cuStreamQuery'];

const DRIVER: LibraryDescription = {
  title: 'the CUDA driver',
  variable: 'RAWKERNEL_LIBCUDA',
  names: { linux: ['libcuda.so.1', 'libcuda.so'], win32: ['nvcuda.dll'] },
  advice: [
    "install NVIDIA's driver: https://www.nvidia.com/drivers (in a container: start it with --gpus all)",
    'on WSL 2: install the driver on Windows and put /usr/lib/wsl/lib on the library path',
  ],
};

const NVRTC: LibraryDescription = {
  title: 'NVRTC, the CUDA C++ compiler library',
  variable: 'RAWKERNEL_LIBNVRTC',
  names: {
    linux: ['libnvrtc.so', 'libnvrtc.so.13', 'libnvrtc.so.12', 'libnvrtc.so.11.2'],
    win32: ['nvrtc64_130_0.dll', 'nvrtc64_120_0.dll', 'nvrtc64_112_0.dll'],
  },
  folders: () => toolkits().flatMap((home) => LIBRARY_FOLDERS.map((folder) => join(home, folder))),
  advice: [
    'install the CUDA toolkit (https://developer.nvidia.com/cuda-downloads) and set CUDA_HOME to its folder',
    'Debian: apt install libnvrtc11.2 (section non-free)',
    'Python: pip install nvidia-cuda-nvrtc, and set RAWKERNEL_LIBNVRTC to the libnvrtc.so.* inside it',
    "or compile with nvcc instead: new SourceModule(source, { compiler: 'nvcc' })",
  ],
};

const LIBRARY_FOLDERS = [
  'lib64',
  'lib',
  join('targets', process.arch === 'arm64' ? 'sbsa-linux' : 'x86_64-linux', 'lib'),
  join('bin', 'x64'),
  'bin',
];

/** The folders in which a CUDA toolkit is installed, the user's choice first. */
export function toolkits(): string[] {
  const { CUDA_HOME, CUDA_PATH, PATH = '' } = process.env;
  const onPath = PATH.split(delimiter)
    .filter((folder) => folder !== '' && existsSync(join(folder, process.platform === 'win32' ? 'nvcc.exe' : 'nvcc')))
    .map((folder) => join(folder, '..'));
  const usual = process.platform === 'win32' ? [] : ['/usr/local/cuda', '/opt/cuda'];
  const all = [CUDA_HOME, CUDA_PATH, ...onPath, ...usual].filter((home) => home !== undefined && home !== '');
  return [...new Set(all as string[])].filter((home) => existsSync(home));
}

let driverTable: DriverTable | undefined;
let nvrtcTable: NvrtcTable | undefined;
let nvrtcFile: string | undefined;

/**
 * The driver's table: libcuda's, or with `RAWKERNEL_DEVICE=cpu` the embedded device's.
 *
 * @throws {@link LibraryNotFoundError} no driver is installed
 */
export function driver(): DriverTable {
  driverTable ??= asksForCpu() ? embedded().driver() : nativeDriver();
  return driverTable;
}

function asksForCpu(): boolean {
  const choice = process.env['RAWKERNEL_DEVICE'] ?? '';
  if (choice === 'cpu') return true;
  if (['', 'auto', 'gpu'].includes(choice)) return false;
  throw new TypeError(`RAWKERNEL_DEVICE is 'auto', 'cpu' or 'gpu'; '${choice}' came`);
}

function nativeDriver(): DriverTable {
  const library = openLibrary(DRIVER);
  const table: DriverTable = bind(driverFunctions, library, HOT);
  library.describeVersion(() => versionOf(table));
  return table;
}

let loaded: typeof Embedded | undefined;

/** The embedded device. Programs that run on a GPU never load it. */
function embedded(): typeof Embedded {
  const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
  loaded ??= createRequire(import.meta.url)(`../cpu/device.${extension}`) as typeof Embedded;
  return loaded;
}

function versionOf(table: DriverTable): string | undefined {
  const slot = new Int32Array(1);
  if (table.cuDriverGetVersion(slot) !== 0) return undefined;
  const version = slot[0] ?? 0;
  return `for CUDA ${Math.floor(version / 1000)}.${Math.floor((version % 1000) / 10)}`;
}

/**
 * NVRTC's table, or the embedded compiler's where the embedded device is used. Neither needs a GPU.
 *
 * @throws {@link LibraryNotFoundError} no NVRTC is installed
 */
export function nvrtc(): NvrtcTable {
  if (nvrtcTable) return nvrtcTable;
  if (isEmbedded()) nvrtcTable = embedded().nvrtc();
  else {
    const library = openLibrary(NVRTC);
    nvrtcFile = library.path;
    nvrtcTable = bind(nvrtcFunctions, library);
  }
  return nvrtcTable;
}

/** The compiler goes with the device; a fake driver leaves it to the environment. */
function isEmbedded(): boolean {
  return driverTable === undefined ? asksForCpu() : driverTable === loaded?.driver();
}

/** What {@link nvrtc} compiles with. */
export function nvrtcToolchain(): NvrtcToolchain {
  const table = nvrtc();
  if (loaded && table === loaded.nvrtc()) return { version: loaded.compilerVersion(), homes: [] };
  const numbers = new Int32Array(2);
  table.nvrtcVersion(numbers, numbers.subarray(1));
  return { version: `NVRTC ${numbers.join('.')}`, path: nvrtcFile, homes: toolkits() };
}

/**
 * Put other tables under the whole half: a fake in a test, another device.
 * @internal
 */
export function useTables(tables: { driver?: DriverTable | undefined; nvrtc?: NvrtcTable | undefined }): void {
  if ('driver' in tables) driverTable = tables.driver;
  if ('nvrtc' in tables) nvrtcTable = tables.nvrtc;
}
