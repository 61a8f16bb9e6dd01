import { availableParallelism, cpus } from 'node:os';
import { readChoice } from '../core/choice.ts';
import { uint, type RawDevice } from './answer.ts';
import { nv } from './call.ts';
import { nameIn, type NamesOf } from './names.ts';
import { P2PCapability, P2PStatus, TopologyLevel } from './sys/enums.ts';
import { take } from '../ffi/slot.ts';
import { slotOf } from './slots.ts';

/**
 * Where the ways of two devices to each other meet: on one board (`internal`), in one PCIe switch (`single`), in several
 * (`multiple`), at a host bridge, in a NUMA node, or nowhere nearer than the whole system.
 */
export type TopologyName = NamesOf<typeof TopologyLevel> | 'unknown';

/** What one device may be able to do with the memory of another. */
export type P2PCapabilityName = 'read' | 'write' | 'nvlink' | 'atomics' | 'pci';

/** Whether it can, or why not. */
export type P2PStatusName = NamesOf<typeof P2PStatus>;

const CAPABILITIES: Readonly<Record<P2PCapabilityName, number>> = {
  read: P2PCapability.READ,
  write: P2PCapability.WRITE,
  nvlink: P2PCapability.NVLINK,
  atomics: P2PCapability.ATOMICS,
  // Newer headers call it PCI.
  pci: P2PCapability.PROP,
};

/** What nvmlDeviceGetTopologyCommonAncestor says. */
export function commonAncestorOf(device: RawDevice, other: RawDevice): TopologyName {
  return nameIn(
    TopologyLevel,
    uint((out) => nv.nvmlDeviceGetTopologyCommonAncestor(device, other, out)),
  );
}

/** What nvmlDeviceGetP2PStatus says. */
export function p2pStatusOf(device: RawDevice, other: RawDevice, capability: P2PCapabilityName): P2PStatusName {
  const index = readChoice(capability, CAPABILITIES, 'Device.p2pStatus: capability');
  return nameIn(
    P2PStatus,
    uint((out) => nv.nvmlDeviceGetP2PStatus(device, other, index, out)),
  );
}

/** What nvmlDeviceOnSameBoard says. */
export function onSameBoard(device: RawDevice, other: RawDevice): boolean {
  const slot = slotOf('int');
  nv.nvmlDeviceOnSameBoard(device, other, slot);
  return take(slot) === 1;
}

/** The processors near a device, by their numbers. */
export function cpuAffinityOf(device: RawDevice): number[] {
  // Processors may have higher numbers than there are processors here: some are off, or someone else's.
  const count = Math.max(cpus().length, availableParallelism(), MIN_CPUS);
  const words = new BigUint64Array(Math.ceil(count / WORD_BITS));
  nv.nvmlDeviceGetCpuAffinity(device, words.length, words);
  return [...words].flatMap((word, i) =>
    Array.from({ length: WORD_BITS }, (_, bit) => i * WORD_BITS + bit).filter(
      (cpu) => ((word >> BigInt(cpu % WORD_BITS)) & 1n) === 1n,
    ),
  );
}

const WORD_BITS = 64;
const MIN_CPUS = 1024;
