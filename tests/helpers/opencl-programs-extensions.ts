import * as entry from '../../src/opencl/index.ts';
import { read } from './faults.ts';
import { makersOf, type OpenCLGround, type Programs } from './opencl-programs-shared.ts';
import { retrying } from './retrying.ts';

const cl = retrying(entry);

/** What extensions have. */
export function extensionPrograms(ground: () => OpenCLGround): Programs {
  const { buffer, program } = makersOf(ground);
  return {
    commandBuffers: () => {
      const { queue } = ground();
      using a = buffer();
      using b = buffer();
      using made = program();
      using kernel = new cl.Kernel(made, 'add');
      using commands = new cl.CommandBuffer(queue);
      const first = commands.fill(a, cl.int32(1));
      commands.copy(b, a, { waitFor: [first] });
      commands.barrier();
      commands.kernel(kernel, 16, null, a, cl.int32(1));
      commands.finalize().enqueue().close();
      commands.getInfo('NUM_QUEUES');
      queue.finish();
      read(commands.referenceCount);
    },
    semaphores: () => {
      const { context, queue } = ground();
      using semaphore = new cl.Semaphore(context, { exportable: ['OPAQUE_FD'] });
      semaphore.enqueueSignal(queue).close();
      semaphore.enqueueWait(queue).close();
      semaphore.getInfo('TYPE');
      queue.finish();
      read(semaphore.exportHandle('OPAQUE_FD'));
    },
    external: () => {
      const { context, queue } = ground();
      using memory = cl.Buffer.fromExternal(context, { opaqueFd: 9, byteLength: 64 });
      cl.enqueueAcquireExternal(queue, [memory]).close();
      cl.enqueueReleaseExternal(queue, [memory]).close();
      queue.finish();
    },
  };
}

/** What was an extension in older versions. */
export function olderExtensionPrograms(ground: () => OpenCLGround): Programs {
  const { program } = makersOf(ground);
  const { commandBuffers } = extensionPrograms(ground);
  return {
    ...(commandBuffers ? { commandBuffers } : {}),
    intermediate: () => {
      using made = cl.Program.fromIL(ground().context, new Uint8Array(20)).build();
      read(made.kernelNames);
    },
    subGroups: () => {
      using made = program();
      using kernel = new cl.Kernel(made, 'add');
      kernel.getSubGroupInfo('MAX_SUB_GROUP_SIZE_FOR_NDRANGE', 16);
    },
  };
}
