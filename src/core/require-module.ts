// Not createRequire by its name: webpack takes that for its own.
import * as nodeModule from 'node:module';
import { runInThisContext } from 'node:vm';

/**
 * Load a module of this package, or a package that it needs, at once: when it is needed and no earlier.
 *
 * @param from - `import.meta.url` of the module that asks; bundlers may leave nothing there
 * @param path - relative to that one, as the built file is called, or a package's name
 * @throws Error it is not there, as in a bundle
 */
export function requireModule(from: string | undefined, path: string): unknown {
  if (from === undefined) throw bundled(path, 'the program', undefined);
  const file = from.endsWith('.ts') && path.startsWith('.') ? path.replace(/\.js$/, '.ts') : path;
  try {
    return nodeModule['createRequire'](from)(file);
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    if (code === 'MODULE_NOT_FOUND') throw bundled(path, from, error);
    if (code !== 'ERR_REQUIRE_ESM' && name !== 'SyntaxError') throw error;
    // Test runners have a require of their own, which may know no ES modules. Node's does.
    const runtime = runInThisContext('process') as NodeJS.Process;
    return runtime.getBuiltinModule('node:module').createRequire(from)(file);
  }
}

function bundled(path: string, from: string, cause: unknown): Error {
  return new Error(
    `rawkernel is not whole: there is no ${path} for ${from}. ` +
      "Where a bundler made that file, keep rawkernel out of it, as 'external': docs/guide/installing.md#bundlers",
    { cause },
  );
}
