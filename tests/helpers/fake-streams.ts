type Functions = Record<string, (...args: never[]) => number>;

const SUCCESS = 0;

/** The fake driver's attributes of streams: bytes that are kept. */
export function fakeStreams(
  put: (out: unknown, value: bigint | number) => number,
  bytesOf: (value: unknown) => Uint8Array,
): Functions {
  const attributes = new Map<bigint, Map<number, Uint8Array>>();
  return {
    cuStreamGetId: (stream: bigint, out: unknown) => put(out, stream + 1n),
    cuStreamSetAttribute: (stream: bigint, attribute: number, value: unknown) => {
      const own = attributes.get(stream) ?? new Map<number, Uint8Array>();
      attributes.set(stream, own.set(attribute, bytesOf(value).slice()));
      return SUCCESS;
    },
    cuStreamGetAttribute: (stream: bigint, attribute: number, out: unknown) => {
      bytesOf(out).set(attributes.get(stream)?.get(attribute) ?? new Uint8Array(64));
      return SUCCESS;
    },
    cuStreamCopyAttributes: (to: bigint, from: bigint) => {
      attributes.set(to, new Map(attributes.get(from)));
      return SUCCESS;
    },
  };
}
