type Make = new (length: number) => ArrayBufferView;

const Float16Array = (globalThis as { readonly Float16Array?: Make }).Float16Array;

/** A host array of each element type, of 64 bytes. */
export const ARRAYS: Readonly<Record<string, ArrayBufferView>> = {
  Int8Array: new Int8Array(64),
  Int16Array: new Int16Array(32),
  Uint16Array: new Uint16Array(32),
  Int32Array: new Int32Array(16),
  Uint32Array: new Uint32Array(16),
  BigInt64Array: new BigInt64Array(8),
  BigUint64Array: new BigUint64Array(8),
  Float32Array: new Float32Array(16),
  Float64Array: new Float64Array(8),
  ...(Float16Array && { Float16Array: new Float16Array(32) }),
};

/** Host memory that is bytes, and goes for any type. */
export const BYTES: Readonly<Record<string, ArrayBufferView | ArrayBufferLike>> = {
  Uint8Array: new Uint8Array(64),
  Uint8ClampedArray: new Uint8ClampedArray(64),
  Buffer: Buffer.alloc(64),
  DataView: new DataView(new ArrayBuffer(64)),
  ArrayBuffer: new ArrayBuffer(64),
  SharedArrayBuffer: new SharedArrayBuffer(64),
};

const I16 = ['Int16Array', 'Uint16Array'];
const I32 = ['Int32Array', 'Uint32Array'];
const I64 = ['BigInt64Array', 'BigUint64Array'];
const HALF = ['Uint16Array', 'Float16Array'];
const WORDS = [...I32, ...I64];

/** What each pointee takes of {@link ARRAYS}: its name in CUDA C++ or OpenCL C, and in a symbol of CUDA's. */
export interface Row {
  readonly cuda?: string;
  readonly symbol?: string;
  readonly opencl?: string;
  /** undefined: nothing is compared */
  readonly takes: readonly string[] | undefined;
}

const ROWS: readonly Row[] = [
  { cuda: 'float', symbol: 'f', opencl: 'float', takes: ['Float32Array'] },
  { cuda: 'double', symbol: 'd', opencl: 'double', takes: ['Float64Array'] },
  { cuda: 'char', symbol: 'c', opencl: 'char', takes: undefined },
  { cuda: 'signed char', symbol: 'a', takes: ['Int8Array'] },
  { cuda: 'unsigned char', symbol: 'h', opencl: 'uchar', takes: undefined },
  { cuda: 'bool', symbol: 'b', takes: ['Int8Array'] },
  { cuda: 'short', symbol: 's', opencl: 'short', takes: I16 },
  { cuda: 'unsigned short', symbol: 't', opencl: 'ushort', takes: [...I16, 'Float16Array'] },
  { cuda: 'int', symbol: 'i', opencl: 'int', takes: I32 },
  { cuda: 'unsigned int', symbol: 'j', opencl: 'uint', takes: I32 },
  { cuda: 'const unsigned int', symbol: 'Kj', opencl: 'const uint', takes: I32 },
  { cuda: 'volatile int', symbol: 'Vi', opencl: 'volatile int', takes: I32 },
  ...(process.platform === 'win32'
    ? [
        { cuda: 'long', symbol: 'l', takes: WORDS },
        { opencl: 'long', takes: I64 },
      ]
    : [{ cuda: 'long', symbol: 'l', opencl: 'long', takes: I64 }]),
  ...(process.platform === 'win32' ? [] : [{ cuda: 'unsigned long', symbol: 'm', opencl: 'ulong', takes: I64 }]),
  { cuda: 'long long', symbol: 'x', takes: I64 },
  { cuda: 'unsigned long long', symbol: 'y', takes: I64 },
  { cuda: '__half', symbol: '6__half', opencl: 'half', takes: HALF },
  { cuda: '__nv_bfloat16', symbol: '13__nv_bfloat16', takes: ['Uint16Array'] },
  { cuda: 'float1', symbol: '6float1', takes: ['Float32Array'] },
  { cuda: 'float2', symbol: '6float2', opencl: 'float2', takes: ['Float32Array', ...I64] },
  { cuda: 'float3', symbol: '6float3', opencl: 'float3', takes: ['Float32Array'] },
  { cuda: 'float4', symbol: '6float4', opencl: 'float4', takes: ['Float32Array'] },
  { cuda: 'double2', symbol: '7double2', opencl: 'double2', takes: ['Float64Array'] },
  { cuda: 'int2', symbol: '4int2', opencl: 'int2', takes: WORDS },
  { cuda: 'uint4', symbol: '5uint4', opencl: 'uint4', takes: I32 },
  { cuda: 'uchar4', symbol: '6uchar4', opencl: 'uchar4', takes: ['Int8Array', ...I32] },
  { cuda: 'longlong2', symbol: '9longlong2', opencl: 'long2', takes: I64 },
  { cuda: '__half2', symbol: '7__half2', opencl: 'half2', takes: [...HALF, ...I32] },
  { opencl: 'float16', takes: ['Float32Array'] },
  { cuda: 'thrust::complex<float>', symbol: 'N6thrust7complexIfEE', takes: ['Float32Array'] },
  { cuda: 'cuda::std::complex<double>', symbol: 'N4cuda3std7complexIdEE', takes: ['Float64Array'] },
  { cuda: 'float *', symbol: 'Pf', takes: WORDS },
  { cuda: 'float[3]', symbol: 'A3_f', takes: ['Float32Array'] },
  { cuda: 'void', symbol: 'v', opencl: 'void', takes: undefined },
  { cuda: 'const void', symbol: 'Kv', takes: undefined },
  { cuda: 'Params', symbol: '6Params', opencl: 'struct Params', takes: undefined },
  { cuda: 'Box<float>', symbol: '3BoxIfE', takes: undefined },
  { cuda: '__int128', symbol: 'n', takes: undefined },
  { opencl: 'atomic_int', takes: undefined },
];

/** Each pointee of one half with each host array, and whether it is taken. */
export function pairsOf(
  half: 'cuda' | 'opencl',
): (readonly [pointee: string, array: string, taken: boolean, row: Row])[] {
  return ROWS.flatMap((row) => {
    const pointee = row[half];
    if (pointee === undefined) return [];
    return Object.keys(ARRAYS).map((name) => [pointee, name, row.takes?.includes(name) ?? true, row] as const);
  });
}
