import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { dtypes } from '../../../../src/core/dtype.ts';
import type { VectorType } from '../../../../src/core/value.ts';
import { compile } from '../../../../src/cuda/compiler/compiler.ts';
import * as vectors from '../../../../src/cuda/kernel/vectors.ts';
import { needs } from '../../../helpers/require.ts';

const types = Object.entries(vectors as Readonly<Record<string, VectorType>>);

const builtIn = types.filter(([name]) => name !== 'half2' && name !== 'bfloat162');
const asserts = (list: typeof types): string[] =>
  list.map(([name, { byteLength, alignment }]) => {
    const c = name.replace(/^bfloat/, 'nv_bfloat');
    return `static_assert(sizeof(${c}) == ${byteLength} && alignof(${c}) == ${alignment}, "${c}");`;
  });

test('there are 48 vector types, half2 and bfloat162, each named as it is exported', () => {
  expect(types).toHaveLength(50);
  expect(types.filter(([name, type]) => type.name !== name)).toEqual([]);
});

test('a vector type has room for its lanes and no more', () => {
  for (const [, { byteLength, lanes, dtype }] of types) expect(byteLength).toBe(lanes * dtypes[dtype].size);
});

needs.nvrtc().test('sizes and alignments are those of NVRTC', () => {
  expect(
    compile(`${asserts(builtIn).join('\n')}\n__global__ void k() {}`, { arch: 'compute_80', cache: false }, () => 80)
      .log,
  ).toBe('');
});

needs.command('nvcc').test('sizes and alignments are those of nvcc', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rawkernel-vectors-'));
  try {
    const file = join(folder, 'vectors.cu');
    writeFileSync(file, ['#include <cuda_fp16.h>', '#include <cuda_bf16.h>', ...asserts(types)].join('\n'));
    const { status, stderr } = spawnSync('nvcc', ['-w', '--ptx', '-o', join(folder, 'out.ptx'), file], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
