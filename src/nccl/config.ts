import { checkInteger, checkOptions, nameOf } from '../core/check.ts';
import { readChoice } from '../core/choice.ts';
import { addressOf } from '../ffi/memory.ts';
import { ncclVersionCode } from './call.ts';
import { CONFIG_UNDEF_INT, CtaPolicy } from './sys/enums.ts';
import { configSizes, magics, structs } from './sys/structs.ts';
import { versionText } from './version.ts';

/**
 * How a communicator works: fields of `ncclConfig_t`. What is not given is NCCL's own choice, or that of NCCL's environment
 * variables. Communicators of rawkernel never block, and so `blocking` is not among them.
 *
 * @see {@link https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/api/types.html | ncclConfig_t}
 */
export interface CommunicatorConfig {
  /** Blocks of a cluster, on devices of compute capability 9.0 and newer. */
  readonly cgaClusterSize?: number | undefined;
  /** The least number of blocks that a collective takes. */
  readonly minCTAs?: number | undefined;
  /** The greatest number of blocks that a collective takes. */
  readonly maxCTAs?: number | undefined;
  /** The network plugin: `'Socket'`, `'IB'`. */
  readonly netName?: string | undefined;
  /** Whether communicators that are split off share this one's resources. */
  readonly splitShare?: boolean | undefined;
  /** The network's traffic class. */
  readonly trafficClass?: number | undefined;
  /** Whether collectives in the network's switches are used. */
  readonly collnetEnable?: boolean | undefined;
  /** What collectives spend blocks for. */
  readonly ctaPolicy?: 'default' | 'efficiency' | 'zero' | undefined;
  /** Whether communicators that are shrunk share this one's resources. */
  readonly shrinkShare?: boolean | undefined;
  /** Blocks of collectives in NVLink's switches. */
  readonly nvlsCTAs?: number | undefined;
  /** Channels to each peer over a network. */
  readonly nChannelsPerNetPeer?: number | undefined;
  /** Whether kernels prefer NVLink. */
  readonly nvlinkCentricSched?: boolean | undefined;
  /** Whether captured and other collectives are mixed: 0 no graphs, 1 one graph, 2 graphs and other calls. NCCL 2.29. */
  readonly graphUsageMode?: number | undefined;
  /** Contexts of one-sided operations. NCCL 2.29. */
  readonly numRmaCtx?: number | undefined;
  /** The most peers of send and recv. NCCL 2.30. */
  readonly maxP2pPeers?: number | undefined;
  /** Whether captured kernels of several communicators are put in one order. NCCL 2.30. */
  readonly graphStreamOrdering?: boolean | undefined;
}

type Fields = typeof structs.ncclConfig_t.fields;
type Reader = (value: unknown, what: string) => number;

const MAX_INT = 0x7fff_ffff;
const flag: Reader = (value, what) => {
  if (typeof value !== 'boolean') throw new TypeError(`${what} must be true or false, got ${nameOf(value)}`);
  return value ? 1 : 0;
};
const atLeast =
  (min: number): Reader =>
  (value, what) =>
    checkInteger(value, what, min, MAX_INT);
const POLICIES: Readonly<Record<string, number>> = {
  default: CtaPolicy.DEFAULT,
  efficiency: CtaPolicy.EFFICIENCY,
  zero: CtaPolicy.ZERO,
};
const policy: Reader = (value, what) => readChoice(value, POLICIES, what);

