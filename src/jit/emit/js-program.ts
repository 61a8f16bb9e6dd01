import type { Expression, FunctionTree, Origin, Span, Statement, Variable } from '../tree.ts';
import { markText } from '../simulate/source-map.ts';
import { keyOf, type StructType } from '../kernel-type.ts';
import { childrenOf } from '../read/effect.ts';
import type { RecordFields } from '../simulate/record.ts';
import { expressionsOf } from './effects.ts';
import { recordFields } from './js-record.ts';

/** A place that can fail, and what is done there. */
export interface Site {
  readonly origin: Origin;
  readonly span: Span;
  /** The array of an access, as its function names it. */
  readonly array?: string | undefined;
  readonly access?: 'read' | 'write' | 'atomic' | undefined;
}

/** What the functions of a kernel share in JavaScript. */
export class JsProgram {
  readonly origins: Origin[] = [];
  readonly sites: Site[] = [];
  /** Arrays of the block: declarations, each one array for all threads. */
  readonly shared: Variable[] = [];
  /** Structs of arrays that are read or written whole. */
  readonly #records = new Map<string, RecordFields>();
  readonly #waiting = new Map<FunctionTree, boolean>();

  /** A mark for the place that the text behind it is from. */
  mark(tree: FunctionTree, { start }: Span): string {
    return markText(this.#originOf(tree.origin), start);
  }

  #originOf(origin: Origin): number {
    const known = this.origins.indexOf(origin);
    return known < 0 ? this.origins.push(origin) - 1 : known;
  }

  /** The number of a place that can fail. */
  site(tree: FunctionTree, span: Span, more: Pick<Site, 'array' | 'access'> = {}): number {
    return this.sites.push({ origin: tree.origin, span: { start: span.start, end: span.end }, ...more }) - 1;
  }

  sharedOf(variable: Variable): number {
    const known = this.shared.indexOf(variable);
    return known < 0 ? this.shared.push(variable) - 1 : known;
  }

  /** The name of what reads and writes a struct of an array. */
  record(type: StructType): string {
    const key = keyOf(type);
    if (!this.#records.has(key)) this.#records.set(key, recordFields(type));
    return `$r[${[...this.#records.keys()].indexOf(key)}]`;
  }

  get records(): readonly RecordFields[] {
    return [...this.#records.values()];
  }

  /** Whether a function may wait for other threads: then it is a generator. */
  waits(tree: FunctionTree): boolean {
    const known = this.#waiting.get(tree);
    if (known !== undefined) return known;
    const found = tree.callees.some((callee) => this.waits(callee)) || tree.body.some(statementWaits);
    this.#waiting.set(tree, found);
    return found;
  }
}

/** Whether a statement itself calls what waits; functions that it calls are looked at by themselves. */
function statementWaits(statement: Statement): boolean {
  return expressionsOf(statement).some(waits);
}

function waits(expression: Expression): boolean {
  if (expression.kind === 'call' && expression.operation.effect === 'barrier') return true;
  return childrenOf(expression).some(waits);
}
