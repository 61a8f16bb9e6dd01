#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { run } from './command-line.ts';
import { ignoreClosedPipe } from './closed-pipe.ts';
import { watchProcess } from './watch.ts';

ignoreClosedPipe(process.stdout);
process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  watch: watchProcess,
  again: (argv, env) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...argv], {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      child.on('error', reject).on('close', () => {
        resolve(text);
      });
    }),
});
