import type { Lane } from '../../array/engine.ts';
import { jsSource } from '../emit/js-source.ts';
import { isWritten } from '../emit/array-text.ts';
import type { Given } from '../argument.ts';
import type { FunctionTree } from '../tree.ts';
import { SimulatedArguments } from './argument.ts';
import { Grid, type SimulatedSizes } from './grid.ts';
import { KernelScript } from './script.ts';

/** A kernel for one combination of types, as JavaScript that runs in this process. */
export class Simulation {
  readonly #script: KernelScript;
  readonly #name: string;
  readonly #written: readonly boolean[];

  constructor(tree: FunctionTree, name: string) {
    this.#name = name;
    this.#script = new KernelScript(jsSource(tree), name, tree.origin);
    this.#written = tree.parameters.map((parameter) => isWritten(parameter));
  }

  /**
   * Run all threads. Arrays of the host are changed as the kernel goes, up to an error, too; memory of a device at the end.
   *
   * @throws {@link SimulationError} a thread does something wrong
   */
  run(sizes: SimulatedSizes, given: readonly Given[], lane: () => Lane): void {
    const args = new SimulatedArguments(given, this.#written, lane);
    new Grid(this.#script, sizes, args.values, this.#name).run();
    args.finish();
  }
}
