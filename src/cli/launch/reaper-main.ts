import { signalGroup } from './process-group.ts';

// A process beside the launcher. It reads process groups from its stdin, `+123` to add one and `-123` to remove one, and
// ends those that are left when stdin ends: the system closes a pipe however its writer has ended. Only this works for
// every program: a thread inside of the ranks would be part of the program, and a rank that waits in a native call does
// not notice anything itself.

/** Time between SIGTERM and SIGKILL. */
const KILL_MS = 2000;

const groups = new Set<number>();
let line = '';

process.stdin.setEncoding('utf8').on('data', (text: string) => {
  const lines = (line + text).split('\n');
  line = lines.pop() ?? '';
  for (const each of lines) {
    const pid = Number(each.slice(1));
    if (each.startsWith('+')) groups.add(pid);
    else groups.delete(pid);
  }
});
process.stdin.on('close', () => {
  for (const pid of groups) signalGroup(pid, 'SIGTERM');
  if (groups.size === 0) return;
  setTimeout(() => {
    for (const pid of groups) signalGroup(pid, 'SIGKILL');
  }, KILL_MS);
});
// Signals of the terminal and of the launcher's group are for the launcher, whose end is heard of by the pipe.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
