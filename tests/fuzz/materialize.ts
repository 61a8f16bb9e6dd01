import { setFlagsFromString } from 'node:v8';
import { SOURCES } from './sources.ts';
import { type EvilKind, type Spec, type ViewKind } from './spec.ts';

/** Bytes on each side of an array that nobody may touch. */
const GUARD = 64;
const FILL = 0xa5;

interface Guarded {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** What the fuzzer's own functions throw. */
export class Mine extends Error {}

/** Makes the values that the log tells of. */
export class Materializer {
  readonly #find: (call: number) => unknown;
  readonly #exported: (path: string) => unknown;
  #guarded: Guarded[] = [];

  constructor(find: (call: number) => unknown, exported: (path: string) => unknown) {
    this.#find = find;
    this.#exported = exported;
  }

  /** Whether some array's surroundings were written to; forgets them all. */
  overrun(): boolean {
    const hit = this.#guarded.some(
      ({ bytes, from, to }) => bytes.subarray(0, from).some(differs) || bytes.subarray(to).some(differs),
    );
    this.#guarded = [];
    return hit;
  }

  make(spec: Spec): unknown {
    switch (spec.t) {
      case 'json':
        return spec.v;
      case 'number':
        return Number(spec.v);
      case 'bigint':
        return BigInt(spec.v);
      case 'undefined':
        return undefined;
      case 'symbol':
        return Symbol('fuzz');
      case 'map':
        return new Map([[1, 2]]);
      case 'date':
        return new Date(0);
      case 'regexp':
        return /x/g;
      case 'hole':
        return Array(3);
      case 'promise':
        return Promise.resolve(1);
      case 'iterator':
        return [1, 2, 3].values();
      case 'cycle': {
        const cycle: unknown[] = [];
        cycle.push(cycle);
        return cycle;
      }
      case 'text':
        return spec.v.repeat(spec.times);
      case 'fn':
        return FUNCTIONS[spec.kind];
      case 'object': {
        const made: Record<string, unknown> = spec.proto ? {} : (Object.create(null) as Record<string, unknown>);
        for (const [key, value] of Object.entries(spec.props)) made[key] = this.make(value);
        return made;
      }
      case 'list':
        return spec.of.map((item) => this.make(item));
      case 'view':
        return this.#view(spec.name, spec.length, spec.kind);
      case 'proxy':
        return proxy(spec.kind, this.make(spec.of));
      case 'evil':
        return evil(spec.kind, this.make(spec.of));
      case 'signal':
        return spec.aborted
          ? AbortSignal.abort(new Mine('the reason of a signal of the fuzzer'))
          : new AbortController().signal;
      case 'source':
        return SOURCES[spec.name];
      case 'ref':
        return follow(this.#find(spec.call), spec.path);
      case 'export':
        return this.#exported(spec.path);
    }
  }

  #view(name: string, length: number, kind: ViewKind): unknown {
    const made = VIEWS[name] ?? Uint8Array;
    const size = made.BYTES_PER_ELEMENT;
    const bytes = length * size;
    if (name === 'ArrayBuffer') return arrayBuffer(bytes, kind);
    if (name === 'SharedArrayBuffer') return new SharedArrayBuffer(bytes);
    switch (kind) {
      case 'guarded': {
        const whole = new Uint8Array(bytes + 2 * GUARD).fill(FILL);
        const view = new made(whole.buffer, GUARD, length);
        new Uint8Array(whole.buffer, GUARD, bytes).fill(1);
        this.#guarded.push({ bytes: whole, from: GUARD, to: GUARD + bytes });
        return view;
      }
      case 'shared':
        return new made(new SharedArrayBuffer(bytes), 0, length);
      case 'growable':
        return new made(growable(bytes));
      case 'resizable':
        return new made(resizable(bytes));
      case 'shrunk': {
        const memory = resizable(bytes);
        const view = new made(memory, 0, length);
        memory.resize(0);
        return view;
      }
      case 'detached': {
        const memory = new ArrayBuffer(bytes);
        const view = new made(memory);
        structuredClone(memory, { transfer: [memory] });
        return view;
      }
      case 'lies':
        return Object.defineProperties(new made(new ArrayBuffer(bytes)), {
          byteLength: { value: 2 ** 33 },
          length: { value: 2 ** 33 },
        });
    }
  }
}

