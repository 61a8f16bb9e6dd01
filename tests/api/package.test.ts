import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { entriesOf } from './entries.ts';
import { needs } from '../helpers/require.ts';
import { root } from '../helpers/root.ts';
import { linksOf } from '../docs/links.ts';

let files: readonly string[] | undefined;

/** What `npm pack` puts into the tarball. */
function packed(): readonly string[] {
  return (files ??= packedByNpm());
}

function packedByNpm(): readonly string[] {
  // Under `npm run`, this is npm's own file: it needs no shell on any system.
  const npm = process.env['npm_execpath'];
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const output = execFileSync(command, [...first, ...args], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  const [report] = JSON.parse(output) as [{ readonly files: readonly { readonly path: string }[] }];

  return report.files.map(({ path }) => path);
}

needs.build().test('the package holds the build, the kernels, the docs and the examples, nothing else', () => {
  const paths = packed();
  const allowed =
    /^(dist\/(?!modules\/).+\.(js|js\.map|d\.ts)|docs\/.+\.(md|svg)|examples\/.+|dist\/cpu\/(prebuilt\/[\da-f]{64}|kernels\/rawkernel-\d+\/[\da-f]{64}|build-state)|kernels\/.+\.(cu|cuh|cl|h|cc|c[lu]\.d\.ts)|kernels\/cpu\/include\/(cuda\/(std\/)?)?\w+|README\.md|LICENSE|CHANGELOG\.md|package\.json)$/;
  expect(paths.filter((path) => !allowed.test(path))).toEqual([]);
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  expect(bin).toEqual({ rawkernel: 'dist/cli/main.js' });
  expect(readFileSync(join(root, 'dist/cli/main.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(paths).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'dist/index.js',
      'dist/cli/main.js',
      'package.json',
    ]),
  );
});

needs.build().test('the package holds no module that only passes on the exports of others, but for the entries', () => {
  const entries = entriesOf(root).map(({ declarations }) => declarations.replace(/\.d\.ts$/, '.js'));
  // Where the embedded device starts: `select.ts` of each half loads it by this path.
  const starts = ['dist/cpu/device.js', 'dist/cpu/opencl-device.js', 'dist/cpu/nccl-device.js'];
  const passesOn = (path: string): boolean =>
    ts
      .createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest)
      .statements.every(
        (statement) =>
          (ts.isImportDeclaration(statement) && !statement.importClause) || ts.isExportDeclaration(statement),
      );
  const code = packed().filter((path) => path.endsWith('.js') && path.startsWith('dist/'));
  expect(code).toEqual(expect.arrayContaining(entries));
  expect(code.filter((path) => !entries.includes(path) && !starts.includes(path) && passesOn(path))).toEqual([]);
});

needs.build().test('each chunk is named after its layer', () => {
  const chunks = packed().flatMap((path) => /^dist\/chunks\/(.+)\.js$/.exec(path)?.[1] ?? []);
  const layers = [
    'array-file',
    'array',
    'core',
    'cuda-array',
    'cuda-jit',
    'cuda',
    'ffi',
    'jit',
    'job',
    'nccl',
    'node-opencl',
    'nvml',
    'opencl-array',
    'opencl-jit',
    'opencl',
    'webcl',
  ];
  expect(chunks.filter((name) => !name.startsWith('cpu-'))).toEqual(layers);
});

needs.build().test('declarations of the package refer to packed ones', () => {
  const paths = new Set(packed());
  const declarations = [...paths].filter((path) => path.endsWith('.d.ts'));
  const missing = declarations.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/(?:\bfrom|\bimport\() ?['"](\.[^'"]+)['"]/g)]
      .map(([, target = '']) => posix.join(posix.dirname(path), target.replace(/\.[jt]s$/, '.d.ts')))
      .filter((target) => !paths.has(target)),
  );
  expect(missing).toEqual([]);
  // Nobody imports the types of the embedded device's parts or the command line.
  expect(declarations.filter((path) => /^dist\/cli\//.test(path))).toEqual([]);
});

needs.build().test('each packed file of code has a map that leads to sources of the repository', () => {
  const paths = packed();
  const code = paths.filter((path) => /^dist\/.+\.js$/.test(path));
  for (const path of code) {
    const name = `${path}.map`;
    expect(readFileSync(join(root, path), 'utf8')).toContain(`\n//# sourceMappingURL=${basename(name)}\n`);
    expect(paths).toContain(name);
    const { sources } = JSON.parse(readFileSync(join(root, name), 'utf8')) as { readonly sources: readonly string[] };
    expect(sources.filter((source) => !existsSync(join(root, dirname(name), source)))).toEqual([]);
  }
});

/** The package's files in the stack of an error that the built package throws. */
function framesUnder(flags: readonly string[]): readonly string[] {
  const text = `
    import { memAlloc } from 'rawkernel/cuda';
    try { memAlloc('x'); } catch (error) { console.log(error.stack); }`;
  const stack = execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', text], {
    cwd: root,
    encoding: 'utf8',
  });
  const frames = [...stack.matchAll(/\(?(?:file:\/\/\/?(?=\/|\w:))?([^\s()]+:\d+):\d+\)?$/gm)].map(
    ([, file = '']) => file,
  );
  return frames
    .filter((file) => file.startsWith(root) && !file.includes('[eval'))
    .map((file) => relative(root, file).replaceAll('\\', '/'));
}

/** The line of the source where a text is. */
function lineOf(path: string, text: string): string {
  const before = readFileSync(join(root, path), 'utf8').split(text)[0] ?? '';
  return `${path}:${before.split('\n').length}`;
}

needs.build().test('a stack trace under source maps and tsx names our source files and their lines', () => {
  const expected = lineOf('src/cuda/memory/memory.ts', "checkInteger(byteLength, 'The size of an allocation'");
  for (const flags of [['--enable-source-maps'], ['--import', 'tsx']]) {
    const frames = framesUnder(flags);
    expect(frames).toContain(expected);
    expect(frames.every((frame) => frame.startsWith('src/'))).toBe(true);
  }
});

needs.build().test('a stack trace without source maps names packed files', () => {
  const paths = packed();
  const frames = framesUnder([]).map((frame) => frame.replace(/:\d+$/, ''));
  expect(frames.length).toBeGreaterThan(1);
  expect(frames.filter((frame) => !paths.includes(frame))).toEqual([]);
});

needs.build().test('no link of a packed page leads out of the package', () => {
  const paths = packed();
  const pages = paths.filter((path) => path.endsWith('.md'));
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/index.md', 'examples/README.md']));
  const inside = (path: string): boolean => paths.some((file) => file === path || file.startsWith(`${path}/`));
  const dead = pages.flatMap((page) =>
    linksOf(page).flatMap(({ href, path }) => (inside(path) ? [] : [`${page}: ${href}`])),
  );
  expect(dead).toEqual([]);
});

test('TypeScript before 4.7, and tools that know no exports, find each entry', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly main: string;
    readonly types: string;
    readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
    readonly typesVersions: Readonly<Record<string, object>>;
  };
  expect({ types: manifest.types, default: manifest.main }).toEqual(manifest.exports['.']);
  const entries = Object.entries(manifest.exports).filter(([name]) => name !== '.' && name !== './package.json');
  const types = entries.map(([name, entry]) => [name.replace('./', ''), [entry.types]] as const);
  expect(manifest.typesVersions).toEqual({ '*': Object.fromEntries(types) });
});
