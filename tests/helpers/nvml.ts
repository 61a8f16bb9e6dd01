import { afterAll } from '@jest/globals';
import { shutDown } from '../../src/nvml/call.ts';
import { useNvml } from '../../src/nvml/select.ts';
import { fakeNvml, type FakeNvml } from './fake-nvml.ts';

/** Put a fake NVML under the whole half for the tests of this file. */
export function withFakeNvml(): FakeNvml {
  const fake = fakeNvml();
  useNvml(fake.table);
  afterAll(() => {
    shutDown();
    useNvml(undefined);
  });
  return fake;
}
