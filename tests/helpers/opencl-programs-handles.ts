import * as entry from '../../src/opencl/index.ts';
import { read } from './faults.ts';
import { makersOf, READ_WRITE, type OpenCLGround, type Programs } from './opencl-programs-shared.ts';
import { retrying } from './retrying.ts';

const cl = retrying(entry);

/** Objects that another library has made: each takes a reference of its own. */
export function handlePrograms(ground: () => OpenCLGround): Programs {
  const { buffer, image, program } = makersOf(ground);
  return {
    contextsOfHandles: () => {
      const { context, queue } = ground();
      using other = cl.Context.fromHandle(context.handle);
      using same = cl.CommandQueue.fromHandle(other, queue.handle);
      read(other.devices, same.device);
    },
    memoryOfHandles: () => {
      const { context } = ground();
      using a = buffer();
      using b = cl.Buffer.fromHandle(context, a.handle);
      using c = image();
      using d = cl.Image.fromHandle(context, c.handle);
      read(b.byteLength, d.shape);
    },
    pipesOfHandles: () => {
      const { context } = ground();
      using a = new cl.Pipe(context, 4, 16);
      using b = cl.Pipe.fromHandle(context, a.handle);
      read(b.packetSize);
    },
    samplersOfHandles: () => {
      const { context } = ground();
      using a = new cl.Sampler(context, true, entry.AddressingMode.REPEAT, entry.FilterMode.LINEAR);
      using b = cl.Sampler.fromHandle(context, a.handle);
      read(b.filterMode);
    },
    codeOfHandles: () => {
      const { context } = ground();
      using a = program();
      using b = cl.Program.fromHandle(context, a.handle);
      using kernel = new cl.Kernel(a, 'add');
      using again = cl.Kernel.fromHandle(context, kernel.handle);
      read(b.kernelNames, again.signature);
    },
    eventsOfHandles: () => {
      const { context, queue } = ground();
      using go = new cl.UserEvent(context);
      using marker = cl.enqueueMarker(queue, { waitFor: [go] });
      try {
        using event = cl.eventFromHandle(context, marker.pending('a test') as never);
        read(event.isDone);
      } finally {
        go.setStatus(0);
      }
      marker.wait();
    },
    sharedOfHandles: () => {
      const { context, queue } = ground();
      using a = cl.svmEmpty(context, READ_WRITE, 16, 'i32');
      using b = cl.SVMAllocation.fromHandle(context, a.address, 64, a.flags, { type: 'i32' });
      cl.enqueueSVMMemFill(queue, b, 0).close();
      queue.finish();
    },
  };
}
