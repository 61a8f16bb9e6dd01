import type * as Processes from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tookTooLong, type CompileScope } from '../../core/compile-scope.ts';
import { LibraryNotFoundError } from '../../core/errors.ts';
import { parseDiagnostics } from '../../core/diagnostics.ts';
import { runtimeProcess } from '../../core/runtime-process.ts';
import type { Compiled, CompileTask } from './compile-task.ts';
import { CompileError } from '../errors.ts';
import { toolkits } from '../toolkit.ts';

const PROGRAM = process.platform === 'win32' ? 'nvcc.exe' : 'nvcc';
const MAX_OUTPUT = 64 * 2 ** 20;

interface Outcome {
  readonly failed: boolean;
  readonly output: string;
}

interface Workplace {
  readonly folder: string;
  readonly program: string;
  readonly args: readonly string[];
}

/** The nvcc to use: of CUDA_HOME, CUDA_PATH, the PATH or the usual folder. */
function findNvcc(): string {
  const tried = toolkits().flatMap((home) => [join(home, 'bin', PROGRAM), join(home, PROGRAM)]);
  const found = tried.find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new LibraryNotFoundError('nvcc', tried.length === 0 ? ['no CUDA toolkit was found'] : tried, [
    'install the CUDA toolkit (https://developer.nvidia.com/cuda-downloads)',
    'or set CUDA_HOME to its folder',
  ]);
}

/** Far longer than it takes to say. */
const VERSION_MS = 60_000;
let release: string | undefined;

/** Programs without nvcc do not load them. */
function processes(): typeof Processes {
  return runtimeProcess().getBuiltinModule('node:child_process');
}

/** nvcc's own account of its version, for the cache's key. */
export function nvccVersion(): string {
  if (release !== undefined) return release;
  const { stdout, error } = processes().spawnSync(findNvcc(), ['--version'], {
    encoding: 'utf8',
    timeout: VERSION_MS,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  if (error) throw notStarted(error);
  return (release = stdout.trim());
}

/** Compile with nvcc, without a shell. Host: blocks. */
export function compileWithNvcc(task: CompileTask, { timeoutMs }: CompileScope): Compiled {
  const place = prepare(task);
  try {
    const { status, stdout, stderr, error } = processes().spawnSync(place.program, place.args, {
      cwd: place.folder,
      encoding: 'utf8',
      maxBuffer: MAX_OUTPUT,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT') {
      endAllIn(place.folder);
      return collect(place, task, { failed: true, output: tookTooLong(timeoutMs) });
    }
    if (error) throw notStarted(error);
    return collect(place, task, { failed: status !== 0, output: `${stdout}${stderr}` });
  } finally {
    rmSync(place.folder, { recursive: true, force: true });
  }
}

/** Compile with nvcc without blocking. */
export async function compileWithNvccLater(task: CompileTask, { timeoutMs, signal }: CompileScope): Promise<Compiled> {
  const place = prepare(task);
  try {
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', signal } as const;
      const shown = { encoding: 'utf8', maxBuffer: MAX_OUTPUT, windowsHide: true } as const;
      const options = { cwd: place.folder, ...shown, ...limits };
      processes().execFile(place.program, place.args, options, (error, stdout, stderr) => {
        if (signal?.aborted === true) reject(signal.reason as Error);
        else if (error?.killed === true) resolve({ failed: true, output: tookTooLong(timeoutMs) });
        else if (error && typeof error.code !== 'number') reject(notStarted(error));
        else resolve({ failed: error !== null, output: `${stdout}${stderr}` });
      });
    });
    return collect(place, task, outcome);
  } catch (error) {
    endAllIn(place.folder);
    throw error;
  } finally {
    rmSync(place.folder, { recursive: true, force: true });
  }
}

/**
 * End the processes that nvcc has started, which would go on without it: by the folder in which nvcc
 * works. A process group of its own could be ended as a whole, but the terminal's Ctrl+C would not reach it. Only Linux reports
 * the folder.
 */
function endAllIn(folder: string): void {
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readlinkSync(`/proc/${pid}/cwd`) === folder) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended meanwhile, or is another user's.
    }
  }
}

function notStarted(cause: Error): Error {
  return new Error(`nvcc could not be started: ${cause.message}`, { cause });
}

function prepare(task: CompileTask): Workplace {
  const program = findNvcc();
  // By the name that the system has for it.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rawkernel-nvcc-')));
  try {
    writeFileSync(join(folder, 'kernel.cu'), sourceOf(task));
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`nvcc's source could not be written to ${folder}: ${(cause as Error).message}`, { cause });
  }
  const capability = task.target.replace(/^\w+?_/, '');
  const code = `arch=compute_${capability},code=${task.target}`;
  const kind = task.target.startsWith('sm_') ? '--cubin' : '--ptx';
  const args = [kind, '--generate-code', code, ...task.options, '--keep', '--output-file', 'kernel.out', 'kernel.cu'];
  return { folder, program, args };
}

/** Taking a template's address makes nvcc instantiate it; after the user's lines, so that theirs keep their numbers. */
function sourceOf({ source, expressions }: CompileTask): string {
  const uses = expressions.map((name, i) => `static auto *rawkernel_use_${i} [[maybe_unused]] = &${name};`);
  return [source, ...uses, ''].join('\n');
}

function collect({ folder }: Workplace, task: CompileTask, { failed, output }: Outcome): Compiled {
  const log = output.replaceAll('kernel.cu', () => task.file).trim();
  if (failed) {
    throw new CompileError(`nvcc could not compile ${task.file}`, {
      log,
      source: task.source,
      file: task.file,
      options: task.options,
      diagnostics: parseDiagnostics(log, task.source),
    });
  }
  const code = readFileSync(join(folder, 'kernel.out'));
  const kept = join(folder, 'kernel.ptx');
  const ptx = (existsSync(kept) ? readFileSync(kept) : code).toString('utf8');
  const text = task.target.startsWith('sm_') ? code : Buffer.from(`${ptx}\0`);
  return { code: text, ptx, target: task.target, lowered: {}, log };
}
