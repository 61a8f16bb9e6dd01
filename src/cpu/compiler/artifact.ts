import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheKey, cacheRead, cacheWrite, type KeyParts } from '../../core/cache.ts';
import { BUILD_FOLDER } from '../files/folders.ts';
import { PEERS, type Toolchain } from './toolchain.ts';

/** What the package brings, made when it was built: a first compilation need not wait for it. */
const FOLDER = join(BUILD_FOLDER, 'cpu', 'prebuilt');

const known = new Map<string, Uint8Array>();

/** Something that is made of the package's own sources, and what decides how it comes out. */
export interface Recipe {
  readonly parts: KeyParts;
  /** @returns undefined where that is not possible, of which another step will speak */
  readonly make: (toolchain: Toolchain) => Uint8Array | undefined;
}

/** What a recipe makes: the package brings it, or it is made once and kept on disk. */
export function loadOrMake(recipe: Recipe, toolchain: Toolchain): Uint8Array | undefined {
  const key = keyOf(recipe);
  const found = known.get(key) ?? brought(key) ?? cacheRead(key)?.[0];
  const bytes = found ?? recipe.make(toolchain);
  if (bytes) known.set(key, bytes);
  if (bytes && !found) cacheWrite(key, [bytes]);
  return bytes;
}

/** Put what recipes make into the package, in the place of what is there. */
export async function bring(recipes: readonly Recipe[], load: () => Promise<Toolchain>): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const names = recipes.map(keyOf);
  for (const name of readdirSync(FOLDER)) {
    if (!names.includes(name)) rmSync(join(FOLDER, name));
  }
  const missing = recipes.filter((recipe) => !existsSync(join(FOLDER, keyOf(recipe))));
  if (missing.length === 0) return;
  const toolchain = await load();
  for (const recipe of missing) {
    const bytes = recipe.make(toolchain);
    if (bytes) writeFileSync(join(FOLDER, keyOf(recipe)), bytes);
  }
}

function keyOf({ parts }: Recipe): string {
  return cacheKey({ ...parts, peers: PEERS });
}

function brought(key: string): Uint8Array | undefined {
  const path = join(FOLDER, key);
  return existsSync(path) ? readFileSync(path) : undefined;
}
