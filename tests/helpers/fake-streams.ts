/** What the fake driver lends to its functions for streams. */
export interface FakeStreamTools {
  readonly live: (kind: 'stream', by: number) => void;
  readonly fresh: () => bigint;
  readonly put: (out: unknown, value: bigint | number) => number;
  readonly bytesOf: (value: unknown) => Uint8Array;
  readonly busy: () => boolean;
}

interface FakeStreams {
  readonly functions: Record<string, (...args: never[]) => number>;
  readonly open: (out: unknown, flags: number, priority: number) => number;
}

interface FakeStream {
  readonly flags: number;
  readonly priority: number;
  attributes: Map<number, Uint8Array>;
}

const SUCCESS = 0;
const INVALID_HANDLE = 400;
const NOT_READY = 600;

/** The fake driver's streams. */
export function fakeStreams({ live, fresh, put, bytesOf, busy }: FakeStreamTools): FakeStreams {
  const streams = new Map<bigint, FakeStream>([[0n, { flags: 0, priority: 0, attributes: new Map() }]]);
  const withStream = (raw: bigint, run: (stream: FakeStream) => number): number => {
    const stream = streams.get(raw);
    return stream ? run(stream) : INVALID_HANDLE;
  };
  const open = (out: unknown, flags: number, priority: number): number => {
    const raw = fresh();
    streams.set(raw, { flags, priority, attributes: new Map() });
    live('stream', 1);
    return put(out, raw);
  };
  const functions = {
    cuStreamCreateWithPriority: open,
    cuStreamDestroy: (raw: bigint) => {
      live('stream', -1);
      return streams.delete(raw) ? SUCCESS : INVALID_HANDLE;
    },
    cuStreamQuery: () => (busy() ? NOT_READY : SUCCESS),
    cuStreamSynchronize: () => SUCCESS,
    cuStreamWaitEvent: () => SUCCESS,
    cuStreamWaitValue32: () => SUCCESS,
    cuStreamWaitValue64: () => SUCCESS,
    cuStreamWriteValue32: () => SUCCESS,
    cuStreamWriteValue64: () => SUCCESS,
    cuStreamGetPriority: (raw: bigint, out: unknown) => put(out, streams.get(raw)?.priority ?? 0),
    cuStreamGetFlags: (raw: bigint, out: unknown) => put(out, streams.get(raw)?.flags ?? 0),
    cuStreamGetId: (raw: bigint, out: unknown) => put(out, raw + 1n),
    cuStreamSetAttribute: (raw: bigint, attribute: number, value: unknown) =>
      withStream(raw, ({ attributes }) => {
        attributes.set(attribute, bytesOf(value).slice());
        return SUCCESS;
      }),
    cuStreamGetAttribute: (raw: bigint, attribute: number, out: unknown) =>
      withStream(raw, ({ attributes }) => {
        bytesOf(out).set(attributes.get(attribute) ?? new Uint8Array(64));
        return SUCCESS;
      }),
    cuStreamCopyAttributes: (to: bigint, from: bigint) =>
      withStream(to, (target) =>
        withStream(from, (source) => {
          target.attributes = new Map(source.attributes);
          return SUCCESS;
        }),
      ),
  };
  return { functions, open };
}
