import { Handle } from '../../core/handle.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { checkMade } from '../../core/maker.ts';
import { handleOf, Resource } from '../../core/resource.ts';
import { timeline, timelineNow } from '../../core/timeline.ts';
import { NULL, type Opaque } from '../../ffi/ctype.ts';
import { addressOf } from '../../ffi/memory.ts';
import { nvtxCalls } from '../libraries/nvtx/calls.ts';
import { Stream } from '../stream/stream.ts';
import { NvtxValue } from '../libraries/nvtx/constants.ts';
import { nvtxStructs } from '../libraries/nvtx/structs.ts';

type DomainHandle = Opaque<'nvtxDomainHandle_t'>;

/** How a mark or a range looks in the profiler. */
export interface NvtxOptions {
  /** `0xRRGGBB`. */
  readonly color?: number;
  /** A number by which the profiler can group; {@link Domain.nameCategory} names it. */
  readonly category?: number;
  /** A number that is shown with it. */
  readonly payload?: number;
}

const { fields, size } = nvtxStructs.nvtxEventAttributes_t;
const OPAQUE = 0xff00_0000;
const attributes = new DataView(new ArrayBuffer(size));
const DEFAULT_CATEGORY = 'nvtx';

/**
 * A range of the program's own time, from {@link range} to its `end()`. Ranges may overlap, and may end in another turn
 * of the event loop than they began in.
 */
export class Range extends Resource<number | bigint> {
  readonly name: string;

  /** @internal */
  constructor(handle: Handle<number | bigint>, name: string) {
    checkMade(handle instanceof Handle, 'Range', 'write nvtx.range(name), or domain.range(name)');
    super(handle);
    this.name = name;
  }

  /** End the range; the same as `close()`. */
  end(): void {
    this.close();
  }
}

/**
 * A name space for marks and ranges, which profilers show as a row of its own.
 *
 * @example
 * ```ts
 * import { nvtx } from 'rawkernel/cuda';
 *
 * using solver = new nvtx.Domain('solver');
 * using step = solver.range('step 1');
 * solver.mark('converged');
 * ```
 * @see {@link https://nvidia.github.io/NVTX/doxygen/index.html | NVTX}
 */
export class Domain extends Resource<DomainHandle> {
  readonly name: string;

  /**
   * Make a domain. Without an NVTX library it does nothing.
   *
   * @param name - shown by the profiler
   * @throws TypeError the name is not a string, or has a NUL
   */
  constructor(name: string) {
    super(createDomain(checkName(name)));
    this.name = name;
  }

  /** Begin a range; see {@link range}. */
  range(name: string, options?: NvtxOptions): Range {
    return startRange(handleOf(this, 'range'), this.name, name, options);
  }

  /** Mark this moment; see {@link mark}. */
  mark(name: string, options?: NvtxOptions): void {
    putMark(this.use('mark'), this.name, name, options);
  }

  /** Give a category's number a name. */
  nameCategory(category: number, name: string): void {
    const number = checkInteger(category, 'category', 1, 0xffff_ffff);
    nvtxCalls()?.nvtxDomainNameCategoryA(this.use('nameCategory'), number, checkName(name));
  }
}

/**
 * Begin a range of the program's own time, for profilers such as Nsight Systems, and for `RAWKERNEL_TRACE=timeline`. Where no
 * NVTX library is installed this does nothing.
 *
 * Host: does not block. Stream: none; what is enqueued meanwhile may run later.
 *
 * @param name - shown by the profiler
 * @throws TypeError the name is not a string, or an option is unknown
 * @throws RangeError a color or category that is out of range
 * @example
 * ```ts
 * import { nvtx } from 'rawkernel/cuda';
 *
 * using loading = nvtx.range('load', { color: 0x76b900 });
 * nvtx.mark('first file');
 * ```
 * @see {@link https://nvidia.github.io/NVTX/doxygen/index.html | NVTX}
 */
export function range(name: string, options?: NvtxOptions): Range {
  return startRange(undefined, DEFAULT_CATEGORY, name, options);
}

/** Mark this moment. Host: does not block. */
export function mark(name: string, options?: NvtxOptions): void {
  putMark(NULL, DEFAULT_CATEGORY, name, options);
}

/**
 * Begin a range that lies inside the one begun before it on this thread; {@link pop} ends it. Across an `await` take
 * {@link range}: other code may push and pop meanwhile.
 *
 * @returns how deep it lies, from 0; negative without a profiler
 */
export function push(name: string, options?: NvtxOptions): number {
  describe(name, options);
  pushed.push([name, timelineNow()]);
  return nvtxCalls()?.nvtxDomainRangePushEx(NULL, attributes) ?? -1;
}

