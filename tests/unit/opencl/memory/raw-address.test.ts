import { expect, test } from '@jest/globals';
import * as cl from '../../../../src/opencl/index.ts';
import { embeddedDescribe, embeddedOpenCL } from '../../../helpers/opencl-devices.ts';

embeddedDescribe()('The embedded device and raw addresses', () => {
  test('a buffer over an empty allocation is refused', () => {
    using context = new cl.Context(embeddedOpenCL as cl.Device);
    for (const address of [1n, 0xffff_8000_0000_0000n]) {
      using memory = cl.SVMAllocation.fromHandle(context, address, 256);
      expect(() => memory.asBuffer()).toThrow(expect.objectContaining({ code: 'CL_INVALID_HOST_PTR' }));
    }
  });
});
