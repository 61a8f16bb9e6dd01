import { afterEach, expect, test } from '@jest/globals';
import * as cuda from '../../../../src/cuda/index.ts';
import { useTables } from '../../../../src/cuda/select.ts';
import { PointerAttribute } from '../../../../src/cuda/sys/enums.ts';
import { withFakeDriver } from '../../../helpers/cuda.ts';

const fake = withFakeDriver();
const HOST = 1;
const DEVICE = 2;
const INVALID_VALUE = 1;

afterEach(() => {
  useTables({ driver: fake.table });
});

/** As driver 580 has it: copies that name their ends refuse memory of a pool on the host, and cuMemcpy takes it. */
function refuse(kind: number): { readonly asked: string[] } {
  const asked: string[] = [];
  const refused = (): number => INVALID_VALUE;
  const take =
    (name: string) =>
    (...[to, from, bytes]: readonly unknown[]): number => {
      asked.push(`${name} ${typeof to} ${typeof from} ${String(bytes)}`);
      return 0;
    };
  useTables({
    driver: {
      ...fake.table,
      cuMemcpyHtoD: refused,
      cuMemcpyDtoH: refused,
      cuMemcpyDtoD: refused,
      cuMemcpyHtoDAsync: refused,
      cuMemcpyDtoHAsync: refused,
      cuMemcpyDtoDAsync: refused,
      cuMemcpy: take('cuMemcpy'),
      cuMemcpyAsync: take('cuMemcpyAsync'),
      cuPointerGetAttribute: (out, attribute, pointer) => {
        if (attribute !== PointerAttribute.MEMORY_TYPE) return INVALID_VALUE;
        // What the driver does not know.
        if (pointer === 0x1000n) return INVALID_VALUE;
        (out as Uint32Array)[0] = kind;
        return 0;
      },
    },
  });
  return { asked };
}

test('copies of memory that a pool has on the host go by their addresses', () => {
  using memory = cuda.memAlloc(16);
  using other = cuda.memAlloc(16);
  const array = new Uint8Array(16);
  const { asked } = refuse(HOST);
  cuda.memcpyHtoD(memory, array);
  cuda.memcpyDtoH(array, memory);
  cuda.memcpyDtoD(memory, other);
  cuda.memcpyHtoDAsync(memory, array);
  cuda.memcpyDtoHAsync(array, memory);
  cuda.memcpyDtoDAsync(memory, other);
  const [now, later] = ['cuMemcpy bigint bigint 16', 'cuMemcpyAsync bigint bigint 16'];
  expect(asked).toEqual([now, now, now, later, later, later]);
});

test.each([
  ['of device memory', DEVICE, undefined],
  ['of an address that the driver does not know', HOST, 0x1000n],
])('a copy %s that is refused stays refused', (_, kind, address) => {
  using memory = cuda.memAlloc(16);
  const { asked } = refuse(kind);
  expect(() => cuda.memcpyDtoD(memory, address ?? memory, 16)).toThrow(
    expect.objectContaining({ code: 'CUDA_ERROR_INVALID_VALUE', routine: 'cuMemcpyDtoD' }),
  );
  expect(asked).toEqual([]);
});