/**
 * End the range that {@link push} began last on this thread.
 *
 * @throws RangeError no range is open
 */
export function pop(): void {
  const begun = pushed.pop();
  if (!begun) throw new RangeError('nvtx.pop: no range was pushed');
  nvtxCalls()?.nvtxDomainRangePop(NULL);
  toTimeline(begun[0], DEFAULT_CATEGORY, begun[1]);
}

const pushed: (readonly [name: string, start: number])[] = [];

/** Name a stream's row in the profiler. */
export function nameStream(stream: Stream, name: string): void {
  if (!(stream instanceof Stream)) throw new TypeError(`nvtx.nameStream takes a Stream, got ${nameOf(stream)}`);
  const raw = stream.use('nvtx.nameStream');
  const text = checkName(name);
  nvtxCalls()?.nvtxNameCuStreamA(raw, text);
}

/** Whether an NVTX library was found. A profiler need not listen for that. */
export function available(): boolean {
  return nvtxCalls() !== undefined;
}

function startRange(
  domain: Handle<DomainHandle> | undefined,
  category: string,
  name: string,
  options: NvtxOptions | undefined,
): Range {
  describe(name, options);
  const table = nvtxCalls();
  const start = timelineNow();
  const raw = domain?.value ?? NULL;
  const id = table?.nvtxDomainRangeStartEx(raw, attributes) ?? 0;
  const end = (value: number | bigint): void => {
    table?.nvtxDomainRangeEnd(raw, value);
    toTimeline(name, category, start);
  };
  const wanted = table !== undefined || timeline() !== undefined;
  return new Range(new Handle('nvtx.Range', id, wanted ? end : undefined, domain ? [domain] : []), name);
}

function putMark(domain: DomainHandle, category: string, name: string, options: NvtxOptions | undefined): void {
  describe(name, options);
  nvtxCalls()?.nvtxDomainMarkEx(domain, attributes);
  const file = timeline();
  file?.mark(name, category, file.hostRow, timelineNow());
}

function toTimeline(name: string, category: string, start: number): void {
  const file = timeline();
  file?.slice({ name, category, row: file.hostRow, start, duration: timelineNow() - start });
}

function createDomain(name: string): Handle<DomainHandle> {
  const table = nvtxCalls();
  if (!table) return new Handle<DomainHandle>('nvtx.Domain', NULL, undefined);
  // Without a profiler the domain is NULL, which stands for the default one.
  const domain = (table.nvtxDomainCreateA(name) as DomainHandle | null) ?? NULL;
  const destroy = (made: DomainHandle): void => {
    table.nvtxDomainDestroy(made);
  };
  return new Handle<DomainHandle>('nvtx.Domain', domain, domain === NULL ? undefined : destroy);
}

/** Write the attributes of the next call. */
function describe(name: unknown, options: NvtxOptions | undefined): void {
  checkOptions(options, ['color', 'category', 'payload'], 'nvtx');
  const text = Buffer.from(`${checkName(name)}\0`);
  const { color, category = 0, payload } = options ?? {};
  if (payload !== undefined && typeof payload !== 'number') {
    throw new TypeError(`payload must be a number, got ${nameOf(payload)}`);
  }
  attributes.setUint16(fields.version, NvtxValue.VERSION, true);
  attributes.setUint16(fields.size, size, true);
  attributes.setUint32(fields.category, checkInteger(category, 'category', 0, 0xffff_ffff), true);
  attributes.setInt32(fields.colorType, color === undefined ? 0 : NvtxValue.COLOR_ARGB, true);
  attributes.setUint32(
    fields.color,
    color === undefined ? 0 : OPAQUE + checkInteger(color, 'color', 0, 0xff_ffff),
    true,
  );
  attributes.setInt32(fields.payloadType, payload === undefined ? 0 : NvtxValue.PAYLOAD_TYPE_DOUBLE, true);
  attributes.setFloat64(fields.payload, payload ?? 0, true);
  attributes.setInt32(fields.messageType, NvtxValue.MESSAGE_TYPE_ASCII, true);
  attributes.setBigUint64(fields.message, addressOf(text), true);
  pointedTo.text = text;
}

const pointedTo: { text?: Buffer } = {};

function checkName(name: unknown): string {
  if (typeof name !== 'string') throw new TypeError(`A name for NVTX must be a string, got ${nameOf(name)}`);
  if (name.includes('\0')) throw new TypeError('A name for NVTX must not contain a NUL character');
  return name;
}
