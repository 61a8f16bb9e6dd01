import { describe, expect, test } from '@jest/globals';
import { parseTemplate } from '../../../../../src/cpu/compiler/ptx/parser.ts';
import { mentionsAssembly, withPlainConstraints } from '../../../../../src/cpu/compiler/ptx/source.ts';

describe('inline PTX in a preprocessed source', () => {
  test.each([
    ['asm("mov.u32 %0, %1;" : "=r"(a) : "l"(b));', 'asm("/*r,l*/" "mov.u32 %0, %1;" : "=r"(a) : "r"(b));'],
    [
      'asm volatile ("mov.u32 %0, %laneid; /* %% */" : "=&f"(x[i ? 1 : 2]), "+d"(y) :: "memory");',
      'asm volatile ("/*f,d*/" "mov.u32 %0, %%laneid; /* %% */" : "=&r"(x[i ? 1 : 2]), "+r"(y) :: "memory");',
    ],
    [
      '__asm__ __volatile__("a %0;" "b %1;" :: "n"(N), "C"(f("l")));',
      '__asm__ __volatile__("/*n,C*/" "a %0;" "b %1;" :: "n"(N), "i"(f("l")));',
    ],
    ['asm(R"x(add.u32 %0, %tid.x, ")";)x" : "=h"(a));', 'asm("/*h*/" R"x(add.u32 %0, %%tid.x, ")";)x" : "=r"(a));'],
    ['asm("%0 %1;" :: "r"(a) "l"((b)), "f"(c) );', 'asm("/*r,l,f*/" "%0 %1;" :: "r"(a) , "r"((b)), "r"(c) );'],
    ['asm volatile("bar.sync 0; // %x");', 'asm volatile("bar.sync 0; // %x");'],
    ['asm volatile("" ::: "memory");', 'asm volatile("" ::: "memory");'],
    ['int n = 1\'000; asm("%0;" :: "q"(n));', 'int n = 1\'000; asm("/*?*/" "%0;" :: "q"(n));'],
    ['const char *s = "asm(\\"%x\\" : \\"=l\\"(a))";', 'const char *s = "asm(\\"%x\\" : \\"=l\\"(a))";'],
    ['void f() asm("_f%x"); int asm_ = 1; // nothing', 'void f() asm("_f%x"); int asm_ = 1; // nothing'],
    ['# 1 "asm(" 2\nint a;', '# 1 "asm(" 2\nint a;'],
    ['asm("never closed" : "=l"(a)', 'asm("never closed" : "=l"(a)'],
  ])('%s', (source, expected) => {
    expect(withPlainConstraints(source)).toBe(expected);
  });

  test('a source without the word needs no rewriting', () => {
    expect(mentionsAssembly('int chasm(int asmA);')).toBe(false);
    expect(mentionsAssembly('#define PTX(x) asm volatile(x)')).toBe(true);
  });
});

describe('templates', () => {
  test('are read with scopes, guards, pairs, vectors, addresses and numbers', () => {
    const [block, label] = parseTemplate(
      '{ .reg .b32 %r<2>; @!p shfl.sync.up.b32 %r1|q, $0, -1, 0x1F, 0b11; } DONE: // end',
    );
    expect(block).toMatchObject({
      kind: 'block',
      body: [
        { kind: 'registers', type: 'b32', names: ['%r0', '%r1'] },
        {
          opcode: ['shfl', 'sync', 'up', 'b32'],
          guard: { negated: true, predicate: { name: 'p' } },
          operands: [
            { kind: 'pair', first: { name: '%r1' }, second: { name: 'q' } },
            { kind: 'argument', index: 0 },
            { kind: 'integer', value: -1n },
            { kind: 'integer', value: 31n },
            { kind: 'integer', value: 3n },
          ],
        },
      ],
    });
    expect(label).toEqual({ kind: 'label', name: 'DONE' });
    const [load] = parseTemplate('ld.global.L2::128B.v2.f32 {a$$b, _}, [${1:x}+-8];');
    expect(load).toMatchObject({
      opcode: ['ld', 'global', 'L2::128B', 'v2', 'f32'],
      operands: [
        { kind: 'vector', parts: [{ name: 'a$b' }, { kind: 'nothing' }] },
        { kind: 'address', base: { kind: 'argument', index: 1 }, offset: -8n },
      ],
    });
    const numbers = parseTemplate('x 0f3F800000, 0dBFF0000000000000, 1.5, 017, 12U, -0f00000000;');
    expect(numbers).toMatchObject([
      {
        operands: [
          { kind: 'float', bits: 0x3f80_0000n, width: 32 },
          { kind: 'float', bits: 0xbff0_0000_0000_0000n, width: 64 },
          { kind: 'float', bits: 0x3ff8_0000_0000_0000n, width: 64 },
          { kind: 'integer', value: 15n },
          { kind: 'integer', value: 12n },
          { kind: 'float', bits: 0x8000_0000n, width: 32 },
        ],
      },
    ]);
  });
});
