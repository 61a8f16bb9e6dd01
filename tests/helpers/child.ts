import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';
import { moduleFile } from './build-record.js';
import { root } from './root.ts';

/** How a child process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** For a process that compiles in a thread of its own in a quick run too: see child-compilers.js. */
export const OWN_COMPILERS: Readonly<Record<string, string>> = { RAWKERNEL_TEST_COMPILERS: '' };

/**
 * Run TypeScript text in a process of its own. `@/` in its imports stands for the repository's root. What it imports from
 * `@/src` comes from the build where there is one: the sources themselves need tsx, which takes a second to start.
 *
 * @param env - variables on top of this process's
 * @param flags - for Node.js
 */
export async function runChild(
  text: string,
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = ['--expose-gc'],
): Promise<Ended> {
  return inFile(text, flags, (args) => ended(start(args, env, root)));
}

/**
 * The same as a process to talk with by messages, in which typed arrays stay what they are.
 *
 * @param talk - is given the process, which is ended when the talk is over
 */
export function talkToChild<T>(
  text: string,
  env: Readonly<Record<string, string>>,
  talk: (child: ChildProcess) => Promise<T>,
): Promise<T> {
  return inFile(text, [], async (args) => {
    const child = start(args, env, root, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' });
    try {
      return await talk(child);
    } finally {
      child.kill('SIGKILL');
    }
  });
}

async function inFile<T>(
  text: string,
  flags: readonly string[],
  use: (args: readonly string[]) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-child-'));
  try {
    const built = isBuilt() ? plain(text) : undefined;
    const file = join(folder, built === undefined ? 'main.mts' : 'main.mjs');
    writeFileSync(file, built ?? atRoot(text));
    return await use([...flags, ...(built === undefined ? ['--import', 'tsx'] : []), file]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether there is a build, and of the sources as they are. */
export function isBuilt(): boolean {
  return existsSync(join(root, 'dist', 'index.js')) && !process.env['RAWKERNEL_TEST_STALE'];
}

/** The text without its types, on the built files; undefined where it imports other files in TypeScript, such as helpers. */
function plain(text: string): string | undefined {
  const onBuild = text.replaceAll(/'@\/src\/([^']+)\.ts'/g, (_, name: string) => `'@/${moduleFile(name)}'`);
  if (onBuild.includes(".ts'")) return undefined;
  return transformSync(atRoot(onBuild), { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }).code;
}

function atRoot(text: string): string {
  return text.replaceAll("'@/", `'${pathToFileURL(root).href}/`);
}

/**
 * Run JavaScript text, an ES module, in a process of its own that imports the built package by its name.
 *
 * @param env - variables on top of this process's
 * @param cwd - where the package is looked for
 * @param watch - is given the process
 */
export function runBuilt(
  text: string,
  env: Readonly<Record<string, string>> = {},
  cwd: string = root,
  watch: (child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const child = start(['--input-type=module', '--eval', text], env, cwd);
  watch(child);
  return ended(child);
}

/**
 * Run Node.js with these arguments.
 *
 * @param env - variables on top of this process's
 * @param cwd - its working directory
 */
export function run(args: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Promise<Ended> {
  return ended(start(args, env, cwd));
}

function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
  options: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe'] },
): ChildProcess {
  return spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, ...options });
}

function ended(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.on('error', reject).on('close', (code, signal) => {
      resolve({ code, signal, stdout, stderr });
    });
  });
}
