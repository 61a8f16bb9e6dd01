import { existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** A library's folder under `site-packages/nvidia` in the wheels for CUDA 12, by platform. */
interface WheelFolders {
  readonly linux: string;
  readonly win32: string;
}

/** The wheels for CUDA 13 have one folder for all libraries. */
const CUDA_13: WheelFolders = { linux: join('cu13', 'lib'), win32: join('cu13', 'bin', 'x86_64') };

/**
 * The folders in which pip and conda install a library of NVIDIA's: of the active environments first, then of the Python
 * on the PATH, in the order of cuda.pathfinder. Python is not started for it.
 *
 * @param cuda12 - the library's folders in the wheels for CUDA 12
 * @see {@link https://nvidia.github.io/cuda-python/cuda-pathfinder/latest/ | cuda.pathfinder}
 */
export function wheelLibraries(cuda12: WheelFolders): string[] {
  const platform = process.platform === 'win32' ? 'win32' : 'linux';
  const parts = [CUDA_13[platform], cuda12[platform]];
  const wheels = prefixes().flatMap(packageFolders);
  const conda = process.env['CONDA_PREFIX'] ?? '';
  const own = platform === 'win32' ? join(conda, 'Library', 'bin') : join(conda, 'lib');
  return [
    ...wheels.flatMap((folder) => parts.map((part) => join(folder, 'nvidia', part))),
    ...(conda === '' ? [] : [own]),
  ].filter((folder) => existsSync(folder));
}

/** Where Python environments are installed. */
function prefixes(): string[] {
  const { VIRTUAL_ENV, CONDA_PREFIX, HOME, PATH = '' } = process.env;
  const windows = process.platform === 'win32';
  const names = windows ? ['python.exe'] : ['python3', 'python'];
  const bin = PATH.split(delimiter).find(
    (folder) => folder !== '' && names.some((name) => existsSync(join(folder, name))),
  );
  const onPath = bin === undefined ? undefined : windows ? bin : dirname(bin);
  // pip install --user, and what Debian's pip installs for all users.
  const others = windows ? [] : [HOME && join(HOME, '.local'), '/usr/local'];
  const all = [VIRTUAL_ENV, CONDA_PREFIX, onPath, ...(bin === undefined ? [] : others)];
  return [...new Set(all.filter((prefix) => prefix !== undefined && prefix !== ''))] as string[];
}

/** The folders of packages in an environment; one prefix may serve several versions of Python, the newest first. */
function packageFolders(prefix: string): string[] {
  if (process.platform === 'win32') return [join(prefix, 'Lib', 'site-packages')];
  const lib = join(prefix, 'lib');
  const versions = existsSync(lib) ? readdirSync(lib).filter((name) => /^python3(?:\.\d+)?$/.test(name)) : [];
  const minor = (name: string): number => Number(name.split('.')[1] ?? 0);
  versions.sort((a, b) => minor(b) - minor(a));
  return versions.flatMap((name) => ['site-packages', 'dist-packages'].map((kind) => join(lib, name, kind)));
}
