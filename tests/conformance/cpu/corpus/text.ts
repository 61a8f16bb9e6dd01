import { createCipheriv, createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { kernelCase, range, sum, type Case } from '../case.ts';

/** Constants of SHA-2: the first bits of the fractional parts of roots of primes, in whole numbers. */
function rootBits(count: number, degree: bigint): string {
  const primes = range(400).filter((p) => p > 1 && range(p).every((d) => d < 2 || p % d !== 0));
  const words = primes.slice(0, count).map((p) => {
    // The root of p * 2^(32 * degree), a bit at a time.
    const power = BigInt(p) << (32n * degree);
    let root = 0n;
    for (let bit = 40n; bit >= 0n; bit--) if ((root + (1n << bit)) ** degree <= power) root += 1n << bit;
    return `0x${(root & 0xffff_ffffn).toString(16)}u`;
  });
  return words.join(', ');
}

/** AES's substitution box: inverses in the field of 256 elements, then an affine map. */
function sbox(): number[] {
  const times = (a: number, b: number): number =>
    range(8).reduce((product, k) => {
      let shifted = a;
      for (let i = 0; i < k; i++) shifted = (shifted << 1) ^ (shifted & 0x80 ? 0x11b : 0);
      return (b >> k) & 1 ? product ^ shifted : product;
    }, 0);
  return range(256, (x) => {
    const inverse = Math.max(
      0,
      range(256).findIndex((y) => times(x, y) === 1),
    );
    return range(5).reduce((v, k) => v ^ (((inverse << k) | (inverse >> (8 - k))) & 255), 0x63);
  });
}

/** Bytes, words and codes. */
export const textCases: readonly Case[] = [
  kernelCase({
    name: 'string-search',
    source: `
      __constant__ char pattern[16];
      __global__ void search(const char *text, int n, int length, int *count, int *first)
      {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + length <= n; i += blockDim.x * gridDim.x) {
          int k = 0;
          while (k < length && text[i + k] == pattern[k]) k++;
          if (k == length) {
            atomicAdd(count, 1);
            atomicMin(first, i);
          }
        }
      }`,
    buffers: (random) => ({
      text: random.bytes(3000, 97, 100),
      pattern: new Uint8Array(Buffer.from('abcab')),
      found: Int32Array.of(0, 9999),
    }),
    globals: ({ pattern }) => ({ pattern: Uint8Array.from(range(16, (k) => pattern[k] ?? 0)) }),
    launches: ({ text, found }) => [
      { kernel: 'search', args: [text, 3000, 5, found, found.slice(4)], block: 64, grid: 8 },
    ],
    expected: ({ text }) => {
      const places = [
        ...Buffer.from(text)
          .toString()
          .matchAll(/(?=abcab)/g),
      ].map(({ index }) => index);
      return { found: [places.length, places[0] ?? 9999] };
    },
  }),

  kernelCase({
    name: 'crc-32',
    source: `
      // The table is made by the first threads of each block; then a thread a line.
      __global__ void crc(const unsigned char *text, int width, unsigned *out)
      {
        __shared__ unsigned table[256];
        for (int i = threadIdx.x; i < 256; i += blockDim.x) {
          unsigned c = i;
          for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
          table[i] = c;
        }
        __syncthreads();
        int line = blockIdx.x * blockDim.x + threadIdx.x;
        unsigned c = ~0u;
        for (int k = 0; k < width; k++) c = table[(c ^ text[line * width + k]) & 255] ^ (c >> 8);
        out[line] = ~c;
      }`,
    buffers: (random) => ({ text: random.bytes(96 * 21), out: new Uint32Array(96) }),
    launches: ({ text, out }) => [{ kernel: 'crc', args: [text, 21, out], block: 48, grid: 2 }],
    expected: ({ text }) => ({ out: range(96, (line) => crc32(text.subarray(line * 21, line * 21 + 21))) }),
  }),

  kernelCase({
    name: 'sha-256',
    source: `
      __constant__ unsigned K[64] = { ${rootBits(64, 3n)} };
      __device__ unsigned turn(unsigned x, int by) { return x >> by | x << (32 - by); }
      __device__ void compress(unsigned *state, const unsigned char *block)
      {
        unsigned w[64], v[8];
        for (int i = 0; i < 16; i++)
          w[i] = block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
        for (int i = 16; i < 64; i++) {
          unsigned a = w[i - 15], b = w[i - 2];
          w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
        }
        for (int i = 0; i < 8; i++) v[i] = state[i];
        for (int i = 0; i < 64; i++) {
          unsigned e = v[4], a = v[0];
          unsigned t1 = v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + K[i] + w[i];
          unsigned t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
          for (int k = 7; k > 0; k--) v[k] = v[k - 1];
          v[4] += t1;
          v[0] = t1 + t2;
        }
        for (int i = 0; i < 8; i++) state[i] += v[i];
      }
      __global__ void sha256(const unsigned char *messages, const int *lengths, int stride, unsigned char *digests)
      {
        int m = blockIdx.x * blockDim.x + threadIdx.x, length = lengths[m], blocks = (length + 8) / 64 + 1;
        const unsigned char *message = messages + m * stride;
        unsigned state[8] = { ${rootBits(8, 2n)} };
        for (int b = 0; b < blocks; b++) {
          unsigned char block[64];
          for (int i = 0; i < 64; i++) {
            int at = 64 * b + i, left = 64 * blocks - 1 - at;
            block[i] = at < length ? message[at] : at == length ? 0x80 : left < 4 ? (unsigned)(8 * length) >> (8 * left) : 0;
          }
          compress(state, block);
        }
        for (int i = 0; i < 32; i++) digests[32 * m + i] = state[i / 4] >> (24 - 8 * (i % 4));
      }`,
    buffers: (random) => ({
      messages: random.bytes(40 * 150),
      lengths: Int32Array.from(range(40, (m) => (m < 4 ? 54 + m : random.integer(0, 151)))),
      digests: new Uint8Array(40 * 32),
    }),
    launches: ({ messages, lengths, digests }) => [
      { kernel: 'sha256', args: [messages, lengths, 150, digests], block: 20, grid: 2 },
    ],
    expected: ({ messages, lengths }) => ({
      digests: Array.from(lengths, (length, m) => [
        ...createHash('sha256')
          .update(messages.subarray(m * 150, m * 150 + length))
          .digest(),
      ]).flat(),
    }),
  }),

  kernelCase({
    name: 'aes-128',
    source: `
      __constant__ unsigned char box[256] = { ${sbox().join(', ')} };
      __device__ unsigned char twice(unsigned char x) { return x << 1 ^ (x & 0x80 ? 0x1b : 0); }
      // The keys of all rounds are made once a block, in shared memory.
      __global__ void encrypt(const unsigned char *text, const unsigned char *key, unsigned char *out, int blocks)
      {
        __shared__ unsigned char keys[176], substitute[256];
        for (int i = threadIdx.x; i < 256; i += blockDim.x) substitute[i] = box[i];
        __syncthreads();
        if (threadIdx.x == 0) {
          unsigned char constant = 1;
          for (int i = 0; i < 16; i++) keys[i] = key[i];
          for (int i = 16; i < 176; i += 4) {
            unsigned char word[4];
            for (int k = 0; k < 4; k++) word[k] = keys[i - 4 + k];
            if (i % 16 == 0) {
              unsigned char first = word[0];
              for (int k = 0; k < 3; k++) word[k] = substitute[word[k + 1]];
              word[3] = substitute[first];
              word[0] ^= constant;
              constant = twice(constant);
            }
            for (int k = 0; k < 4; k++) keys[i + k] = keys[i - 16 + k] ^ word[k];
          }
        }
        __syncthreads();
        int b = blockIdx.x * blockDim.x + threadIdx.x;
        if (b >= blocks) return;
        unsigned char s[16], t[16];
        for (int i = 0; i < 16; i++) s[i] = text[16 * b + i] ^ keys[i];
        for (int round = 1; round <= 10; round++) {
          for (int i = 0; i < 16; i++) t[i] = substitute[s[(i + 4 * (i % 4)) % 16]];
          for (int c = 0; c < 16; c += 4) {
            unsigned char sum = t[c] ^ t[c + 1] ^ t[c + 2] ^ t[c + 3];
            for (int k = 0; k < 4; k++) {
              unsigned char mixed = t[c + k] ^ sum ^ twice(t[c + k] ^ t[c + (k + 1) % 4]);
              s[c + k] = (round < 10 ? mixed : t[c + k]) ^ keys[16 * round + c + k];
            }
          }
        }
        for (int i = 0; i < 16; i++) out[16 * b + i] = s[i];
      }`,
    buffers: (random) => ({ text: random.bytes(16 * 70), key: random.bytes(16), out: new Uint8Array(16 * 70) }),
    launches: ({ text, key, out }) => [{ kernel: 'encrypt', args: [text, key, out, 70], block: 32, grid: 3 }],
    expected: ({ text, key }) => ({ out: createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(text) }),
  }),

  kernelCase({
    name: 'base64',
    source: `
      __global__ void encode(const unsigned char *in, int n, uchar4 *out)
      {
        static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        int i = blockIdx.x * blockDim.x + threadIdx.x, left = n - 3 * i;
        if (left <= 0) return;
        unsigned word = in[3 * i] << 16 | (left > 1 ? in[3 * i + 1] << 8 : 0) | (left > 2 ? in[3 * i + 2] : 0);
        out[i] = make_uchar4(digits[word >> 18], digits[word >> 12 & 63], left > 1 ? digits[word >> 6 & 63] : '=',
                             left > 2 ? digits[word & 63] : '=');
      }`,
    buffers: (random) => ({ bytes: random.bytes(700), out: new Uint8Array(936) }),
    launches: ({ bytes, out }) => [{ kernel: 'encode', args: [bytes, 700, out], block: 64, grid: 4 }],
    expected: ({ bytes }) => ({ out: Buffer.from(Buffer.from(bytes).toString('base64')) }),
  }),

  kernelCase({
    name: 'edit-distance',
    source: `
      // The table's diagonals, one after the other; a barrier between them.
      __global__ void distance(const char *a, const char *b, int n, int *out)
      {
        extern __shared__ int rows[];
        int *before = rows, *last = rows + n + 1, *now = rows + 2 * (n + 1), i = threadIdx.x;
        a += blockIdx.x * n;
        b += blockIdx.x * n;
        for (int d = 0; d <= 2 * n; d++) {
          int j = d - i;
          if (j >= 0 && j <= n && i <= n)
            now[i] = i == 0 ? j : j == 0 ? i
                   : min(min(last[i - 1], last[i]) + 1, before[i - 1] + (a[i - 1] != b[j - 1]));
          __syncthreads();
          int *free = before;
          before = last;
          last = now;
          now = free;
        }
        if (i == n) out[blockIdx.x] = last[n];
      }`,
    buffers: (random) => ({
      a: random.bytes(5 * 40, 97, 101),
      b: random.bytes(5 * 40, 97, 101),
      out: new Int32Array(5),
    }),
    launches: ({ a, b, out }) => [{ kernel: 'distance', args: [a, b, 40, out], block: 64, grid: 5, shared: 492 }],
    expected: ({ a, b }) => ({
      out: range(5, (k) => {
        let row = range(41);
        for (let i = 1; i <= 40; i++) {
          const next = [i];
          for (let j = 1; j <= 40; j++) {
            const same = a[40 * k + i - 1] === b[40 * k + j - 1] ? 0 : 1;
            next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
          }
          row = next;
        }
        return row[40] ?? NaN;
      }),
    }),
  }),

  kernelCase({
    name: 'morton-and-gray-codes',
    source: `
      __device__ unsigned spread(unsigned x)
      {
        x = (x | x << 8) & 0x00ff00ff;
        x = (x | x << 4) & 0x0f0f0f0f;
        x = (x | x << 2) & 0x33333333;
        return (x | x << 1) & 0x55555555;
      }
      __global__ void codes(const unsigned short *x, const unsigned short *y, unsigned *morton, unsigned short *grey)
      {
        int i = threadIdx.x;
        morton[i] = spread(x[i]) | spread(y[i]) << 1;
        grey[i] = x[i] ^ x[i] >> 1;
      }`,
    buffers: (random) => ({
      x: Uint16Array.from(random.ints(80)),
      y: Uint16Array.from(random.ints(80)),
      morton: new Uint32Array(80),
      grey: new Uint16Array(80),
    }),
    launches: ({ x, y, morton, grey }) => [{ kernel: 'codes', args: [x, y, morton, grey], block: 80 }],
    expected: ({ x, y }) => ({
      morton: Array.from(x, (v, i) => sum(16, (k) => ((v >> k) & 1) * 4 ** k + (((y[i] ?? 0) >> k) & 1) * 2 * 4 ** k)),
      grey: Array.from(x, (v) => sum(16, (k) => (((v >> k) & 1) === ((v >> (k + 1)) & 1) ? 0 : 2 ** k))),
    }),
  }),
];
