import { addressOf, viewOf } from '../../src/ffi/memory.ts';

/** What the fake driver lends to its linkers and tensor maps. */
export interface FakeLinkTools {
  readonly live: (kind: 'link', by: number) => void;
  readonly fresh: () => bigint;
  readonly put: (out: unknown, value: bigint | number) => number;
}

type Functions = Record<string, (...args: never[]) => number>;

const SUCCESS = 0;
const INVALID_HANDLE = 400;

/** The fake driver's linkers, which give what came first, and its tensor maps, which hold an address. */
export function fakeLinks({ live, fresh, put }: FakeLinkTools): Functions {
  const links = new Map<bigint, Uint8Array>();
  const encode = (map: bigint, _type: number, _rank: number, address: bigint): number => {
    new BigUint64Array(viewOf(map, 8))[0] = address;
    return SUCCESS;
  };
  return {
    cuLinkCreate: (_count: number, _keys: unknown, _values: unknown, out: unknown) => {
      const link = fresh();
      links.set(link, new Uint8Array());
      live('link', 1);
      return put(out, link);
    },
    cuLinkAddData: (link: bigint, _type: number, code: Uint8Array) => {
      if (!links.has(link)) return INVALID_HANDLE;
      links.set(link, code.slice());
      return SUCCESS;
    },
    cuLinkComplete: (link: bigint, code: unknown, size: unknown) => {
      const made = links.get(link);
      return made ? put(code, addressOf(made)) || put(size, BigInt(made.length)) : INVALID_HANDLE;
    },
    cuLinkDestroy: (link: bigint) => {
      live('link', -1);
      return links.delete(link) ? SUCCESS : INVALID_HANDLE;
    },
    cuTensorMapEncodeTiled: encode,
    cuTensorMapEncodeIm2col: encode,
    cuTensorMapReplaceAddress: (map: bigint, address: bigint) => encode(map, 0, 0, address),
  };
}
