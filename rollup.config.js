import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { removeStale } from './tests/helpers/build-record.js';

// What tsc made, put together. Node takes most of a millisecond for each file that it loads, which was half of the time
// that a small program ran. Every module keeps its file, which passes on what a chunk has, so that the tests of modules
// run against the built package too.
const root = import.meta.dirname;
const dist = join(root, 'dist');
const all = readdirSync(join(root, 'src'), { recursive: true })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''));
// Files of types alone are whole as they are.
const modules = all.filter((name) => !/^export \{\};/.test(readFileSync(join(dist, `${name}.js`), 'utf8')));

/** Where the embedded device's code starts, in the user's process, in a thread, in a process of its own. */
const STARTS = {
  device: 'cpu/device',
  opencl: 'cpu/opencl-device',
  worker: 'cpu/runtime/worker',
  compiler: 'cpu/compiler/server',
};
/** Whose place tells where other files are, or whose code runs when it is loaded. */
const ALONE = /^(?:cuda\/autoinit|cpu\/(?:files\/folders|runtime\/worker|compiler\/(?:worker|server|prebuild)))$/;

/** Chunks follow the layers; the embedded device's modules are with those that are loaded by the same starts. */
function chunkOf(id, { getModuleInfo }) {
  const name = nameOf(id);
  if (!modules.includes(name) || ALONE.test(name)) return undefined;
  const [layer] = name.split('/');
  // A command loads itself and no other.
  if (layer === 'cli') return undefined;
  if (layer !== 'cpu') return name.includes('/') ? `chunks/${layer}` : undefined;
  const starts = Object.keys(STARTS).filter((start) => reach(STARTS[start], getModuleInfo).has(id));
  return `chunks/cpu-${starts.join('-') || 'others'}`;
}

function nameOf(id) {
  return relative(dist, id).replaceAll('\\', '/').replace(/\.js$/, '');
}

const reached = new Map();

/** The modules that one imports, and those that they import. */
function reach(start, getModuleInfo) {
  if (reached.has(start)) return reached.get(start);
  const found = new Set();
  reached.set(start, found);
  const ahead = [join(dist, `${start}.js`)];
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    ahead.push(...(getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

/** tsc's source maps, so that the chunks' maps lead to the TypeScript files. */
const sourceMaps = {
  name: 'source-maps',
  load(id) {
    const map = `${id}.map`;
    if (!existsSync(map)) return null;
    return { code: readFileSync(id, 'utf8'), map: JSON.parse(readFileSync(map, 'utf8')) };
  },
};

/** What rollup does not write has the comment of tsc. */
const withoutMapComments = {
  name: 'without-map-comments',
  writeBundle() {
    for (const name of all) {
      const file = join(dist, `${name}.js`);
      const text = readFileSync(file, 'utf8');
      const bare = text.replace(/\n?\/\/# sourceMappingURL=.*\s*$/, '\n');
      if (bare !== text) writeFileSync(file, bare);
    }
  },
};

/** What earlier builds have left would be in the package, and tests of modules that are gone would find it. */
const withoutStale = {
  name: 'without-stale',
  writeBundle(_, bundle) {
    removeStale(Object.keys(bundle));
  },
};

// eslint-disable-next-line no-restricted-syntax -- rollup asks for it
export default {
  input: Object.fromEntries(modules.map((name) => [name, join(dist, `${name}.js`)])),
  external: (id) => !/^[./]|^\w:/.test(id),
  plugins: [sourceMaps, withoutMapComments, withoutStale],
  treeshake: false,
  logLevel: 'warn',
  output: {
    dir: dist,
    format: 'es',
    // No comment leads to them: the package has neither the maps nor the files that they name.
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    manualChunks: chunkOf,
    onlyExplicitManualChunks: true,
    hoistTransitiveImports: false,
    generatedCode: 'es2015',
  },
};
