import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';

/**
 * Load a module of this package, or a package that it needs, at once: when it is needed and no earlier.
 *
 * @param from - `import.meta.url` of the module that asks
 * @param path - relative to that one, or a package's name
 */
export function requireModule(from: string, path: string): unknown {
  try {
    return createRequire(from)(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'MODULE_NOT_FOUND') {
      throw new Error(
        `rawkernel is not whole: there is no ${path} beside ${from}. Keep it out of bundles, as external`,
        {
          cause: error,
        },
      );
    }
    if (code !== 'ERR_REQUIRE_ESM') throw error;
    // Test runners have a require of their own, which may know no ES modules. Node's does.
    const runtime = runInThisContext('process') as NodeJS.Process;
    return runtime.getBuiltinModule('node:module').createRequire(from)(path);
  }
}
