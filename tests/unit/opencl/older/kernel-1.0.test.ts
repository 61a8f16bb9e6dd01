import { makeFakesOld } from '../../../helpers/fake-opencl.ts';

makeFakesOld({ version: '1.0', missing: 'platform' });
await import('../kernel/kernel.test.ts');
