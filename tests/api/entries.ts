import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A public entry of the package. */
export interface Entry {
  /** The subpath in `exports`. */
  readonly subpath: string;
  /** The declaration file, from the root. */
  readonly declarations: string;
  /** The report's file name in `api/`. */
  readonly report: string;
}

/** The entries that package.json exports with types. */
export function entriesOf(folder: string): readonly Entry[] {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  return Object.entries(exports).flatMap(([subpath, target]) => {
    if (typeof target === 'string') return [];
    const name = subpath === '.' ? 'index' : subpath.slice(2).replaceAll('/', '-');
    return [{ subpath, declarations: target.types.slice(2), report: `${name}.api.md` }];
  });
}

/** Whether an entry only exports other entries as namespaces. */
export function isSummary(declarations: string): boolean {
  const lines = declarations.split('\n').filter((line) => line !== '' && !line.startsWith('//# sourceMappingURL='));
  return lines.length > 0 && lines.every((line) => /^export \* as \w+ from '\.\/\w+\/index\.(?:js|ts)';$/.test(line));
}
