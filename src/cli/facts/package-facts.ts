import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Manifest {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** The package that compiles for the embedded device. */
const CLANG = '@yowasp/clang';

// From src/cli/facts as from dist/cli/facts.
const manifest = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8'),
) as Manifest;

/** This package's version. */
export const VERSION: string = manifest.version;

/** Whether the embedded device's compiler is installed, and the line that installs it. */
export function embeddedCompiler(): { readonly name: string; readonly installed: boolean; readonly advice: string } {
  const advice = `npm install ${CLANG}@${manifest.peerDependencies[CLANG] ?? 'latest'}`;
  return { name: CLANG, installed: isInstalled(CLANG), advice };
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch (error) {
    // Found, but not for `require`.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}