/** Follow property names; whatever is in the way gives undefined. */
export function follow(from: unknown, path: readonly string[]): unknown {
  let value = from;
  for (const key of path) {
    if (value === null || value === undefined) return undefined;
    try {
      value = (value as Record<string | symbol, unknown>)[keyOf(key)];
    } catch {
      return undefined;
    }
  }
  return value;
}

/** The property that `@@dispose` and the like stand for. */
export function keyOf(key: string): string | symbol {
  if (!key.startsWith('@@')) return key;
  return (Symbol as unknown as Record<string, symbol>)[key.slice(2)] ?? Symbol.for(key);
}

const differs = (byte: number): boolean => byte !== FILL;

type ViewConstructor = new (
  buffer: ArrayBufferLike,
  offset?: number,
  length?: number,
) => {
  readonly buffer: ArrayBufferLike;
};

const VIEWS: Readonly<Record<string, ViewConstructor & { readonly BYTES_PER_ELEMENT: number }>> = {
  ...Object.fromEntries(
    [Uint8Array, Int8Array, Uint8ClampedArray, Uint16Array, Int16Array, Uint32Array, Int32Array].map((kind) => [
      kind.name,
      kind,
    ]),
  ),
  ...{ Float32Array, Float64Array, BigInt64Array, BigUint64Array },
  DataView: Object.assign(DataView as ViewConstructor, { BYTES_PER_ELEMENT: 1 }),
  Buffer: bufferClass(),
};

/** What Buffer's instances are, as a constructor over memory that is there. */
function bufferClass(): ViewConstructor & { readonly BYTES_PER_ELEMENT: number } {
  const made = class extends Uint8Array {};
  Object.setPrototypeOf(made.prototype, Buffer.prototype as object);
  return made;
}

/** What ES2024 has and the declarations in use have not. */
const resizable = (bytes: number): ArrayBuffer & { resize(length: number): void } =>
  new (
    ArrayBuffer as unknown as new (length: number, options: object) => ArrayBuffer & { resize(length: number): void }
  )(bytes, { maxByteLength: 2 * bytes });
const growable = (bytes: number): SharedArrayBuffer =>
  new (SharedArrayBuffer as unknown as new (length: number, options: object) => SharedArrayBuffer)(bytes, {
    maxByteLength: 2 * bytes,
  });

function arrayBuffer(bytes: number, kind: ViewKind): ArrayBuffer {
  if (kind === 'resizable') return resizable(bytes);
  const buffer = new ArrayBuffer(bytes);
  if (kind === 'detached') structuredClone(buffer, { transfer: [buffer] });
  return buffer;
}

const FUNCTIONS: Readonly<Record<string, unknown>> = {
  nothing: () => undefined,
  number: () => 1,
  throws: () => {
    throw new Mine('thrown by a function of the fuzzer');
  },
  async: () => Promise.resolve(),
  class: class Other {
    readonly other = true;
  },
};

function proxy(kind: 'revoked' | 'plain' | 'throws', of: unknown): unknown {
  const target = typeof of === 'object' && of !== null ? of : typeof of === 'function' ? of : {};
  const handler: ProxyHandler<object> =
    kind === 'throws'
      ? {
          get() {
            throw new Mine('thrown by a proxy of the fuzzer');
          },
        }
      : {};
  const { proxy: made, revoke } = Proxy.revocable(target, handler);
  if (kind === 'revoked') revoke();
  return made;
}

function evil(kind: EvilKind, of: unknown): unknown {
  try {
    return spoil(kind, typeof of === 'object' && of !== null ? of : {});
  } catch {
    // A revoked proxy is evil enough.
    return of;
  }
}

function spoil(kind: EvilKind, base: object): unknown {
  switch (kind) {
    case 'frozen':
      return ArrayBuffer.isView(base) ? base : Object.freeze({ ...base });
    case 'inherits':
      return Object.create(base) as unknown;
    case 'getter': {
      const [key = 'x'] = Object.keys(base);
      return Object.defineProperty({ ...base }, key, {
        enumerable: true,
        get() {
          throw new Mine('thrown by a getter of the fuzzer');
        },
      });
    }
    case 'string':
      return {
        ...base,
        toString() {
          throw new Mine('thrown by a toString of the fuzzer');
        },
      };
    case 'primitive':
      return { ...base, [Symbol.toPrimitive]: () => ({}) };
    case 'length':
      return { ...base, length: 2 ** 40, byteLength: -1 };
  }
}

/** Collect garbage. */
export function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const { gc } = globalThis;
  return () => {
    gc?.();
  };
}