/** Integer fields by their options. */
const READERS: Readonly<Record<string, readonly [field: keyof Fields, read: Reader]>> = {
  cgaClusterSize: ['cgaClusterSize', atLeast(0)],
  minCTAs: ['minCTAs', atLeast(1)],
  maxCTAs: ['maxCTAs', atLeast(1)],
  splitShare: ['splitShare', flag],
  trafficClass: ['trafficClass', atLeast(0)],
  collnetEnable: ['collnetEnable', flag],
  ctaPolicy: ['CTAPolicy', policy],
  shrinkShare: ['shrinkShare', flag],
  nvlsCTAs: ['nvlsCTAs', atLeast(1)],
  nChannelsPerNetPeer: ['nChannelsPerNetPeer', atLeast(1)],
  nvlinkCentricSched: ['nvlinkCentricSched', flag],
  graphUsageMode: ['graphUsageMode', atLeast(0)],
  numRmaCtx: ['numRmaCtx', atLeast(1)],
  maxP2pPeers: ['maxP2pPeers', atLeast(1)],
  graphStreamOrdering: ['graphStreamOrdering', flag],
};
const TEXTS = ['netName', 'commName'];

/** The bytes of an `ncclConfig_t`. NCCL reads texts of it for as long as the communicator lives. */
export interface ConfigBytes {
  readonly bytes: DataView;
  /** What its pointers lead to. */
  readonly texts: readonly Uint8Array[];
}

/**
 * Write an `ncclConfig_t` of the size and version that the loaded library knows: an older one would read fields that are not
 * its own.
 *
 * @param name - of the communicator, for NCCL's log
 */
export function configBytes(
  config: CommunicatorConfig | undefined,
  name: string | undefined,
  what: string,
): ConfigBytes {
  checkOptions(config, [...Object.keys(READERS), 'netName'], `${what}: config`);
  const version = ncclVersionCode();
  const size = configSizes.find(([since]) => version >= since)?.[1] ?? configSizes.at(-1)?.[1] ?? 0;
  const { fields } = structs.ncclConfig_t;
  const bytes = new DataView(new ArrayBuffer(size));
  bytes.setBigUint64(fields.size, BigInt(size), true);
  bytes.setUint32(fields.magic, magics.ncclConfig_t, true);
  bytes.setUint32(fields.version, version, true);
  for (const [field, offset] of Object.entries(fields)) {
    if (offset >= fields.blocking && offset < size && !TEXTS.includes(field)) {
      bytes.setInt32(offset, CONFIG_UNDEF_INT, true);
    }
  }
  bytes.setInt32(fields.blocking, 0, true);
  for (const [option, [field, read]] of Object.entries(READERS)) {
    const value = (config as Readonly<Record<string, unknown>> | undefined)?.[option];
    if (value === undefined) continue;
    const number = read(value, `${what}: config.${option}`);
    if (fields[field] >= size) throw tooOld(option, fields[field], version, what);
    bytes.setInt32(fields[field], number, true);
  }
  checkOrder(config, what);
  return {
    bytes,
    texts: [
      ...textAt(bytes, fields.netName, config?.netName, `${what}: config.netName`),
      ...textAt(bytes, fields.commName, name, `${what}: name`),
    ],
  };
}

function checkOrder(config: CommunicatorConfig | undefined, what: string): void {
  const { minCTAs = 1, maxCTAs = MAX_INT } = config ?? {};
  if (minCTAs > maxCTAs) {
    throw new RangeError(`${what}: config.minCTAs must be at most config.maxCTAs, which is ${maxCTAs}, got ${minCTAs}`);
  }
}

function textAt(bytes: DataView, offset: number, text: unknown, what: string): readonly Uint8Array[] {
  // An older library has no name of its own.
  if (text === undefined || offset >= bytes.byteLength) return [];
  if (typeof text !== 'string' || text.includes('\0')) {
    throw new TypeError(`${what} must be a string without NUL characters, got ${nameOf(text)}`);
  }
  const memory = new Uint8Array(new ArrayBuffer(Buffer.byteLength(text) + 1));
  memory.set(Buffer.from(text));
  bytes.setBigUint64(offset, addressOf(memory), true);
  return [memory];
}

function tooOld(option: string, offset: number, version: number, what: string): RangeError {
  const since = configSizes.findLast(([, size]) => size > offset)?.[0] ?? 0;
  return new RangeError(
    `${what}: config.${option} needs NCCL ${versionText(since).replace(/\.0$/, '')} or newer, but ${versionText(version)} is installed; leave it out`,
  );
}
