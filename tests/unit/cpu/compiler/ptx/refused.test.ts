import { describe, expect, test } from '@jest/globals';
import { translateAssembly } from '../../../../../src/cpu/compiler/ptx/assembly.ts';

/** A module with one statement, as clang writes it: a result of 32 bits, and operands of 32, 64 and 16 bits. */
function moduleOf(template: string, letters = 'r,r,l,h'): string {
  const text = template.replace(/%(\d)/g, '$$$1').replace(/\n/g, '\\0A').replace(/"/g, '\\22');
  return `
define void @k(i32 %0, ptr %1, i16 %2) !dbg !3 {
  %4 = call i32 asm sideeffect "/*${letters}*/${text}", "=r,r,r,r,~{memory}"(i32 %0, ptr %1, i16 %2) #3, !dbg !4
  ret void
}
!2 = !DIFile(filename: "kernel.cu", directory: "")
!3 = distinct !DISubprogram(name: "k", scope: !2, file: !2, line: 1)
!4 = !DILocation(line: 7, column: 3, scope: !3)`;
}

function refusal(template: string, letters?: string): string {
  try {
    translateAssembly(moduleOf(template, letters));
    return '';
  } catch (error) {
    const { message, line } = error as Error & { line: number };
    return `${line}: ${message}`;
  }
}

describe('inline PTX that is refused', () => {
  test.each([
    [
      'mapa.shared::cluster.u32 %0, %1, %1;',
      "7: PTX instruction 'mapa.shared::cluster.u32' is not translated by the CPU device",
    ],
    ['add.u32 %0, %1, 1; exit;', "7: PTX instruction 'exit' is not translated by the CPU device"],
    ['add.f16x4 %0, %1, %1;', "PTX instruction 'add.f16x4' is not"],
    ['add.cc.u16 %0, %1, %1;', "PTX instruction 'add.cc.u16' is not"],
    ['fma.f32 %0, %1, %1, %1;', "PTX instruction 'fma.f32' is not"],
    ['add.sat.u32 %0, %1, %1;', "PTX instruction 'add.sat.u32' is not"],
    ['cvt.s32.f32 %0, %1;', "PTX instruction 'cvt.s32.f32' is not"],
    ['atom.global.mul.u32 %0, [%2], %1;', "PTX instruction 'atom.global.mul.u32' is not"],
    ['ld.param.u32 %0, [%2];', "PTX instruction 'ld.param.u32' is not"],
    ['shfl.up.b32 %0, %1, 1, 0;', "PTX instruction 'shfl.up.b32' is not"],
    ['bar.arrive 0, 64;', "PTX instruction 'bar.arrive' is not"],
    ['bar.sync 1, 64;', "'bar.sync' with a number of threads is not translated"],
    ['cp.async.bulk.commit_group;', "PTX instruction 'cp.async.bulk.commit_group' is not"],
    ['mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0}, {%0}, {%0}, {%0};', 'PTX instruction'],
    ['setp.lt.b32 p, %1, %1;', "PTX instruction 'setp.lt.b32' is not"],
    ['mov.u32 %0, %smid;', "PTX special register '%smid' is not"],
    ['.shared .b8 buffer[64];', "PTX directive '.shared' is not"],
    ['constructor %0;', "PTX instruction 'constructor' is not"],
  ])('%s', (template, message) => {
    expect(refusal(template)).toContain(message);
  });
});

describe('malformed inline PTX', () => {
  test.each([
    ['add.u32 %0, %1, 1', "';' must be here after 'add.u32', got the end"],
    ['add.u32 %0, %1 1;', "';' must be here after 'add.u32', got '1'"],
    ['{ add.u32 %0, %1, 1;', "'}' must be here, got the end"],
    ['add.u32 %0, %1, 1; }', "'}' without a '{' before it"],
    ['add.u32 %0, %1;', "'add.u32' must have 3 operands, got 2"],
    ['add.u32 %0, %1, ;', "an operand must be here, got ';'"],
    ['add.u32 t, %1, 1;', "the destination 't' is not declared"],
    ['add.u32 %0, t, 1;', "register 't' is not declared"],
    ['{ .reg .u32 t; } mov.u32 %0, t;', "register 't' is not declared"],
    ['{ .reg .u32 t, t; }', "register 't' is declared twice"],
    ['{ .reg t; }', ".reg must have a type, got 't'"],
    ['{ .reg .u33 t; }', "PTX type '.u33' is not translated"],
    ['{ .reg .u32 t<0>; }', 't<n> must have 1 to 4096 registers, got 0'],
    ['add.u32 %0, %1, %9;', '%9 must be an operand of the statement, which has 4'],
    ['add.u32 %0, %1, %2;', "'%2' has 64 bits, and the instruction wants .u32"],
    ['add.u64 %0, %2, %2;', "'%0' has 32 bits, and the instruction wants .u64"],
    ['{ .reg .pred p; add.u32 %0, p, 1; }', "'p' is a predicate, and the instruction wants .u32"],
    ['@%1 mov.u32 %0, 1;', "'%1' is not a predicate"],
    ['{ .reg .f32 f; add.f32 f, f, 1; }', 'must have a point or begin with 0f or 0d, got 1'],
    ['add.u32 %0, -%1, 1;', "'-' must be before a number"],
    ['add.u32 %0, %1, 1 # 2;', "unknown character '#'"],
    ['bra NOWHERE;', "label 'NOWHERE' is not in the statement"],
    ['ld.global.u32 %0, %2;', 'an address in brackets must be here'],
    ['ld.global.u32 %0, [%2+%1];', 'the offset of an address must be a number'],
    ['ld.global.v2.u32 {%0}, [%2];', "'ld.global.v2.u32' must have 2 elements, got 1"],
    ['ld.global.v4.u64 {%0, %0, %0, %0}, [%2];', 'must access at most 16 bytes, got 32'],
    ['mov.b64 {%0, %0, %0}, %2;', "'mov.b64' must have a .b type of 2 or 4 parts, got 3"],
    ['setp.lt.and.u32 p, %1, %1;', "'setp.lt.and.u32' must have one type and 4 operands"],
    ['add.u32 %0|p, %1, 1;', "'add.u32' has one result, got two"],
    ['add.u32 %0, %1, %tid.x;', "special register '%tid' must be read by mov or cvt"],
    ['cp.async.ca.shared.global [%1], [%2], 5;', 'a size of 4, 8 or 16 bytes, got 5'],
  ])('%s', (template, message) => {
    expect(refusal(template)).toContain(message);
  });

  test('an operand whose constraint does not fit its type', () => {
    expect(refusal('mov.u32 %0, %1;', 'r,l,l,h')).toContain(
      "asm operand %1 has 32 bits, which constraint 'l' does not fit",
    );
    expect(refusal('mov.u32 %0, %1;', 'r,r,l,r')).toContain(
      "asm operand %3 has 16 bits, which constraint 'r' does not fit",
    );
  });
});

describe('statements as functions', () => {
  test('equal statements share one, and a module without any stays as it is', () => {
    const twice = moduleOf('add.u32 %0, %1, 1;').replace(/( {2}%)4( = .*\n)/, '$14$2  %5$2');
    const { text, isLinked } = translateAssembly(twice);
    expect(isLinked).toBe(true);
    expect(text.match(/^define internal /gm)).toHaveLength(1);
    expect(text.match(/call i32 @__rk_ptx_0\(i32 %0, ptr %1, i16 %2\), !dbg !4/g)).toHaveLength(2);
    const empty = '  call void asm sideeffect "", "~{memory}"() #3, !dbg !4';
    expect(translateAssembly(empty)).toEqual({ text: empty, isLinked: false });
  });

  test('the carry flag is in memory only where one statement reads that of another', () => {
    expect(translateAssembly(moduleOf('add.cc.u32 %0, %1, %1; addc.u32 %0, %1, 0;')).text).not.toContain('__rt_carry');
    expect(translateAssembly(moduleOf('addc.u32 %0, %1, 0;')).text).toContain('@__rt_carry = external global i32');
  });
});
