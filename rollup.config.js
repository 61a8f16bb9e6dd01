import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, posix, relative } from 'node:path';
import ts from 'typescript';
import { compiledFolder, removeStale } from './tests/helpers/build-record.js';

// Puts the files that tsc compiled together in a few chunks: Node takes most of a millisecond to load a file, which was
// half of the run time of a small program. The package has the chunks, the entries, and files that are started or located
// by their path. Every other module has a file in dist/modules that passes on its exports from a chunk: tests of single
// modules run against the built code through these (tests/helpers/resolver.js), and the package has none of them.
const root = import.meta.dirname;
const compiled = compiledFolder();
const all = readdirSync(join(root, 'src'), { recursive: true })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/').replace(/\.ts$/, ''));
/** Files of types alone have no code. */
const isTypesOnly = (name) => /^export \{\};/.test(readFileSync(join(compiled, `${name}.js`), 'utf8'));
const modules = all.filter((name) => !isTypesOnly(name));

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Declaration files of the public entries, from `dist`. */
const declarations = Object.values(exports).flatMap(({ types }) => (types ? [types.replace('./dist/', '')] : []));
const entries = declarations.map((file) => file.replace(/\.d\.ts$/, ''));

/** Where the embedded device's code starts: in the user's process, in a thread, in a process of its own. */
const STARTS = {
  cuda: 'cpu/device',
  opencl: 'cpu/opencl-device',
  worker: 'cpu/runtime/worker',
  compiler: 'cpu/compiler/server',
  thread: 'cpu/compiler/worker',
};
/** Modules that run code when they are loaded, or find other files by their own place: no chunk may contain them. */
const ALONE =
  /^(?:cuda\/autoinit|ffi\/caller|job\/(?:host|relay)-thread|cpu\/(?:files\/folders|runtime\/worker|nccl\/progress|ipc\/watch|compiler\/(?:worker|server|prebuild)))$/;
/** Files of the package besides entries and chunks. A command loads its own files and no others. */
const BY_PATH =
  /^(?:cli\/.*|ffi\/caller|job\/(?:host|relay)-thread|cpu\/(?:files\/folders|compiler\/worker|nccl-device|nccl\/progress|ipc\/watch))$/;
const isPackaged = (name) => entries.includes(name) || Object.values(STARTS).includes(name) || BY_PATH.test(name);

const chunks = new Map();

/** Chunks follow the layers; a module of the embedded device is in the chunk of the starts that load it. */
function chunkOf(id, { getModuleInfo }) {
  const chunk = chunkNameOf(id, getModuleInfo);
  if (chunk) chunks.set(id, chunk);
  return chunk;
}

function chunkNameOf(id, getModuleInfo) {
  const name = nameOf(id);
  if (!modules.includes(name) || ALONE.test(name)) return undefined;
  const [layer] = name.split('/');
  if (layer === 'cli') return undefined;
  if (layer !== 'cpu') return name.includes('/') ? `chunks/${layer}${partOf(layer, id, getModuleInfo)}` : undefined;
  if (/^cpu\/nccl[/-]/.test(name)) {
    // The thread loads nothing of what the program's side needs.
    const isOfThread = reach('cpu/nccl/progress', getModuleInfo).has(id);
    return isOfThread ? 'chunks/cpu-nccl-thread' : 'chunks/cpu-nccl';
  }
  const starts = Object.keys(STARTS).filter((start) => reach(STARTS[start], getModuleInfo).has(id));
  return `chunks/cpu-${starts.join('-') || 'others'}`;
}

/** The part of a half that a program without arrays, or without kernels in TypeScript, does not load. */
function partOf(layer, id, getModuleInfo) {
  if (nameOf(id).startsWith(`${layer}/jit/`)) return '-jit';
  return isOfArrays(layer, id, getModuleInfo) ? '-array' : '';
}

/** Whether a layer has a module for arrays alone: programs without arrays load neither these modules nor arrays. */
function isOfArrays(layer, id, getModuleInfo) {
  const reaches = (entry) => entries.includes(entry) && reach(entry, getModuleInfo).has(id);
  return reaches(`${layer}/array/index`) && !reaches(`${layer}/index`);
}

function nameOf(id) {
  return relative(compiled, id).replaceAll('\\', '/').replace(/\.js$/, '');
}

const reached = new Map();

/** The modules that a start imports, directly or through others. */
function reach(start, getModuleInfo) {
  if (reached.has(start)) return reached.get(start);
  const found = new Set();
  reached.set(start, found);
  const ahead = [join(compiled, `${start}.js`)];
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
    return { code: readFileSync(id, 'utf8'), map: JSON.parse(readFileSync(`${id}.map`, 'utf8')) };
  },
};

/** The file of a module of its own: in the package or beside it. */
function fileOf(name) {
  return isPackaged(name) ? `${name}.js` : `modules/${name}.js`;
}

/** Rollup takes a module that exports all that its chunk does for the chunk's entry. The chunk keeps its own name. */
function entryFile({ name, facadeModuleId, moduleIds }) {
  const chunk = moduleIds.includes(facadeModuleId) ? chunks.get(facadeModuleId) : undefined;
  return chunk ? `${chunk}.js` : fileOf(name);
}

