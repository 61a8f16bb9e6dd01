import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as entry from '../../src/opencl/index.ts';
import { read } from './faults.ts';
import {
  FAULTS_SOURCE,
  format,
  makersOf,
  READ_WRITE,
  type OpenCLGround,
  type Programs,
} from './opencl-programs-shared.ts';
import { retrying } from './retrying.ts';

const cl = retrying(entry);

/** What the programs that are made to fail leave out, because the driver takes no part in it or another one covers it. */
export function openclArgumentPrograms(ground: () => OpenCLGround): Programs {
  const { buffer } = makersOf(ground);
  return {
    questions: () => {
      const { context, queue } = ground();
      const [device] = context.devices;
      device?.hasExtension('cl_khr_fp64');
      device?.platform.atLeast(1, 2);
      device?.platform.getInfo('NAME');
      if (device) cl.SubDevice.isPossible(device, { equally: 1 });
      cl.CommandBuffer.isPossible(queue);
      cl.Pipe.isSupported(context);
      cl.Semaphore.isPossible(context);
      format().equals(format());
    },
    allocations: () => {
      const { context, queue } = ground();
      using a = new cl.ImmediateAllocator(queue).allocate(64);
      using b = cl.svmEmptyLike(context, READ_WRITE, new Float32Array(4));
      read(a.handle, b.address);
    },
    captures: () => {
      const { context, queue } = ground();
      using made = new cl.Program(context, FAULTS_SOURCE).build('', { cache: false });
      using kernel = new cl.Kernel(made, 'add');
      using a = buffer();
      const folder = mkdtempSync(join(tmpdir(), 'rawkernel-arguments-'));
      try {
        cl.captureCall(join(folder, 'call.ts'), kernel, queue, 16, null, a, 1);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    scalars: () => {
      const names = ['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32'] as const;
      for (const name of names) cl[name](1);
      for (const name of ['float16', 'float32', 'float64'] as const) cl[name](1);
      for (const name of ['int64', 'uint64'] as const) cl[name](1n);
      cl.struct({ a: 'i32' });
    },
  };
}
