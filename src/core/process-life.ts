import { readFileSync } from 'node:fs';

/**
 * Whether a process of this machine has not ended. Linux alone.
 *
 * Source: proc_pid_stat(5): the state follows the name, which is in parentheses and may have some itself.
 */
export function isAlive(id: number): boolean {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
    // One that has ended stays there until its parent asks for its exit code: the parent may be the process that asks here.
    return !/^[ZXx]$/.test(stat.charAt(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
