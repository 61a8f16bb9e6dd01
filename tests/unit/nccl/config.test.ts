import { expect, test } from '@jest/globals';
import { readText } from '../../../src/ffi/memory.ts';
import { configSizes, magics, structs } from '../../../src/nccl/sys/structs.ts';
import { CONFIG_UNDEF_INT } from '../../../src/nccl/sys/enums.ts';
import type { CommunicatorConfig } from '../../../src/nccl/index.ts';
import { withFakeDriver } from '../../helpers/cuda.ts';
import { communicator, withFakeNccl } from '../../helpers/nccl.ts';

withFakeDriver();
const fake = withFakeNccl();
const { fields } = structs.ncclConfig_t;

async function written(config: CommunicatorConfig, name?: string): Promise<DataView> {
  using comm = await communicator({ config, name });
  expect(comm.closed).toBe(false);
  return [...fake.comms.values()].at(-1)?.config ?? new DataView(new ArrayBuffer(0));
}

test.each([
  [22_807, 80],
  [22_703, 72],
  [22_902, 88],
  [23_007, 96],
  [23_100, 96],
  [22_304, 48],
])('NCCL %i gets a config of %i bytes, with its own version', async (version, size) => {
  fake.version = version;
  const view = await written({ minCTAs: 2, maxCTAs: 4 });
  expect(view.byteLength).toBe(size);
  expect(view.getBigUint64(fields.size, true)).toBe(BigInt(size));
  expect(view.getUint32(fields.magic, true)).toBe(magics.ncclConfig_t);
  expect(view.getUint32(fields.version, true)).toBe(version);
  expect(view.getInt32(fields.blocking, true)).toBe(0);
  expect(view.getInt32(fields.minCTAs, true)).toBe(2);
  expect(view.getInt32(fields.splitShare, true)).toBe(CONFIG_UNDEF_INT);
  expect(view.getBigUint64(fields.netName, true)).toBe(0n);
});

test('each option is written at the offset of its field', async () => {
  fake.version = 23_007;
  const config: Required<CommunicatorConfig> = {
    cgaClusterSize: 2,
    minCTAs: 3,
    maxCTAs: 4,
    netName: 'Socket',
    splitShare: true,
    trafficClass: 5,
    collnetEnable: false,
    ctaPolicy: 'zero',
    shrinkShare: true,
    nvlsCTAs: 6,
    nChannelsPerNetPeer: 7,
    nvlinkCentricSched: true,
    graphUsageMode: 1,
    numRmaCtx: 8,
    maxP2pPeers: 9,
    graphStreamOrdering: false,
  };
  using comm = await communicator({ config, name: 'dp' });
  expect(comm.name).toBe('dp');
  const view = [...fake.comms.values()].at(-1)?.config as DataView;
  const values = Object.fromEntries(Object.entries(fields).map(([name, at]) => [name, view.getInt32(at, true)]));
  expect(values).toMatchObject({
    cgaClusterSize: 2,
    minCTAs: 3,
    maxCTAs: 4,
    splitShare: 1,
    trafficClass: 5,
    collnetEnable: 0,
    CTAPolicy: 2,
    shrinkShare: 1,
    nvlsCTAs: 6,
    nChannelsPerNetPeer: 7,
    nvlinkCentricSched: 1,
    graphUsageMode: 1,
    numRmaCtx: 8,
    maxP2pPeers: 9,
    graphStreamOrdering: 0,
  });
  expect(readText(view.getBigUint64(fields.netName, true))).toBe('Socket');
  expect(readText(view.getBigUint64(fields.commName, true))).toBe('dp');
});

test.each<[CommunicatorConfig, string]>([
  [{ maxP2pPeers: 4 }, 'config.maxP2pPeers needs NCCL 2.30 or newer, but 2.28.7 is installed; leave it out'],
  [{ numRmaCtx: 4 }, 'config.numRmaCtx needs NCCL 2.29 or newer'],
  [{ minCTAs: 0 }, 'config.minCTAs must be an integer from 1'],
  [{ minCTAs: 4, maxCTAs: 2 }, 'config.minCTAs must be at most config.maxCTAs, which is 2, got 4'],
  [{ splitShare: 1 as never }, 'config.splitShare must be true or false, got 1'],
  [{ ctaPolicy: 'x' as never }, "config.ctaPolicy must be 'default' or 'efficiency' or 'zero'"],
  [{ netName: 'a\0b' }, 'config.netName must be a string without NUL characters'],
  [{ blocking: 1 } as never, "config has no option 'blocking'"],
])('%j is refused', async (config, message) => {
  await expect(communicator({ config })).rejects.toThrow(message);
});

test('an older NCCL has no name of a communicator, and gets none', async () => {
  fake.version = 22_304;
  const view = await written({}, 'tp');
  expect(view.byteLength).toBe(configSizes.at(-1)?.[1]);
});
