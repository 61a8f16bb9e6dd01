import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../helpers/root.ts';
import { environmentOf } from './halves.ts';
import { type Job } from './job.ts';

/** How a child ended. */
export interface End {
  /** `exit 0`, `SIGSEGV`, `hang`. */
  readonly how: string;
  readonly failed: boolean;
  readonly hung: boolean;
  /** The last of what it printed. */
  readonly stderr: string;
}

/** How often a child is looked at. */
const LOOK_MS = 250;

/**
 * Run a child in a process group of its own, in an empty folder, until it ends or has not written to its log for as long
 * as a hang is.
 */
export function launch(job: Job, scratch: string, hangMs: number): Promise<End> {
  const folder = mkdtempSync(join(scratch, 'cwd-'));
  const errors = join(folder, 'stderr');
  const output = openSync(errors, 'w');
  writeFileSync(job.log, '');
  // For imports alone: what the package requires stays as it is, or an error would come from another place.
  const flags = ['--expose-gc', '--no-warnings', '--import', import.meta.resolve('tsx/esm')];
  const child = spawn(process.execPath, [...flags, join(root, 'tests/fuzz/child.ts'), JSON.stringify(job)], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', output, output],
    env: {
      ...process.env,
      ...environmentOf(job.device),
      RAWKERNEL_CACHE_DIR: join(scratch, 'cache'),
      RAWKERNEL_CPU_TIMEOUT_MS: '5000',
      RAWKERNEL_CPU_WORKERS: '2',
    },
  });
  closeSync(output);
  return new Promise((resolve, reject) => {
    let size = 0;
    let moved = Date.now();
    let hung = false;
    const watch = setInterval(() => {
      const now = statSync(job.log).size;
      if (now !== size) {
        size = now;
        moved = Date.now();
      } else if (Date.now() - moved > hangMs) {
        hung = true;
        endGroup(child.pid);
      }
    }, LOOK_MS);
    child.on('error', reject).on('exit', (code, signal) => {
      clearInterval(watch);
      // A compiler that it started may still be there.
      endGroup(child.pid);
      const stderr = readFileSync(errors, 'utf8').slice(-2000);
      rmSync(folder, { recursive: true, force: true });
      const how = hung ? 'hang' : (signal ?? `exit ${String(code)}`);
      resolve({ how, failed: hung || code !== 0, hung, stderr });
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}
