import { createRequire } from 'node:module';
import { join } from 'node:path';
import vm from 'node:vm';
import { expect, test } from '@jest/globals';
import * as cudaNames from '../../../src/cuda/index.ts';
import * as jitNames from '../../../src/cuda/jit/index.ts';
import { currentEngine } from '../../../src/cuda/array/engine.ts';
import { describeCudaArrays } from '../../helpers/array-halves.ts';
import { isFull } from '../../helpers/full.ts';
import { resultOf } from '../../helpers/jit-case.ts';
import { programs } from '../../helpers/jit-programs.ts';
import { puzzles } from '../../helpers/jit-puzzles.ts';
import * as setting from '../../helpers/jit-setting.ts';
import type { KernelCase } from '../../helpers/jit-setting.ts';
import { tools, type Made } from '../../helpers/jit-tools.ts';
import { root } from '../../helpers/root.ts';

// The text of a kernel is what tools have made of it. Whatever they do, it computes the same bits: on the device in a full run, else
// one of four there and the others in the simulator.

const names = { jit: jitNames.jit, engine: currentEngine };
/** What the files of kernels import. */
const imported: Readonly<Record<string, object>> = {
  '../../src/cuda/index.ts': cudaNames,
  '../../src/cuda/jit/index.ts': jitNames,
  './jit-setting.ts': setting,
};

/** The exports of a module that a tool has made. */
async function load(
  { code, isCommonJs }: Made,
  name: string,
): Promise<Readonly<Record<string, readonly KernelCase[]>>> {
  if (isCommonJs) {
    const module = { exports: {} };
    const make = vm.runInThisContext(`(function (require, module, exports) {${code}\n})`, { filename: name }) as (
      ...args: unknown[]
    ) => void;
    make(
      (specifier: string) => imported[specifier] ?? (createRequire(import.meta.url)(specifier) as unknown),
      module,
      module.exports,
    );
    return module.exports;
  }
  const module = new vm.SourceTextModule(code, { identifier: name });
  // Node.js 20 keeps none of them: where one is collected before the evaluation the process crashes (nodejs/node#54735).
  const kept: object[] = [];
  await module.link((specifier) => {
    const exports = imported[specifier];
    if (!exports) throw new Error(`${name} imports ${specifier}`);
    const made = new vm.SyntheticModule(Object.keys(exports), function () {
      for (const [key, value] of Object.entries(exports)) this.setExport(key, value);
    });
    kept.push(made);
    return made;
  });
  await module.evaluate();
  kept.length = 0;
  return module.namespace as Readonly<Record<string, readonly KernelCase[]>>;
}

describeCudaArrays('tools', () => {
  const plain = new Map<string, Uint32Array>();
  const wantedOf = (one: KernelCase): Uint32Array => {
    const known = plain.get(one.title) ?? resultOf(names, one);
    plain.set(one.title, known);
    return known;
  };

  test.each(Object.entries(tools))('%s', async (name, tool) => {
    const failures: string[] = [];
    for (const [key, cases] of Object.entries({ puzzles, programs })) {
      const made = await tool(join(root, 'tests', 'helpers', `jit-${key}.ts`));
      const changed = (await load(made, `${name}-${key}.js`))[key] ?? [];
      expect(changed.map(({ title }) => title)).toEqual(cases.map(({ title }) => title));
      for (const [i, one] of changed.entries()) {
        try {
          expect(resultOf(names, one, isFull || i % 4 === 0 ? 'device' : 'simulated')).toEqual(
            wantedOf(cases[i] as KernelCase),
          );
        } catch (error) {
          failures.push(`${one.title}: ${String(error)}`);
        }
      }
    }
    expect(failures).toEqual([]);
  });
});
