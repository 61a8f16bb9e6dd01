import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import ts from 'typescript';
import { root } from './root.ts';

/** Every TypeScript file under src, parsed, by its path from the root (`src/cuda/index.ts`). */
export function sourceFiles(): ReadonlyMap<string, ts.SourceFile> {
  const files = new Map<string, ts.SourceFile>();
  for (const name of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const path = `src/${name.split(sep).join('/')}`;
    const text = readFileSync(join(root, path), 'utf8');
    files.set(path, ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true));
  }
  return files;
}
