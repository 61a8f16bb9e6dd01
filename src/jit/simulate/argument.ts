import type { ArrayMemory, Lane } from '../../array/engine.ts';
import type { Given, GivenArray } from '../argument.ts';
import type { ArrayType, KernelType } from '../kernel-type.ts';
import { scalarValue } from '../scalar-value.ts';
import { isPlain } from '../emit/js-array.ts';
import { layoutOf } from '../struct-layout.ts';
import { KernelView, STORAGES, type Elements, type Storage } from './kernel-view.ts';
import { RecordStorage } from './record.ts';

/** The memory of a device on the host while a kernel runs there. */
interface Copy {
  readonly memory: ArrayMemory;
  readonly bytes: Uint8Array<ArrayBuffer>;
  isWritten: boolean;
}

/** The arguments of a kernel in JavaScript. Arrays of the host are taken as they are; memory of a device is copied. */
export class SimulatedArguments {
  readonly values: readonly unknown[];
  readonly #copies = new Map<unknown, Copy>();
  readonly #lane: Lane;

  /**
   * Host: blocks where memory of a device is given.
   *
   * @param written - which arrays the kernel writes
   */
  constructor(given: readonly Given[], written: readonly boolean[], lane: () => Lane) {
    const hasMemory = given.some((one) => one.kind === 'array' && one.memory !== undefined);
    this.#lane = hasMemory ? lane() : null;
    this.values = given.map((one, i) =>
      one.kind === 'array' ? this.#array(one, written[i] === true) : valueOf(one.value, one.type),
    );
  }

  /** Copy what was written back to the devices. */
  finish(): void {
    for (const { memory, bytes, isWritten } of this.#copies.values()) {
      if (isWritten) memory.engine.write(memory, 0, bytes.subarray(0, memory.byteLength), this.#lane);
    }
  }

  #array({ host, memory, type, layout }: GivenArray, isWritten: boolean): Elements | KernelView {
    const { element } = type;
    const data = memory
      ? this.#elements(this.#copyOf(memory, isWritten), memory.byteLength, element)
      : storageOf(host as ArrayBufferView, element);
    if (isPlain(type)) return data.length === layout.shape[0] ? data : data.subarray(0, layout.shape[0] as number);
    return new KernelView(data, layout.offset, layout.shape, layout.strides);
  }

  /** Arrays over one memory see each other's elements. */
  #copyOf(memory: ArrayMemory, isWritten: boolean): ArrayBuffer {
    let copy = this.#copies.get(memory.handle);
    if (copy === undefined) {
      const bytes = new Uint8Array(Math.ceil(memory.byteLength / 8) * 8);
      if (memory.byteLength > 0) memory.engine.read(memory, 0, bytes.subarray(0, memory.byteLength), this.#lane);
      copy = { memory, bytes, isWritten: false };
      this.#copies.set(memory.handle, copy);
    }
    copy.isWritten ||= isWritten;
    return copy.bytes.buffer;
  }

  #elements(buffer: ArrayBuffer, byteLength: number, element: ArrayType['element']): Elements {
    if (typeof element !== 'string')
      return new RecordStorage(new DataView(buffer, 0, byteLength), layoutOf(element).size);
    const Kind = STORAGES[element];
    return new Kind(buffer, 0, Math.floor(byteLength / Kind.BYTES_PER_ELEMENT));
  }
}

/** An array of the host as it is; halves as their bits. */
function storageOf(host: ArrayBufferView, element: ArrayType['element']): Elements {
  if (typeof element !== 'string') {
    const { buffer, byteOffset, byteLength } = host;
    return new RecordStorage(new DataView(buffer, byteOffset, byteLength), layoutOf(element).size);
  }
  if (element !== 'f16') return host as unknown as Storage;
  return new Uint16Array(host.buffer as ArrayBuffer, host.byteOffset, host.byteLength / 2);
}

/** A number of the caller's in its type. */
function valueOf(value: unknown, type: KernelType): unknown {
  if (type.kind === 'tuple') return type.items.map((item, i) => valueOf((value as readonly unknown[])[i], item));
  if (type.kind === 'struct') {
    const fields = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(type.fields.map(([name, field]) => [name, valueOf(fields[name], field)]));
  }
  return type.kind === 'scalar' ? scalarValue(value as number | bigint | boolean, type) : value;
}
