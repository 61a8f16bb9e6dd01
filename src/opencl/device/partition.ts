import { checkGiven, checkInteger, nameOf } from '../../core/check.ts';
import { PartitionProperty } from '../sys/enums.ts';

/** How {@link Device.createSubDevices} divides a device. */
export type Partition =
  | { /** Compute units of each part. */ readonly equally: number }
  | { /** Compute units of the parts. */ readonly counts: readonly number[] }
  | { /** What the units of a part share: of {@link AffinityDomain}. */ readonly affinityDomain: number }
  | readonly number[];

/** The queries of a device; a Device has them. */
interface Divisible {
  readonly name: string;
  readonly maxComputeUnits: number;
  readonly partitionMaxSubDevices: number;
  readonly partitionProperties: readonly bigint[];
}

const { EQUALLY, BY_COUNTS, BY_COUNTS_LIST_END, BY_AFFINITY_DOMAIN } = PartitionProperty;
const WAYS = ['equally', 'counts', 'affinityDomain'];

/** C's list of a partition, without the 0 at its end; refuses a partition that the device does not support. */
export function readPartition(partition: Partition, device: Divisible, what: string): readonly number[] {
  const list = listOf(partition, device, what);
  const [way = 0] = list;
  if (device.partitionProperties.includes(BigInt(way))) return list;
  const known = Object.entries(PartitionProperty)
    .filter(([, value]) => value !== 0 && device.partitionProperties.includes(BigInt(value)))
    .map(([name]) => name);
  throw new Error(
    `${what}: ${device.name} cannot be divided this way; ${known.length > 0 ? `it can be ${known.join(', ')}` : 'it cannot be divided at all'}`,
  );
}

/** Whether a device can be divided this way. */
export function isPossible(device: Divisible, partition: Partition, what: string): boolean {
  const way = wayOf(partition, what);
  return device.partitionMaxSubDevices > 0 && device.partitionProperties.includes(BigInt(way));
}

function wayOf(partition: Partition, what: string): number {
  if (Array.isArray(partition)) return checkInteger(partition[0], `${what}: property 0`);
  checkGiven(partition, WAYS, what);
  return 'equally' in partition ? EQUALLY : 'counts' in partition ? BY_COUNTS : BY_AFFINITY_DOMAIN;
}

function listOf(partition: Partition, device: Divisible, what: string): readonly number[] {
  const units = device.maxComputeUnits;
  if (Array.isArray(partition)) {
    if (partition.length === 0) throw new TypeError(`${what} takes at least one property, got an empty array`);
    return partition.map((value, i) => checkInteger(value, `${what}: property ${i}`));
  }
  const given = partition as Readonly<Record<string, unknown>>;
  checkGiven(given, WAYS, what);
  if (Object.keys(given).length !== 1) {
    throw new TypeError(`${what} takes one of ${WAYS.join(', ')}, got ${Object.keys(given).join(' and ') || 'none'}`);
  }
  if ('equally' in given) return [EQUALLY, checkInteger(given['equally'], `${what}: equally`, 1, units)];
  if ('affinityDomain' in given) {
    return [BY_AFFINITY_DOMAIN, checkInteger(given['affinityDomain'], `${what}: affinityDomain`, 1, 0x3f)];
  }
  const { counts } = given;
  if (!Array.isArray(counts) || counts.length === 0) {
    throw new TypeError(`${what}: counts must be an array of at least one number, got ${nameOf(counts)}`);
  }
  const list = Array.from(counts, (count, i) => checkInteger(count, `${what}: counts[${i}]`, 1, units));
  const total = list.reduce((sum, count) => sum + count, 0);
  if (total > units) {
    throw new RangeError(`${what}: the counts add up to ${total} compute units; the device has ${units}`);
  }
  return [BY_COUNTS, ...list, BY_COUNTS_LIST_END];
}
