import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as entry from '../../src/opencl/index.ts';
import { read } from './faults.ts';
import { FAULTS_SOURCE, makersOf, type OpenCLGround, type Programs } from './opencl-programs-shared.ts';
import { called, retrying } from './retrying.ts';

const cl = retrying(entry);
const FRESH = { cache: false } as const;

/** Programs and kernels: what is compiled, linked, loaded, and asked. */
export function codePrograms(ground: () => OpenCLGround): Programs {
  const { buffer, program } = makersOf(ground);
  return {
    programs: () => {
      using made = program();
      read(made.devices, made.kernels, made.kernelNames, made.binaries, made.logs);
      made.getInfo('NUM_KERNELS');
      made.getBuildInfo('STATUS');
    },
    builds: () => {
      using made = new cl.Program(ground().context, FAULTS_SOURCE).build('', FRESH);
      called('Kernel()', made.kernel('none'))(ground().queue, 1, null).close();
    },
    fileBuilds: () => {
      const folder = mkdtempSync(join(tmpdir(), 'rawkernel-file-'));
      try {
        const file = join(folder, 'add.cl');
        writeFileSync(file, FAULTS_SOURCE);
        using made = cl.Program.fromFile(ground().context, file, {});
        read(made.handle);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    laterBuilds: async () => {
      using made = await cl.Program.compile(ground().context, FAULTS_SOURCE, '', FRESH);
      read(made.handle);
    },
    links: () => {
      const { context } = ground();
      using header = new cl.Program(context, '#define X 1');
      const headers = { 'x.h': header, 'y.h': '#define Y 1' };
      using object = new cl.Program(context, `#include "x.h"\n${FAULTS_SOURCE}`).compile('', { headers });
      using made = cl.linkProgram(context, [object]);
      read(made.kernelNames);
    },
    laterLinks: async () => {
      const { context } = ground();
      using object = await cl.Program.compileObject(context, FAULTS_SOURCE);
      using made = await cl.Program.link(context, [object]);
      read(made.kernelNames);
    },
    intermediate: () => {
      using made = cl.Program.fromIL(ground().context, new Uint8Array(20));
      made.setSpecializationConstant(0, cl.int32(1)).build();
    },
    builtIn: () => {
      using made = cl.Program.fromBuiltInKernels(ground().context, ['add', 'none']);
      read(made.kernelNames);
    },
    kernelFacts: () => {
      using made = program();
      using kernel = new cl.Kernel(made, 'add');
      kernel.getInfo('NUM_ARGS');
      kernel.getArgInfo(0, 'NAME');
      kernel.getWorkGroupInfo('WORK_GROUP_SIZE');
      kernel.getSubGroupInfo('MAX_SUB_GROUP_SIZE_FOR_NDRANGE', 16);
      read(kernel.workGroupInfo(), kernel.attributes, kernel.handle);
    },
    clones: () => {
      const { queue } = ground();
      using made = program();
      using kernel = new cl.Kernel(made, 'add');
      using a = buffer();
      kernel.setArg(0, a).setArg(1, cl.int32(1));
      using copy = kernel.clone();
      cl.enqueueNDRangeKernel(queue, copy, 16, 8, { offset: 0 }).close();
      read(copy.suggestedLocalSize(queue, 16, a, cl.int32(1)));
      queue.finish();
    },
  };
}
