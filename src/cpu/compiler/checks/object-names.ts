import type { CpuObject } from '../../abi/program.ts';
import type { IrFunction } from '../ir/module.ts';
import { pathTo } from '../../abi/shape.ts';
import type { Origin, Variables } from './origin.ts';
import { Shapes, type Declared } from './shapes.ts';
import { variableOf } from './variable-names.ts';

/** The source names of the memory that addresses point to. */
export class ObjectNames {
  readonly shapes: Shapes;
  readonly #dynamic: string | undefined;
  readonly #parameters = new Map<string, ReadonlyMap<number, Declared>>();

  /** @param dynamic - symbols of dynamic shared memory: all of them name the same */
  constructor(lines: readonly string[], dynamic: ReadonlySet<string>) {
    this.shapes = new Shapes(lines);
    const [first] = dynamic;
    this.#dynamic = dynamic.size === 1 && first !== undefined ? plainName(first) : undefined;
  }

  /** Learn the parameters of a function: the number of its debug information is in its head. */
  parametersOf({ name, head }: Pick<IrFunction, 'name' | 'head'>): ReadonlyMap<number, Declared> {
    const known = this.shapes.parametersOf(Number(/!dbg !(\d+)/.exec(head)?.[1] ?? NaN));
    this.#parameters.set(name, known);
    return known;
  }

  /** @param owner - the symbol of the function that contains the code */
  of(origin: Origin, owner: string): CpuObject | undefined {
    switch (origin.kind) {
      case 'private': {
        const name = variableOf(origin.base);
        const shape = name === undefined ? undefined : this.shapes.ofLocal(name, origin.bytes);
        return {
          name: name ?? 'the array',
          bytes: origin.bytes,
          ...(shape ? { shape: this.shapes.numberOf(shape) } : {}),
        };
      }
      case 'shared':
      case 'variable':
        return this.#ofSymbol(origin.base.slice(1), origin.bytes);
      case 'dynamic':
      case 'parameter': {
        const { parameter } = origin;
        const declared = parameter === undefined ? undefined : this.#parameters.get(owner)?.get(parameter);
        if (declared && parameter !== undefined) {
          return { name: declared.name, bytes: 0, shape: this.shapes.numberOf(declared.shape), parameter };
        }
        return origin.kind === 'dynamic' && this.#dynamic !== undefined ? { name: this.#dynamic, bytes: 0 } : undefined;
      }
      default:
        return undefined;
    }
  }

  /** All variables that have an address of their own, in the order in which the code knows them. */
  all({ shared, device }: Variables): CpuObject[] {
    return [...shared, ...device].map(([symbol, bytes]) => this.#ofSymbol(symbol, bytes));
  }

  /** The array of a type in an object, with a `#` for its last index. */
  arrayIn({ name, shape, parameter }: CpuObject, type: string): string | undefined {
    const known = shape === undefined ? undefined : this.shapes.list[shape];
    const path = known && pathTo(known, type);
    return path === undefined ? undefined : `${name}${parameter === undefined ? '' : '[…]'}${path}`;
  }

  #ofSymbol(symbol: string, bytes: number): CpuObject {
    const shape = this.shapes.ofGlobal(symbol);
    return { name: plainName(symbol), bytes, ...(shape ? { shape: this.shapes.numberOf(shape) } : {}) };
  }
}

/** The source name of a symbol: the last name in `_ZZ6rotatePfE5cache`, and in `rotate.cache` of OpenCL. */
export function plainName(text: string): string {
  const symbol = text.replace(/"/g, '');
  if (!symbol.startsWith('_Z')) return symbol.slice(symbol.lastIndexOf('.') + 1);
  const names = [...symbol.matchAll(/(\d+)(?=[A-Za-z_])/g)].flatMap(({ 0: length, index }) => {
    const name = symbol.slice(index + length.length, index + length.length + Number(length));
    return name.length === Number(length) ? [name] : [];
  });
  return names.at(-1) ?? symbol;
}
