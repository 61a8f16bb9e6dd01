import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { LibraryDescription } from '../ffi/library.ts';
import { wheelLibraries } from './python-wheels.ts';

/** The driver. */
export const DRIVER: LibraryDescription = {
  title: 'the CUDA driver',
  variable: 'RAWKERNEL_LIBCUDA',
  symbol: 'cuInit',
  names: { linux: ['libcuda.so.1', 'libcuda.so'], win32: ['nvcuda.dll'] },
  advice: [
    "install NVIDIA's driver: https://www.nvidia.com/drivers (in a container: start it with --gpus all)",
    'on WSL 2: install the driver on Windows and put /usr/lib/wsl/lib on the library path',
    'or without a GPU: RAWKERNEL_DEVICE=cpu runs CUDA on the embedded CPU device',
  ],
};

/** NVRTC. */
export const NVRTC: LibraryDescription = {
  title: 'NVRTC, the CUDA C++ compiler library',
  variable: 'RAWKERNEL_LIBNVRTC',
  symbol: 'nvrtcVersion',
  names: {
    linux: ['libnvrtc.so', 'libnvrtc.so.13', 'libnvrtc.so.12', 'libnvrtc.so.11.2'],
    win32: ['nvrtc64_130_0.dll', 'nvrtc64_120_0.dll', 'nvrtc64_112_0.dll'],
  },
  folders: () => [...wheelLibraries({ linux: 'cuda_nvrtc/lib', win32: 'cuda_nvrtc/bin' }), ...toolkitLibraries()],
  advice: [
    'install the CUDA toolkit (https://developer.nvidia.com/cuda-downloads) and set CUDA_HOME to its folder',
    'Debian: apt install libnvrtc11.2 (section non-free)',
    'Python: pip install nvidia-cuda-nvrtc, and start Node.js in that environment',
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

/** The folders of toolkits that have libraries. */
export function toolkitLibraries(): string[] {
  return toolkits().flatMap((home) => LIBRARY_FOLDERS.map((folder) => join(home, folder)));
}

/** The folders in which toolkits have libNVVM, apart from the others. */
export function nvvmFolders(): string[] {
  return toolkits().flatMap((home) => LIBRARY_FOLDERS.map((folder) => join(home, 'nvvm', folder)));
}

/**
 * libdevice, the mathematical functions as NVVM IR: undefined where no toolkit has it.
 *
 * @param library - libNVVM's file, as the loader was asked for it
 */
export function libdevicePath(library: string | undefined): string | undefined {
  const beside = library === undefined ? [] : [join(dirname(library), '..'), join(dirname(library), '..', 'nvvm')];
  const folders = [...beside, ...toolkits().map((home) => join(home, 'nvvm'))];
  return folders.map((folder) => join(folder, 'libdevice', 'libdevice.10.bc')).find((path) => existsSync(path));
}
