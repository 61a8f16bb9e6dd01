import { uint64, type Value } from '../../../../src/core/value.ts';
import { Buffer } from '../../../../src/opencl/buffer.ts';
import { Context, type ContextOptions } from '../../../../src/opencl/context.ts';
import { enqueueCopy } from '../../../../src/opencl/copy.ts';
import type { Device } from '../../../../src/opencl/device.ts';
import { Program } from '../../../../src/opencl/program.ts';
import { CommandQueue } from '../../../../src/opencl/queue.ts';
import { opencl } from '../../../../src/opencl/select.ts';
import { ChannelOrder, ChannelType, MemFlags, MemObjectType } from '../../../../src/opencl/sys/enums.ts';
import { structs } from '../../../../src/opencl/sys/structs.ts';
import { Random } from '../random.ts';
import type { Results } from '../results.ts';
import type { Image, OpenCLCase } from './case.ts';

/** The inputs of a case. */
export function inputsOf(one: OpenCLCase): ReturnType<OpenCLCase['buffers']> {
  return one.buffers(new Random(one.name));
}

/** What a case needs and a device lacks. */
export function lackedBy(device: Device, { needs = [] }: OpenCLCase): readonly string[] {
  const words = device.extensions;
  const features = device.getInfo('OPENCL_C_FEATURES').map(({ name }) => name);
  const uniformGroups = !device.getInfo('NON_UNIFORM_WORK_GROUP_SUPPORT');
  return needs.filter((need) =>
    need === 'non-uniform groups' ? uniformGroups : !words.includes(need) && !features.includes(need),
  );
}

const optionsOf = ({ options = '-cl-std=CL1.2' }: OpenCLCase): string => options;

/** Runs the cases of one file on one device. */
export class Runner implements Disposable {
  readonly context: Context;
  readonly #queue: CommandQueue;
  readonly #cases: readonly OpenCLCase[];
  readonly #programs = new Map<string, Program>();

  constructor(device: Device, cases: readonly OpenCLCase[], options: ContextOptions = {}) {
    this.context = new Context([device], options);
    this.#queue = new CommandQueue(this.context);
    this.#cases = cases.filter((one) => lackedBy(device, one).length === 0);
  }

  /** Run a case's launches and fetch all its buffers. */
  run(one: OpenCLCase): Results {
    const program = this.#programFor(optionsOf(one));
    const inputs = inputsOf(one);
    const { COPY_HOST_PTR, READ_WRITE } = MemFlags;
    const memory: Record<string, Buffer> = {};
    const images = new Map<string, bigint>();
    try {
      for (const [name, array] of Object.entries(inputs)) {
        memory[name] = new Buffer(this.context, READ_WRITE | COPY_HOST_PTR, array);
      }
      for (const [name, image] of Object.entries(one.images?.(inputs) ?? {})) images.set(name, this.#image(image));
      const imageOf = (name: string): Value => uint64(images.get(name) ?? 0n);
      for (const { kernel, args, global, local, offset } of one.launches(memory, inputs, imageOf)) {
        const options = offset === undefined ? [] : [{ offset }];
        program.kernel(kernel)(this.#queue, global, local, ...args, ...options);
      }
      for (const [name, array] of Object.entries(inputs)) enqueueCopy(this.#queue, array, memory[name] as Buffer);
      this.#queue.finish();
      return inputs;
    } finally {
      for (const image of images.values()) opencl().clReleaseMemObject(image as never);
      for (const buffer of Object.values(memory)) buffer.close();
    }
  }

  [Symbol.dispose](): void {
    for (const program of this.#programs.values()) program.close();
    this.#queue.close();
    this.context.close();
  }

  #programFor(options: string): Program {
    const known = this.#programs.get(options);
    if (known) return known;
    const sources = this.#cases.filter((one) => optionsOf(one) === options).map(({ source }) => source);
    const program = new Program(this.context, sources.join('\n')).build(options);
    this.#programs.set(options, program);
    return program;
  }

  #image({ type, order, channel, width, height = 0, depth = 0, layers = 0, data }: Image): bigint {
    const { size, fields } = structs.cl_image_desc;
    const desc = new DataView(new ArrayBuffer(size));
    desc.setUint32(fields.image_type, MemObjectType[type], true);
    const sizes = { image_width: width, image_height: height, image_depth: depth, image_array_size: layers };
    for (const [field, value] of Object.entries(sizes)) {
      desc.setBigUint64(fields[field as keyof typeof sizes], BigInt(value), true);
    }
    const format = Uint32Array.of(ChannelOrder[order], ChannelType[channel]);
    const flags = MemFlags.READ_WRITE | MemFlags.COPY_HOST_PTR;
    const status = new Int32Array(1);
    const image = opencl().clCreateImage(this.context.use('image'), flags, format, desc, data, status);
    if (status[0] !== 0) throw new Error(`clCreateImage: ${status[0] ?? ''}`);
    return image;
  }
}
