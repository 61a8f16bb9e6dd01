import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheKey, cacheRead, cacheWrite, type KeyParts } from '../../core/cache.ts';
import { BUILD_FOLDER } from '../files/folders.ts';
import { PEERS, type Toolchain } from './toolchain.ts';

/** The folder of artifacts that the package's build has made, so that a first compilation need not make them. */
const FOLDER = join(BUILD_FOLDER, 'cpu', 'prebuilt');

const known = new Map<string, Uint8Array>();

/** The way to make an artifact from the package's own sources, with the parts of its cache key. */
export interface Recipe {
  readonly parts: KeyParts;
  /** @returns undefined where that is not possible; a later step reports the reason */
  readonly make: (toolchain: Toolchain) => Uint8Array | undefined;
}

/** The product of a recipe: from the package, else made once and kept on disk. */
export function loadOrMake(recipe: Recipe, toolchain: Toolchain): Uint8Array | undefined {
  const key = keyOf(recipe);
  const found = known.get(key) ?? brought(key) ?? cacheRead(key)?.[0];
  const bytes = found ?? recipe.make(toolchain);
  if (bytes) known.set(key, bytes);
  if (bytes && !found) cacheWrite(key, [bytes]);
  return bytes;
}

/** Write the products of recipes into the package, in place of older ones. */
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
