import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import koffi from 'koffi';

type Functions<Prototypes> = { readonly [Name in keyof Prototypes]: (...args: unknown[]) => number };

/**
 * The loops in C, compiled with this machine's compiler; undefined where there is none. A loop whose call fails throws.
 * What answers with a status, an `int`, is not a loop: it stays as it is.
 *
 * @param file - beside this one
 * @param library - what the loops call: its functions are looked up in it by name
 * @param prototypes - of the functions in the file, as the result and the parameters
 */
export function compileBaseline<const Prototypes extends Readonly<Record<string, readonly [string, ...string[]]>>>(
  file: string,
  library: string,
  prototypes: Prototypes,
): Functions<Prototypes> | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-baseline-'));
  try {
    const out = join(folder, 'baseline.so');
    const source = join(import.meta.dirname, file);
    const { status } = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', out, source, '-ldl'], { stdio: 'inherit' });
    if (status !== 0) return undefined;
    const built = koffi.load(out);
    const missing = built.func('baseline_open', 'str', ['str'])(library) as string | null;
    if (missing !== null) throw new Error(`${file}: ${missing}`);
    const functions = Object.entries(prototypes).map(([name, [result, ...parameters]]) => {
      const loop = built.func(name, result, parameters) as (...args: unknown[]) => number;
      if (result === 'int') return [name, loop];
      const measured = (...args: unknown[]): number => {
        const answer = loop(...args);
        if (answer < 0) throw new Error(`${name} in ${file}: the driver answers ${answer}`);
        return answer;
      };
      return [name, measured];
    });
    return Object.fromEntries(functions) as Functions<Prototypes>;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
