import { spawnSync } from 'node:child_process';

/**
 * Send a signal to a process that was started with `detached`, and to all that it has started: on POSIX they are a process
 * group. Windows knows neither groups nor signals, and ends the tree.
 *
 * @returns whether there was one
 */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  if (process.platform === 'win32') return signal !== 0 && endTree(pid);
  try {
    return process.kill(-pid, signal);
  } catch {
    // ESRCH: all have ended. EPERM: macOS says so of processes that have ended and were not waited for.
    return false;
  }
}

function endTree(pid: number): boolean {
  return spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).status === 0;
}
