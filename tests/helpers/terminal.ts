import { spawn } from 'node:child_process';
import { root } from './root.ts';

/** Wait until a text has come, then do something to the program. */
export interface Step {
  /** Looked for in what came since the step before. */
  readonly after: string;
  readonly size?: readonly [columns: number, rows: number];
  readonly keys?: string;
  readonly signal?: number;
}

/** How a program in a terminal ended. */
export interface TerminalEnd {
  /** Negative: the signal that ended it. */
  readonly code: number;
  /** What came before each step, and after the last. */
  readonly output: readonly string[];
  /** Whether lines and echo are as they were. */
  readonly restored: boolean;
}

const PYTHON = `
import fcntl, json, os, pty, select, signal, struct, subprocess, sys, termios, time

plan = json.loads(sys.argv[1])
master, slave = pty.openpty()

def resize(columns, rows):
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

def own():
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

resize(80, 24)
before = termios.tcgetattr(slave)
child = subprocess.Popen(plan['argv'], stdin=slave, stdout=slave, stderr=slave, preexec_fn=own)
parts, steps, seen = [], list(plan['steps']), b''
end = time.time() + 50

def drain(wait):
    global seen
    while select.select([master], [], [], wait)[0]:
        seen += os.read(master, 65536)
        wait = 0

while child.poll() is None:
    drain(0.05)
    if time.time() > end:
        child.kill()
    if steps and steps[0]['after'].encode() in seen:
        step = steps.pop(0)
        parts.append(seen)
        seen = b''
        if 'size' in step: resize(*step['size'])
        if 'keys' in step: os.write(master, step['keys'].encode())
        if 'signal' in step: os.kill(child.pid, step['signal'])
drain(0.1)
parts.append(seen)
print(json.dumps({
    'code': child.returncode,
    'output': [part.decode('utf8', 'replace') for part in parts],
    'restored': termios.tcgetattr(slave)[:4] == before[:4],
}))
`;

/** Run a program in a terminal of 80 columns and 24 rows, with Python's \`pty\`. */
export function inTerminal(
  argv: readonly string[],
  steps: readonly Step[],
  env: Readonly<Record<string, string>> = {},
): Promise<TerminalEnd> {
  const child = spawn('python3', ['-c', PYTHON, JSON.stringify({ argv, steps })], {
    cwd: root,
    env: { ...process.env, TERM: 'xterm-256color', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.on('error', reject).on('close', (code) => {
      if (code === 0) resolve(JSON.parse(stdout) as TerminalEnd);
      else reject(new Error(stderr));
    });
  });
}
