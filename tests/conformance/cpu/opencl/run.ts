import {
  Buffer,
  ChannelOrder,
  ChannelType,
  CommandQueue,
  Context,
  enqueueCopy,
  Image,
  ImageFormat,
  MemFlags,
  Program,
  type ContextOptions,
  type Device,
} from '../../../../src/opencl/index.ts';
import { Random } from '../random.ts';
import type { Results } from '../results.ts';
import type { CaseImage, OpenCLCase } from './case.ts';

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
    const images = new Map<string, Image>();
    try {
      for (const [name, array] of Object.entries(inputs)) {
        memory[name] = new Buffer(this.context, READ_WRITE | COPY_HOST_PTR, array);
      }
      for (const [name, image] of Object.entries(one.images?.(inputs) ?? {})) images.set(name, this.#image(image));
      for (const { kernel, args, global, local, offset } of one.launches(
        memory,
        inputs,
        (name) => images.get(name) as Image,
      )) {
        const options = offset === undefined ? [] : [{ offset }];
        program.kernel(kernel)(this.#queue, global, local, ...args, ...options);
      }
      for (const [name, array] of Object.entries(inputs)) enqueueCopy(this.#queue, array, memory[name] as Buffer);
      this.#queue.finish();
      return inputs;
    } finally {
      for (const image of images.values()) image.close();
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

  #image({ order, channel, shape, isArray = false, data }: CaseImage): Image {
    const format = new ImageFormat(ChannelOrder[order], ChannelType[channel]);
    return new Image(this.context, MemFlags.READ_WRITE | MemFlags.COPY_HOST_PTR, format, { shape, isArray }, data);
  }
}
