import { NAME } from '../ir/text.ts';
import type { IrFunction, IrModule } from '../ir/module.ts';

const SYMBOL = new RegExp(`@(${NAME})`, 'g');

/**
 * The static shared memory of a kernel: the variables that it and the functions it calls name, as ptxas counts them. A
 * call through a pointer may reach every function.
 */
export function sharedOf(kernel: IrFunction, { functions }: IrModule, shared: ReadonlyMap<string, number>): number {
  if (shared.size === 0) return 0;
  const named = new Map(functions.map((fn) => [fn.name, fn]));
  const reached = new Set([kernel]);
  const used = new Set<string>();
  for (const fn of reached) {
    for (const line of fn.body) {
      if (!line.includes('@')) continue;
      for (const [, name = ''] of line.matchAll(SYMBOL)) {
        if (shared.has(name)) used.add(name);
        const callee = named.get(name);
        if (callee) reached.add(callee);
      }
    }
    if (fn.indirect) for (const other of functions) reached.add(other);
  }
  let bytes = 0;
  for (const name of used) bytes += shared.get(name) ?? 0;
  return bytes;
}
