import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../output.ts';

const TYPESCRIPT = /\.[cm]?tsx?$/i;

/**
 * The flags by which Node.js runs a program: those of this process, and for TypeScript tsx, where the program's folder or
 * the working directory has it. Node.js 22.18 and newer run TypeScript without it.
 *
 * @throws UsageError there is no such file, or nothing here runs TypeScript
 */
export function nodeFlags(program: string): readonly string[] {
  const path = resolve(program);
  if (!existsSync(path)) throw new UsageError(`${program}: there is no such file`);
  // A debugger's port can be that of one process.
  const own = process.execArgv.filter((flag) => !/^--inspect/.test(flag));
  if (!TYPESCRIPT.test(path)) return own;
  const tsx = findTsx(path) ?? findTsx(join(process.cwd(), 'program.ts'));
  if (tsx !== undefined) return own.some((flag) => flag.includes('tsx')) ? own : [...own, '--import', tsx];
  if ((process.features as { readonly typescript?: unknown }).typescript) return own;
  throw new UsageError(
    `${program} is TypeScript, which Node.js ${process.version} does not run: npm install --save-dev tsx, or use Node.js 22.18 or newer`,
  );
}

function findTsx(from: string): string | undefined {
  try {
    return pathToFileURL(createRequire(from).resolve('tsx')).href;
  } catch {
    return undefined;
  }
}
