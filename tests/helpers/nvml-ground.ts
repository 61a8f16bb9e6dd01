import { wrapTable } from '../../src/ffi/bind.ts';
import { shutDown } from '../../src/nvml/call.ts';
import { useNvml } from '../../src/nvml/select.ts';
import { functions } from '../../src/nvml/sys/nvml.ts';
import { fakeNvml } from './fake-nvml.ts';
import type { Around, Ground } from './faults.ts';

/** A fake NVML for one run; each call goes through `around`. */
export function fakeNvmlGround(around: Around): Ground {
  const fake = fakeNvml();
  fake.gpus[0]?.parts.push({ index: 0, handle: 0x2010n });
  useNvml(
    wrapTable(
      functions,
      fake.table,
      (name, _text, call) =>
        (...args) =>
          around(name, args, () => call(...args)),
    ),
  );
  return {
    state: () => JSON.stringify([fake.started > 1, fake.sets.size]),
    end: () => {
      shutDown();
      useNvml(undefined);
    },
  };
}
