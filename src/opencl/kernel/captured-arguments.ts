import { deflateSync } from 'node:zlib';
import { dtypes, type DType, type Element } from '../../core/dtype.ts';
import { nameOf } from '../../core/check.ts';
import { type HostMemory } from '../../core/host-memory.ts';
import { parseType } from '../../core/signature.ts';
import { Scalar, Value, Vector } from '../../core/value.ts';
import { isDeviceArray, type DeviceArray } from '../memory/array-place.ts';
import { Buffer as DeviceBuffer } from '../memory/buffer.ts';
import { hostBytes } from '../memory/copy-host.ts';
import { enqueueCopy } from '../memory/copy.ts';
import { Image } from '../memory/image.ts';
import { Sampler } from '../memory/sampler.ts';
import { SVM, SVMAllocation } from '../memory/svm.ts';
import type { Event } from '../queue/event.ts';
import type { CommandQueue } from '../queue/queue.ts';
import { MemFlags, MemObjectType } from '../sys/enums.ts';
import { LocalMemory, type KernelArgument, type KernelParameter } from './kernel-arguments.ts';

const { READ_WRITE, READ_ONLY, WRITE_ONLY, HOST_WRITE_ONLY, HOST_NO_ACCESS, COPY_HOST_PTR } = MemFlags;
const ARRAYS: readonly number[] = [MemObjectType.IMAGE1D_ARRAY, MemObjectType.IMAGE2D_ARRAY];
const LINE = 100;

/** The arguments of a launch as text: statements that make them, and properties that read them afterwards. */
export class CapturedArguments {
  /** Statements that make the memory. */
  readonly declarations: string[] = [];
  /** Properties that read the memory after the launch. */
  readonly results: string[] = [];
  readonly #queue: CommandQueue;
  readonly #waitFor: readonly Event[];
  readonly #names = new Map<object, string>();

  constructor(queue: CommandQueue, waitFor: readonly Event[] = []) {
    this.#queue = queue;
    this.#waitFor = waitFor;
  }

  /** Write an argument; returns its text in the call. */
  add(value: KernelArgument, parameter: KernelParameter | undefined): string {
    if (value === null) return 'null';
    if (typeof value === 'number') return numberText(value);
    if (typeof value === 'bigint') return `${value}n`;
    if (value instanceof Value) return valueText(value);
    if (value instanceof LocalMemory) return `new cl.LocalMemory(${value.byteLength})`;
    const known = this.#names.get(value);
    if (known !== undefined) return known;
    const name = this.#nameFor(parameter);
    const text = this.#declare(name, value, parameter);
    this.#names.set(value, name);
    this.declarations.push(text);
    return name;
  }

