import { atomicBuiltins } from './atomic.ts';
import { gridBuiltins } from './grid-group.ts';
import { mathBuiltins } from './math.ts';
import type { Builtin, BuiltinTable } from './operation.ts';
import { randomBuiltins } from './random.ts';
import { threadBuiltins } from './thread.ts';
import { valueBuiltins } from './value.ts';
import { warpBuiltins } from './warp.ts';

/** An array of the block or of the thread, which a declaration names: `const tile = cuda.shared.array(256, 'f32')`. */
function declared(space: string): Builtin {
  return {
    usage: `cuda.${space}.array(shape, dtype)`,
    arity: [2, 2],
    isDeclared: true,
    read: ({ reading, span, path }) =>
      reading.fail(span, `${path} must be the value of a variable: const tile = cuda.${space}.array(256, 'f32')`),
  };
}

/** What kernels have under `cuda`. */
export const cudaBuiltins: BuiltinTable = {
  ...threadBuiltins,
  ...warpBuiltins,
  ...atomicBuiltins,
  ...valueBuiltins,
  ...gridBuiltins,
  ...randomBuiltins,
  'shared.array': declared('shared'),
  'local.array': declared('local'),
};

/** First parts of the names that kernels have besides JavaScript's: `grid`, `atomic`, `threadIdx`. */
const words: ReadonlySet<string> = new Set(Object.keys(cudaBuiltins).map((name) => name.split('.', 1)[0] ?? name));

/** JavaScript's own objects, whose names no tool changes. */
const globals: ReadonlySet<string> = new Set([
  'Math',
  'Number',
  'Boolean',
  'NaN',
  'Infinity',
  'isNaN',
  'isFinite',
  'console',
  '__pow',
]);

/** A name, and what it stands for where there is such a thing. */
export interface Found {
  readonly path: string;
  readonly builtin: Builtin | undefined;
}

/**
 * What a name of no variable stands for. Tools rename what is imported: `cuda.grid` may be `e.grid`, `jit_1.cuda.grid`,
 * and is known by its last parts.
 *
 * @param parts - of the name: `cuda`, `atomic`, `add`
 * @returns undefined for a name that kernels do not have
 */
export function findBuiltin(parts: readonly string[]): Found | undefined {
  const [first = ''] = parts;
  if (globals.has(first)) {
    const path = parts.join('.');
    return { path, builtin: Object.hasOwn(mathBuiltins, path) ? mathBuiltins[path] : undefined };
  }
  const from = parts.findIndex((part, i) => i > 0 && words.has(part));
  if (from > 0 && from <= MAX_PREFIX) {
    const name = parts.slice(from).join('.');
    return { path: `cuda.${name}`, builtin: Object.hasOwn(cudaBuiltins, name) ? cudaBuiltins[name] : undefined };
  }
  if (parts.length > 1 && parts[from === -1 ? parts.length - 2 : 0] === 'cuda') {
    return { path: `cuda.${parts.at(-1) ?? ''}`, builtin: undefined };
  }
  return undefined;
}

/** `cuda`, `jit_1.cuda`, `jit_1.default.cuda`. */
const MAX_PREFIX = 3;

/** The names that begin as a wrong one does, for its error. */
export function namesLike(path: string): readonly string[] {
  const table = path.startsWith('cuda.') ? cudaBuiltins : mathBuiltins;
  const wanted = path.replace(/^cuda\./, '').toLowerCase();
  const [head = ''] = wanted.split('.', 1);
  const isSame = (name: string): boolean => flat(name) === flat(wanted);
  return Object.entries(table)
    .filter(([name]) => name.toLowerCase().startsWith(head) || isSame(name))
    .toSorted(([a], [b]) => Number(isSame(b)) - Number(isSame(a)))
    .map(([, { usage }]) => usage);
}

function flat(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}
