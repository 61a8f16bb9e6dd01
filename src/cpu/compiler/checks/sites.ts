import type { CpuPlace, CpuSite } from '../../abi/program.ts';
import type { DebugInfo } from '../ir/debug-info.ts';

/** The numbered places of a program that findings refer to. */
export class Sites {
  readonly #list: CpuSite[] = [];
  readonly #known = new Map<string, number>();
  readonly #debug: DebugInfo;

  constructor(debug: DebugInfo) {
    this.#debug = debug;
  }

  get list(): readonly CpuSite[] {
    return this.#list;
  }

  /** The number of the next site. */
  get next(): number {
    return this.#list.length;
  }

  /** Add a site that is not shared. */
  add(
    location: number | undefined,
    kind: CpuSite['kind'],
    size: number,
    otherwise: CpuPlace,
    object?: CpuSite['object'],
    isVolatile = false,
  ): number {
    const place = this.#debug.placeOf(location) ?? otherwise;
    return (
      this.#list.push({ ...place, kind, size, ...(object ? { object } : {}), ...(isVolatile ? { isVolatile } : {}) }) -
      1
    );
  }

  /** The number of a site, shared by all accesses with equal data at the same place. */
  share(
    location: number | undefined,
    kind: CpuSite['kind'],
    size: number,
    otherwise: CpuPlace,
    object?: CpuSite['object'],
    isVolatile = false,
  ): number {
    const key = `${location ?? otherwise.function} ${kind} ${size} ${object?.name ?? ''} ${object?.parameter ?? ''} ${object?.variable ?? ''} ${isVolatile}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.add(location, kind, size, otherwise, object, isVolatile);
    this.#known.set(key, made);
    return made;
  }
}
