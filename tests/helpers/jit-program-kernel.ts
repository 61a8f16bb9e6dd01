import { runInThisContext } from 'node:vm';
import { device } from '../../src/cuda/jit/index.ts';
import type { ConstantSet } from '../../src/jit/read/reading.ts';
import { HOST_TYPES, newNumbers, type HostType, type Numbers } from './random-jit-inputs.ts';
import { randomRows } from './random-jit-records.ts';

/**
 * A small program, one of many in a kernel. `i` is the place in the inputs, which it reads by their names, and in `ra`, an array of
 * structs; `rw[t]` is a struct that belongs to the thread alone.
 */
export interface JitProgram {
  /** What its result is stored as. */
  readonly type: HostType;
  /** An expression, and statements before it. */
  readonly value?: string;
  readonly before?: string;
  /** Or the body of a device function, which returns the result. */
  readonly device?: string;
  /** Its parameters besides the inputs, what it is given for them, and what of the value that it returns the result is. */
  readonly parameters?: readonly string[];
  readonly args?: readonly string[];
  readonly read?: string;
  /** The error of the result in units of the last place, where it is not exact. */
  readonly ulp?: number;
}

/** Many programs as one kernel: a thread runs the program and the input of its number, so that all are compiled at once. */
export class ProgramKernel {
  readonly programs: readonly JitProgram[];
  readonly inputs: ReadonlyMap<string, Numbers>;
  /** Inputs of each program: a power of two. */
  readonly length: number;
  /** The kernel's text. */
  readonly text: string;
  readonly #slots: readonly number[];
  readonly #counts = new Map<HostType, number>();

  constructor(programs: readonly JitProgram[], inputs: ReadonlyMap<string, Numbers>) {
    this.programs = programs;
    this.inputs = inputs;
    this.length = inputs.values().next().value?.length ?? 1;
    this.#slots = programs.map(({ type }) => {
      const slot = this.#counts.get(type) ?? 0;
      this.#counts.set(type, slot + 1);
      return slot;
    });
    this.text = this.#kernelText();
  }

  get threads(): number {
    return this.programs.length * this.length;
  }

  /** The kernel, and the device functions that are its constants. */
  made(): { readonly fn: (...args: readonly unknown[]) => void; readonly constants: ConstantSet } {
    const constants = this.programs.flatMap((program, p) =>
      program.device === undefined ? [] : [[`f${p}`, device(functionOf(this.#deviceText(program)))] as const],
    );
    return { fn: functionOf(this.text), constants: Object.fromEntries(constants) };
  }

  /** An output for each type. */
  newOutputs(): readonly Numbers[] {
    return HOST_TYPES.map((type) => newNumbers(type, Math.max(1, (this.#counts.get(type) ?? 0) * this.length)));
  }

  /** The bytes of the structs that are read, and of those that each thread has one of. */
  newRows(): { readonly ra: Uint8Array<ArrayBuffer>; readonly rw: Uint8Array<ArrayBuffer> } {
    // A prime: the programs have other rows for the same input, and random rows for all threads would take longer than all else.
    const count = Math.min(this.threads, 251);
    const rows = randomRows(2, count);
    const rw = new Uint8Array((rows.length / count) * this.threads);
    for (let at = 0; at < rw.length; at += rows.length) rw.set(rows.subarray(0, rw.length - at), at);
    return { ra: randomRows(1, this.length), rw };
  }

  /** The result of a thread. */
  resultOf(outputs: readonly Numbers[], thread: number): number | bigint {
    const p = Math.floor(thread / this.length);
    const { type } = this.programs[p] as JitProgram;
    const at = (this.#slots[p] ?? 0) * this.length + (thread % this.length);
    return outputs[HOST_TYPES.indexOf(type)]?.[at] as number | bigint;
  }

  /** A program with the input of a thread, to be read. */
  describe(thread: number): string {
    const p = Math.floor(thread / this.length);
    const i = thread % this.length;
    const program = this.programs[p] as JitProgram;
    const { type, value = '', before = '', device: body } = program;
    const text =
      body === undefined
        ? `${before}\n${type}: ${value}`
        : `${type}: ${this.#callText(program, p)}\n${this.#deviceText(program)}`;
    const used = [...this.inputs].filter(([name]) => text.includes(`${name}[`));
    return `${text}\n  i = ${i}${used.map(([name, list]) => `, ${name}[i] = ${String(list[i])}`).join('')}`;
  }

  #deviceText(program: JitProgram): string {
    return `(${[...this.#inputsOf(program), ...(program.parameters ?? [])].join(', ')}) => {\n    ${program.device ?? ''}\n  }`;
  }

  #callText(program: JitProgram, p: number): string {
    return `f${p}(${[...this.#inputsOf(program), ...(program.args ?? [])].join(', ')})${program.read ?? ''}`;
  }

  #inputsOf({ device: body = '' }: JitProgram): readonly string[] {
    return ['i', 't', ...[...this.inputs.keys(), 'ra', 'rw'].filter((name) => body.includes(`${name}[`))];
  }

  #kernelText(): string {
    const shift = Math.log2(this.length);
    const devices = this.programs.flatMap(({ device: body }, p) => (body === undefined ? [] : [`f${p}`]));
    const constants = devices.length > 0 ? `, { ${devices.join(', ')} }` : '';
    const outputs = HOST_TYPES.map((type) => `o_${type}`).join(', ');
    const branches = this.programs.map((program, p) => {
      const { type, before = '', value } = program;
      const result = value ?? this.#callText(program, p);
      return `  if (p === ${p}) {\n    ${before}\n    o_${type}[${(this.#slots[p] ?? 0) * this.length} + i] = ${result};\n  }`;
    });
    return `(${[...this.inputs.keys()].join(', ')}, ${outputs}, ra, rw, skipped, first${constants}) => {
  const t = first + cuda.grid(1);
  if (t >= ${this.threads} || skipped[t] !== 0) return;
  const p = t >> ${shift}, i = t & ${this.length - 1};
${branches.join('\n')}
}`;
  }
}

/** A function of its text. */
export function functionOf(text: string): (...args: readonly unknown[]) => void {
  return runInThisContext(`(${text})`) as (...args: readonly unknown[]) => void;
}
