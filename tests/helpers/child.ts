import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './root.ts';

/** How a child process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Run TypeScript text in a process of its own. `@/` in its imports stands for the repository's root.
 *
 * @param env - variables on top of this process's
 * @param flags - for Node.js
 */
export async function runChild(
  text: string,
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = ['--expose-gc'],
): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-child-'));
  try {
    const file = join(folder, 'main.mts');
    writeFileSync(file, text.replaceAll("'@/", `'${pathToFileURL(root).href}/`));
    return await new Promise((resolve, reject) => {
      const args = [...flags, '--import', 'tsx', file];
      const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env } });
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
      child.on('error', reject).on('close', (code, signal) => {
        resolve({ code, signal, stdout, stderr });
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