/** Files for the modules that rollup gives none: those whose chunk is their entry, and types. */
const otherModules = {
  name: 'other-modules',
  generateBundle(_, bundle) {
    for (const { type, name, fileName, isEntry } of Object.values(bundle)) {
      if (type !== 'chunk' || !isEntry || fileName === fileOf(name)) continue;
      const path = relative(dirname(fileOf(name)), fileName).replaceAll('\\', '/');
      this.emitFile({ type: 'asset', fileName: fileOf(name), source: `export * from '${path}';\n` });
    }
    for (const name of all.filter(isTypesOnly)) {
      this.emitFile({ type: 'asset', fileName: `modules/${name}.js`, source: 'export {};\n' });
    }
  },
};

/**
 * Maps with one place a line, a fifth of the size: stack traces and debuggers need no more, and Node reads all of a map
 * when the chunk is loaded under `--enable-source-maps` or tsx. Files that only pass on exports have none.
 */
const lineMaps = {
  name: 'line-maps',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      const path = `${file.fileName}.map`;
      if (file.fileName.startsWith('modules/')) {
        file.code = file.code.replace(/\/\/# sourceMappingURL=.*\n/, '');
        Reflect.deleteProperty(bundle, path);
      } else bundle[path].source = JSON.stringify(ofLines(file.map, file.code));
    }
  },
};

function ofLines({ version, file, sources, mappings }, code) {
  const map = new SourceMap({ version, file, sources, mappings, names: [] });
  const at = new Map(sources.map((source, index) => [source, index]));
  let before = [0, 0, 0];
  const lines = code.split('\n').map((text, line) => {
    const entry = map.findEntry(line, Math.max(text.search(/\S/), 0));
    if (entry.generatedLine !== line) return '';
    const place = [at.get(entry.originalSource), entry.originalLine, entry.originalColumn];
    const steps = place.map((value, i) => value - before[i]);
    before = place;
    return [0, ...steps].map(base64Vlq).join('');
  });
  return { version, file, sources, names: [], mappings: lines.join(';') };
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A number in a source map: five bits a digit, the lowest first, the sign in the lowest bit. */
function base64Vlq(value) {
  let text = '';
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += DIGITS[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return text;
}

/**
 * Modules of Node's by `process.getBuiltinModule`. An import statement makes Node read each property of the module, which
 * loads what stands behind some of them: 3 to 8 ms of a program's start.
 */
const builtins = {
  name: 'builtins',
  renderChunk(code) {
    return {
      code: code.replace(/^import (.+) from '(node:\w+)';$/gm, (_, names, id) => {
        const get = `process.getBuiltinModule('${id}')`;
        const [, whole, named] = /^(?:\* as )?(\w+)?(?:, )?(?:\{(.*)\})?$/.exec(names);
        const parts = [...(whole ? [whole] : []), ...(named ? [`{${named.replaceAll(' as ', ': ')}}`] : [])];
        return `const ${parts.map((part) => `${part} = ${get}`).join(', ')};`;
      }),
      // No line moves, and the maps have lines alone.
      map: null,
    };
  },
};

/** The declarations that the entries reach. */
const typings = {
  name: 'typings',
  generateBundle() {
    const found = new Set(declarations);
    for (const fileName of found) {
      const source = readFileSync(join(compiled, fileName), 'utf8');
      this.emitFile({ type: 'asset', fileName, source });
      for (const path of importsOf(source)) {
        found.add(posix.join(posix.dirname(fileName), path.replace(/\.[jt]s$/, '.d.ts')));
      }
    }
  },
};

/** The relative paths that a declaration file imports or exports from. */
function importsOf(text) {
  const paths = [];
  const visit = (node) => {
    const path = ts.isImportTypeNode(node) ? node.argument.literal : node.moduleSpecifier;
    if (path?.text.startsWith('.')) paths.push(path.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('declarations.d.ts', text, ts.ScriptTarget.Latest));
  return paths;
}

/** What earlier builds have left would be in the package, and tests of modules that are gone would find it. */
const withoutStale = {
  name: 'without-stale',
  writeBundle(_, bundle) {
    removeStale(Object.keys(bundle));
  },
};

// eslint-disable-next-line no-restricted-syntax -- rollup asks for it
export default {
  input: Object.fromEntries(modules.map((name) => [name, join(compiled, `${name}.js`)])),
  external: (id) => !/^[./]|^\w:/.test(id),
  plugins: [sourceMaps, builtins, otherModules, lineMaps, typings, withoutStale],
  treeshake: false,
  logLevel: 'warn',
  output: {
    dir: join(root, 'dist'),
    format: 'es',
    sourcemap: true,
    sourcemapExcludeSources: true,
    entryFileNames: entryFile,
    chunkFileNames: '[name].js',
    manualChunks: chunkOf,
    onlyExplicitManualChunks: true,
    hoistTransitiveImports: false,
    generatedCode: 'es2015',
  },
};
