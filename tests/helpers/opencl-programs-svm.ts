import * as entry from '../../src/opencl/index.ts';
import { read } from './faults.ts';
import { bytes, makersOf, READ_WRITE, type OpenCLGround, type Programs } from './opencl-programs-shared.ts';
import { called, retrying } from './retrying.ts';

const cl = retrying(entry);

/** Memory that a device shares with the host. */
export function sharedPrograms(ground: () => OpenCLGround): Programs {
  const { program } = makersOf(ground);
  return {
    svm: () => {
      const { context, queue } = ground();
      using a = new cl.SVMAllocation(context, READ_WRITE, 256);
      using b = new cl.SVMAllocation(context, READ_WRITE, 256);
      cl.enqueueCopy(queue, a, b).close();
      cl.enqueueCopy(queue, a, bytes()).close();
      cl.enqueueSVMMemFill(queue, a, 0).close();
      cl.enqueueSVMMigrate(queue, [a]).close();
      queue.finish();
    },
    svmMaps: () => {
      const { context, queue } = ground();
      using a = cl.csvmEmpty(context, 16, 'f32');
      using map = a.map(queue, entry.MapFlags.READ);
      read(map.array);
      map.unmap().close();
      queue.finish();
      using again = a.map(queue, entry.MapFlags.WRITE, { blocking: false });
      again.event.wait();
    },
    svmReleases: () => {
      const { context, queue } = ground();
      using a = cl.csvmEmptyLike(context, new Float32Array(16));
      a.enqueueRelease(queue).wait();
    },
    svmArguments: () => {
      const { context, queue } = ground();
      using made = program();
      using kernel = new cl.Kernel(made, 'add');
      using a = cl.fsvmEmpty(context, 16, 'f32');
      using other = cl.fsvmEmptyLike(context, new Float32Array(16));
      kernel.setExecInfo({ svmPointers: [other], fineGrainSystem: false });
      called('Kernel()', kernel)(queue, 16, null, a, cl.int32(0)).close();
      using over = a.asBuffer();
      read(over.handle, a.array);
      queue.finish();
    },
    svmPools: () => {
      const { context, queue } = ground();
      using pool = new cl.SVMPool(new cl.SVMAllocator(context));
      using a = pool.allocate(64, { type: 'f32' });
      cl.enqueueSVMMemFill(queue, a, cl.float32(1)).close();
      a.enqueueRelease(queue).wait();
      using b = new cl.SVMAllocator(context).allocate(64);
      read(b.address);
    },
  };
}
