import { nameOf } from '../../core/check.ts';
import { Handle } from '../../core/handle.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import type { Opaque } from '../../ffi/ctype.ts';
import { cl, cleanup, withReclaim } from '../call.ts';
import { checkContext, type Context } from '../device/context.ts';
import { requireVersion } from '../device/requirement.ts';
import { checkForeignContext, foreignHandle, type ForeignOptions } from '../foreign.ts';
import { readInfo, type InfoKind, type InfoKinds, type InfoOf, type InfoValue } from '../info.ts';
import { AddressingMode, FilterMode, SamplerInfo, SamplerProperty } from '../sys/enums.ts';

export type RawSampler = Opaque<'cl_sampler'>;

const { NORMALIZED_COORDS, ADDRESSING_MODE, FILTER_MODE } = SamplerProperty;

/**
 * How kernels read an {@link Image}: the meaning of coordinates, and the values beyond the edges and between pixels.
 *
 * @example
 * ```ts
 * import * as cl from 'rawkernel/opencl';
 *
 * using ctx = cl.createSomeContext();
 * using sampler = new cl.Sampler(ctx, false, cl.AddressingMode.CLAMP_TO_EDGE, cl.FilterMode.NEAREST);
 * ```
 * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clCreateSamplerWithProperties.html | clCreateSamplerWithProperties}
 */
export class Sampler extends Resource<RawSampler> {
  readonly context: Context;

  /**
   * @param context - whose kernels use it
   * @param normalized - whether coordinates go from 0 to 1, else from 0 to the size in pixels; or a list
   * of properties and their values instead of all three: `[cl.SamplerProperty.FILTER_MODE, cl.FilterMode.LINEAR]`
   * @param addressing - of {@link AddressingMode}; `REPEAT` and `MIRRORED_REPEAT` need normalised coordinates
   * @param filter - of {@link FilterMode}
   * @throws RangeError an unknown mode, or a mode that needs normalised coordinates
   * @throws {@link OpenCLLogicError} CL_INVALID_VALUE: the driver does not know a property
   */
  constructor(context: Context, normalized: boolean, addressing: number, filter: number);
  constructor(context: Context, normalized: readonly number[]);
  /** @internal */
  // eslint-disable-next-line @typescript-eslint/unified-signatures -- the third one is not public
  constructor(context: Context, existing: Handle<RawSampler>);
  constructor(
    context: Context,
    normalized: boolean | readonly number[] | Handle<RawSampler>,
    addressing?: number,
    filter?: number,
  ) {
    if (normalized instanceof Handle) {
      super(normalized);
      this.context = context;
      return;
    }
    checkContext(context, 'Sampler');
    const owner = handleOf(context, 'Sampler');
    const properties = Array.isArray(normalized)
      ? (normalized as readonly number[])
      : [NORMALIZED_COORDS, checkFlag(normalized), ADDRESSING_MODE, addressing ?? NaN, FILTER_MODE, filter ?? NaN];
    checkProperties(properties);
    const other = properties.find((name, i) => i % 2 === 0 && (name < NORMALIZED_COORDS || name > FILTER_MODE));
    if (other !== undefined) requireVersion(context.platform, 2, 0, `Sampler: property 0x${other.toString(16)}`);
    const list = BigUint64Array.from([...properties, 0], BigInt);
    const raw = withReclaim(() => cl.clCreateSamplerWithProperties(owner.value, list));
    super(new Handle('Sampler', raw, release, [owner]));
    this.context = context;
  }

  /**
   * Use a sampler that another library has made, by its `cl_sampler`.
   *
   * @param context - the sampler's
   * @param handle - used as it is: a wrong handle ends the process
   * @param options - whether the new object takes a reference of its own
   * @throws TypeError it belongs to another context
   * @see {@link https://registry.khronos.org/OpenCL/sdk/3.0/docs/man/html/clRetainSampler.html | clRetainSampler}
   */
  static fromHandle(context: Context, handle: Opaque<'cl_sampler'>, options: ForeignOptions = {}): Sampler {
    const what = 'Sampler.fromHandle';
    checkContext(context, what);
    const raw = foreignHandle(handle, options, what);
    const owner = handleOf(context, 'fromHandle');
    const query = cl.clGetSamplerInfo.bind(undefined, raw);
    checkForeignContext(readInfo(SamplerInfo, query, 'CONTEXT', undefined, 'Sampler'), context, what);
    if (options.retain !== false) cl.clRetainSampler(raw);
    return new Sampler(context, new Handle('Sampler', raw, release, [owner]));
  }

