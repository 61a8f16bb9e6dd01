import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../helpers/root.ts';
import { absoluteLinks } from './readme.ts';

/** A tarball for the registry, and the page that it shows. */
export interface Packed {
  readonly file: string;
  readonly readme: string;
}

/**
 * Pack the package into a folder. The README in the tarball has absolute links; the one in the tree stays as it is.
 *
 * @param scratch - a folder for what comes in between
 * @param address - the repository's page
 * @param revision - the tag whose files the links show
 */
export function pack(folder: string, scratch: string, address: string, revision: string): Packed {
  const plain = only(npmPack(root, scratch));
  execFileSync('tar', ['-xzf', plain.filename], { cwd: scratch });
  const copy = join(scratch, 'package');
  const readme = absoluteLinks(readFileSync(join(copy, 'README.md'), 'utf8'), address, revision);
  writeFileSync(join(copy, 'README.md'), readme);
  mkdirSync(folder, { recursive: true });
  const final = only(npmPack(copy, folder));
  const [before, after] = [plain, final].map(({ files }) => files.map(({ path }) => path).sort());
  if (JSON.stringify(before) !== JSON.stringify(after)) throw new Error('npm packs other files from a copy');
  return { file: join(folder, final.filename), readme };
}

interface Report {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

function only([report]: readonly Report[]): Report {
  if (report === undefined) throw new Error('npm pack made no tarball');
  return report;
}

function npmPack(cwd: string, destination: string): readonly Report[] {
  // Under `npm run`, this is npm's own file: it needs no shell on any system.
  const npm = process.env['npm_execpath'];
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  return JSON.parse(execFileSync(command, [...first, ...args], { cwd, encoding: 'utf8' })) as readonly Report[];
}
