import { makeFakesOld } from '../../../helpers/fake-opencl.ts';

makeFakesOld({ version: '1.2', missing: 'platform' });
await import('../kernel/kernel.test.ts');