  #declare(name: string, value: Exclude<KernelArgument, number | bigint | null>, parameter?: KernelParameter): string {
    const result = arrayText(parameter, name);
    if (value instanceof DeviceBuffer) {
      if ((value.flags & READ_ONLY) === 0) this.results.push(result(value.byteLength));
      const flags = accessOf(value.flags) | COPY_HOST_PTR;
      return `using ${name} = new cl.Buffer(ctx, ${flags}, ${contentText(this.#bufferBytes(value))});`;
    }
    if (isDeviceArray(value)) {
      this.results.push(result(value.nbytes));
      return `using ${name} = new cl.Buffer(ctx, ${READ_WRITE | COPY_HOST_PTR}, ${contentText(this.#bytes(value, value.nbytes))});`;
    }
    if (value instanceof SVMAllocation) {
      this.results.push(result(value.byteLength));
      const make = `using ${name} = new cl.SVMAllocation(ctx, ${value.flags}, ${value.byteLength});`;
      return `${make}\ncl.enqueueCopy(queue, ${name}, ${contentText(this.#bytes(value, value.byteLength))});`;
    }
    if (value instanceof SVM) {
      this.results.push(result(value.byteLength));
      const bytes = hostBytes(value.array as HostMemory, 0, value.byteLength);
      return `const ${name} = new cl.SVM(${contentText(bytes)});`;
    }
    if (value instanceof Sampler) {
      const { normalizedCoords, addressingMode, filterMode } = value;
      return `using ${name} = new cl.Sampler(ctx, ${normalizedCoords}, ${addressingMode}, ${filterMode});`;
    }
    if (value instanceof Image && value.buffer === undefined) return this.#declareImage(name, value);
    const over = value instanceof Image ? ' over other memory' : '';
    throw new TypeError(`captureCall: argument ${name} is ${nameOf(value)}${over}, which a file cannot hold`);
  }

  #declareImage(name: string, image: Image): string {
    const { format, shape, flags, type } = image;
    const byteLength = shape.reduce((all, size) => all * size, format.elementBytes);
    if ((flags & READ_ONLY) === 0) this.results.push(arrayText(undefined, name)(byteLength));
    const made = `new cl.ImageFormat(${format.channelOrder}, ${format.channelType})`;
    const descriptor = `{ shape: ${JSON.stringify(shape)}, isArray: ${ARRAYS.includes(type)} }`;
    const bytes = contentText(this.#bytes(image, byteLength));
    return `using ${name} = new cl.Image(ctx, ${accessOf(flags) | COPY_HOST_PTR}, ${made}, ${descriptor}, ${bytes});`;
  }

  /** Through a second buffer, where the host may not read the first. */
  #bufferBytes(buffer: DeviceBuffer): Uint8Array {
    if ((buffer.flags & (HOST_WRITE_ONLY | HOST_NO_ACCESS)) === 0) return this.#bytes(buffer, buffer.byteLength);
    const copy = new DeviceBuffer(buffer.context, READ_WRITE, buffer.byteLength);
    try {
      const event = enqueueCopy(this.#queue, copy, buffer, { waitFor: this.#waitFor });
      const bytes = new Uint8Array(buffer.byteLength);
      enqueueCopy(this.#queue, bytes, copy, { waitFor: [event] });
      return bytes;
    } finally {
      copy.close();
    }
  }

  #bytes(memory: DeviceBuffer | DeviceArray | SVMAllocation<DType> | Image, byteLength: number): Uint8Array {
    const bytes = new Uint8Array(byteLength);
    if (byteLength > 0) enqueueCopy(this.#queue, bytes, memory, { waitFor: this.#waitFor });
    return bytes;
  }

  /** The parameter's name, where it is known and not in use. */
  #nameFor(parameter: KernelParameter | undefined): string {
    const base = `${parameter?.name ?? 'memory'}Arg`;
    const taken = [...this.#names.values()].filter((name) => name.startsWith(base)).length;
    return taken === 0 ? base : `${base}${taken + 1}`;
  }
}

/** Text that reads the memory into an array of the parameter's element type. */
function arrayText(parameter: KernelParameter | undefined, name: string): (byteLength: number) => string {
  const element = parseType((parameter?.type?.element ?? 'uchar').replace(/\b(?:const|volatile)\b/g, ''), 'opencl');
  const scalar = element.kind === 'vector' ? parseType(element.element ?? 'uchar', 'opencl') : element;
  const dtype = Object.values(dtypes).find(
    ({ kind, size, signed, name: found }) =>
      kind === scalar.kind &&
      size === scalar.size &&
      (kind === 'float' || signed === scalar.signed) &&
      found !== 'bf16',
  );
  return (byteLength) => {
    const { size = 1, array } = dtype ?? {};
    const fits = array !== undefined && byteLength % size === 0;
    const [type, length] = fits ? [array.name, byteLength / size] : ['Uint8Array', byteLength];
    return `${name}: read(new ${type}(${length}), ${name})`;
  };
}

function accessOf(flags: number): number {
  return flags & (READ_WRITE | READ_ONLY | WRITE_ONLY);
}

function contentText(bytes: Uint8Array): string {
  const text = deflateSync(bytes).toString('base64');
  if (text.length <= LINE) return `content('${text}')`;
  return `content(\`\n${text.replace(new RegExp(`.{${LINE}}`, 'g'), '$&\n')}\`)`;
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function elementText(value: Element): string {
  return typeof value === 'bigint' ? `${value}n` : numberText(value);
}

function valueText(value: Value): string {
  // OpenCL C has no bfloat16.
  if (value instanceof Scalar && value.dtype !== 'bf16') return `cl.${value.typeName}(${elementText(value.value)})`;
  if (value instanceof Vector) return `cl.${value.type.name}(${value.values.map(elementText).join(', ')})`;
  const bytes = new Uint8Array(value.byteLength);
  value.writeTo(new DataView(bytes.buffer), 0);
  return `cl.struct({ bytes: ['u8', ${bytes.length}] })({ bytes: [${bytes.join(', ')}] })`;
}
