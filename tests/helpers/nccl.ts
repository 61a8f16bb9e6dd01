import { afterAll, afterEach, beforeEach, expect } from '@jest/globals';
import { liveObjects } from '../../src/core/handle.ts';
import { useNccl } from '../../src/nccl/select.ts';
import { Communicator, UniqueId, type InitOptions } from '../../src/nccl/index.ts';
import { fakeNccl, type FakeNccl } from './fake-nccl.ts';
import { turns } from './until.ts';

/** Aborts come to their end within a few. */
const MAX_TURNS = 100;

/** Put a fake NCCL under the library for the tests of this file. After each test nothing is left of it. */
export function withFakeNccl(): FakeNccl {
  const fake = fakeNccl();
  useNccl(fake.table);
  beforeEach(() => {
    fake.turns = 2;
    fake.isStuck = false;
    fake.abortHangs = false;
    fake.version = 22_807;
    fake.fail.clear();
    fake.started.length = 0;
    fake.calls.length = 0;
    fake.misuse.length = 0;
  });
  afterEach(async () => {
    for (let i = 0; fake.comms.size > 0 && i < MAX_TURNS; i++) await turns();
    expect([...fake.comms.keys()]).toEqual([]);
    const left = Object.keys(liveObjects()).filter((kind) => !['Context', 'NDArray'].includes(kind));
    expect(left.filter((kind) => /Communicator|PreMulSum|Registered/.test(kind))).toEqual([]);
    expect(fake.live).toEqual(new Map());
    expect(fake.misuse).toEqual([]);
  });
  afterAll(() => {
    useNccl(undefined);
  });
  return fake;
}

/** The communicator of one rank; the fake's other ranks are always there. */
export function communicator(options: Partial<InitOptions> = {}): Promise<Communicator> {
  return Communicator.init({ rank: 0, size: 4, id: UniqueId.create(), ...options });
}
