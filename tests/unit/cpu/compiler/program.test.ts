import { describe, expect, test } from '@jest/globals';
import {
  capabilityOf,
  decodeProgram,
  encodeProgram,
  pseudoPtx,
  type CpuProgram,
} from '../../../../src/cpu/abi/program.ts';
import { imageBytes } from '../../../../src/cuda/compiler/image.ts';
import { parsePtx } from '../../../../src/cuda/compiler/ptx.ts';

const program: CpuProgram = {
  wasm: Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 255),
  kernels: [
    {
      symbol: '_Z3addPfi',
      parameters: [
        { offset: 0, size: 8, ptx: 'u64' },
        { offset: 8, size: 4, ptx: 'u32' },
        { offset: 16, size: 12, ptx: 'b8[12]' },
        { offset: 28, size: 4, ptx: 'f32' },
        { offset: 32, size: 32, ptx: 'b8[32]' },
      ],
      argumentBytes: 64,
      contextBytes: 0,
      contextFixed: 0,
      sharedBytes: 0,
      maxThreads: 1024,
      barriers: 0,
    },
  ],
  variables: [
    { symbol: 'counter', byteLength: 4, constant: false },
    { symbol: 'table', byteLength: 64, constant: true },
  ],
  lowered: { 'add<float>': '_Z3addPfi' },
  sites: [],
  arch: 'sm_90',
  checked: false,
  source: 'é // kernel',
  file: 'kernel.cu',
};

describe('container', () => {
  test('comes out as it went in', () => {
    expect(decodeProgram(encodeProgram(program))).toEqual(program);
    expect(decodeProgram(new TextEncoder().encode(pseudoPtx(program)))).toEqual(program);
    expect(decodeProgram(new TextEncoder().encode(`${pseudoPtx(program)}\0`))).toEqual(program);
  });

  test('passes for a whole ELF file', () => {
    const bytes = encodeProgram(program);
    expect(imageBytes(bytes)).toHaveLength(bytes.length);
  });

  test('is told from other images', () => {
    const bytes = encodeProgram(program);
    expect(decodeProgram(bytes.subarray(0, bytes.length - 1))).toBeUndefined();
    expect(decodeProgram(Uint8Array.of(0x7f, 0x45, 0x4c, 0x46))).toBeUndefined();
    expect(decodeProgram(new Uint8Array(64).fill(0))).toBeUndefined();
    expect(decodeProgram(new Uint8Array())).toBeUndefined();
    expect(decodeProgram(new TextEncoder().encode('.version 8.0\n.target sm_90\n'))).toBeUndefined();
  });

  test.each(['', 'null', '5', '[]', '{}', '{"kernels":5}', '{"kernels":[],"variables":[],"sites":[],"arch":9}'])(
    'is told from one that says %j of itself',
    (json) => {
      const bytes = encodeProgram(program).slice(0, 64 + json.length);
      new DataView(bytes.buffer).setUint32(16, json.length, true);
      new DataView(bytes.buffer).setUint32(20, 0, true);
      bytes.set(new TextEncoder().encode(json), 64);
      expect(decodeProgram(bytes)).toBeUndefined();
    },
  );

  test('speaks of its architecture, and a driver finds no instruction in its PTX form', () => {
    const { target } = parsePtx(pseudoPtx({ ...program, arch: 'compute_75' }));
    expect(target).toBe('sm_75');
    expect(pseudoPtx(program)).not.toMatch(/\bret\b/);
    expect(['sm_90a', 'compute_100', 'sm_75'].map(capabilityOf)).toEqual([90, 100, 75]);
  });

  test('has its kernels and variables in its PTX form', () => {
    const { entries, globals, target } = parsePtx(pseudoPtx(program));
    expect(target).toBe('sm_90');
    expect(globals).toEqual(['counter', 'table']);
    expect(entries.map(({ symbol }) => symbol)).toEqual(['_Z3addPfi']);
    expect(entries[0]?.parameters.map(({ offset, size, scalar }) => [offset, size, scalar])).toEqual([
      [0, 8, 'u64'],
      [8, 4, 'u32'],
      [16, 12, undefined],
      [28, 4, 'f32'],
      [32, 32, undefined],
    ]);
  });
});