  /** Whether coordinates go from 0 to 1. */
  get normalizedCoords(): boolean {
    return this.getInfo('NORMALIZED_COORDS');
  }

  /** One of {@link AddressingMode}. */
  get addressingMode(): number {
    return this.getInfo('ADDRESSING_MODE');
  }

  /** One of {@link FilterMode}. */
  get filterMode(): number {
    return this.getInfo('FILTER_MODE');
  }

  /** Ask the driver for a property, by its name or by any number with the kind of the answer. */
  getInfo<Name extends SamplerInfo>(name: Name): InfoOf<typeof SamplerInfo, Name>;
  getInfo<Kind extends InfoKind>(param: number, kind: Kind): InfoKinds[Kind];
  getInfo(name: SamplerInfo | number, kind?: InfoKind): InfoValue {
    return readInfo(SamplerInfo, cl.clGetSamplerInfo.bind(undefined, this.use('getInfo')), name, kind, 'Sampler');
  }

  /** The driver's `cl_sampler`, borrowed: good until {@link Sampler.close}. */
  get handle(): Opaque<'cl_sampler'> {
    return this.use('handle');
  }

  /** The driver's count of references. For tests: it may be stale when it is read. */
  get referenceCount(): number {
    return this.getInfo('REFERENCE_COUNT');
  }
}

function release(raw: RawSampler): void {
  cleanup('Sampler', () => cl.clReleaseSampler(raw));
}

function checkFlag(normalized: unknown): number {
  if (typeof normalized === 'boolean') return normalized ? 1 : 0;
  throw new TypeError(`Sampler: normalized must be true, false or a list of properties, got ${nameOf(normalized)}`);
}

/** Known properties are checked; the driver checks the others. */
function checkProperties(list: readonly unknown[]): void {
  if (list.length % 2 !== 0)
    throw new TypeError('Sampler: properties must be names and values in turn, got an odd number of them');
  for (const value of list) {
    if (typeof value !== 'number') throw new TypeError(`Sampler: properties must be numbers, got ${nameOf(value)}`);
  }
  const given = new Map<number, number>();
  for (let i = 0; i < list.length; i += 2) given.set(list[i] as number, list[i + 1] as number);
  if (given.size < list.length / 2) throw new TypeError('Sampler: each property may be given once, got one twice');
  const normalized = given.get(NORMALIZED_COORDS) ?? 1;
  if (normalized !== 0 && normalized !== 1) {
    throw new RangeError(`Sampler: NORMALIZED_COORDS must be 0 or 1, got ${normalized}`);
  }
  const addressing = given.get(ADDRESSING_MODE) ?? AddressingMode.CLAMP;
  checkMode(addressing, AddressingMode, 'AddressingMode');
  checkMode(given.get(FILTER_MODE) ?? FilterMode.NEAREST, FilterMode, 'FilterMode');
  const wraps = addressing === AddressingMode.REPEAT || addressing === AddressingMode.MIRRORED_REPEAT;
  if (wraps && normalized === 0) {
    throw new RangeError('Sampler: REPEAT and MIRRORED_REPEAT need normalised coordinates; pass true');
  }
  for (const value of [...given].flat()) {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new RangeError(`Sampler: properties and values must be integers of at least 0, got ${value}`);
    }
  }
}

function checkMode(value: number, modes: Readonly<Record<string, number>>, name: string): void {
  if (Object.values(modes).includes(value)) return;
  throw new RangeError(`Sampler takes one of ${name}'s ${Object.keys(modes).join(', ')}, got ${value}`);
}
