import { afterAll, beforeAll } from '@jest/globals';
import { cpuOpenCL } from '../../src/cpu/opencl-table.ts';
import { sweepFlights } from '../../src/core/in-flight.ts';
import { withChecks } from '../../src/ffi/bind.ts';
import * as cl from '../../src/opencl/index.ts';
import { useOpenCL } from '../../src/opencl/select.ts';
import type { ExtensionTable, OpenCLTable } from '../../src/opencl/sys/tables.ts';
import { EXTENSIONS } from '../../src/opencl/sys/extensions.ts';
import { functions } from '../../src/opencl/sys/opencl.ts';
import { fakeOpenCLCompiler } from './opencl-kernels.ts';

/** The embedded OpenCL platform with a compiler that knows one program, and objects of it. */
export interface CpuOpenCL {
  readonly table: OpenCLTable;
  readonly extensions: ExtensionTable;
  readonly compiler: ReturnType<typeof fakeOpenCLCompiler>;
  readonly ctx: cl.Context;
  readonly queue: cl.CommandQueue;
  readonly device: cl.Device;
  /** Its kernels. */
  readonly prg: cl.Program;
}

/** Put the embedded platform under the OpenCL half for the tests of this file. */
export function withCpuOpenCL(options: { workers?: number; timeoutMs?: number } = {}): CpuOpenCL {
  const compiler = fakeOpenCLCompiler();
  const embedded = cpuOpenCL({ compiler, workers: 2, timeoutMs: 2000, memoryBytes: 512 << 20, ...options });
  const table = withChecks(functions, embedded);
  const made: Partial<Record<'ctx' | 'queue' | 'device' | 'prg', unknown>> = {};
  beforeAll(() => {
    useOpenCL(table);
    const ctx = cl.createSomeContext({ interactive: false });
    made.ctx = ctx;
    made.device = ctx.devices[0];
    made.queue = new cl.CommandQueue(ctx);
    made.prg = new cl.Program(ctx, 'anything').build('', { cache: false });
  });
  afterAll(() => {
    (made.queue as cl.CommandQueue).finish();
    sweepFlights();
    for (const key of ['prg', 'queue', 'ctx'] as const) (made[key] as Disposable)[Symbol.dispose]();
    // The table stays: the collector gives back later what tests have dropped.
  });
  return {
    table,
    extensions: embedded[EXTENSIONS],
    compiler,
    get ctx() {
      return made.ctx as cl.Context;
    },
    get queue() {
      return made.queue as cl.CommandQueue;
    },
    get device() {
      return made.device as cl.Device;
    },
    get prg() {
      return made.prg as cl.Program;
    },
  };
}

/** The handle that an object has, as a number that goes everywhere. */
export function raw(object: { use(method: string): unknown } | { readonly raw: unknown }): never {
  return ('use' in object ? object.use('raw') : object.raw) as never;
}

/** A call that makes something: what it made, and its status. */
export function make(call: (errcode: Int32Array) => bigint): { readonly handle: never; readonly status: number } {
  const errcode = new Int32Array([12_345]);
  const handle = call(errcode) as never;
  return { handle, status: errcode[0] ?? NaN };
}
