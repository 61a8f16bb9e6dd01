import { describe, expect, test } from '@jest/globals';
import { cutAtBarriers } from '../../../../src/cpu/compiler/regions/cut.ts';
import { readBody } from '../../../../src/cpu/compiler/ir/body.ts';
import { accessOf, readInstruction, resultType } from '../../../../src/cpu/compiler/ir/instruction.ts';
import { parametersOf, parseModule, type IrFunction } from '../../../../src/cpu/compiler/ir/module.ts';
import { IrError, splitList, takeType } from '../../../../src/cpu/compiler/ir/text.ts';
import { layoutOf } from '../../../../src/cpu/compiler/ir/value-type.ts';
import { translateOptions } from '../../../../src/cpu/compiler/options.ts';
import { planKernel } from '../../../../src/cpu/compiler/regions/plan.ts';

describe('text', () => {
  test('lists are split at their top level', () => {
    expect(splitList('i32 %a, { i8, [2 x i8] } %b, <4 x float> %c')).toEqual([
      'i32 %a',
      '{ i8, [2 x i8] } %b',
      '<4 x float> %c',
    ]);
    expect(splitList('')).toEqual([]);
  });

  test.each([
    ['noundef range(i32 0, 8) i32 @f()', 'i32'],
    ['fastcc nofpclass(nan inf) float @f()', 'float'],
    ['noalias noundef nonnull align 8 dereferenceable(16) ptr %0', 'ptr'],
    ['nuw nsw <4 x i32> %a, %b', '<4 x i32>'],
    ['%"struct.a<b>" %x', '%"struct.a<b>"'],
    ['{ i32, i1 } %x', '{ i32, i1 }'],
  ])('the type in %s', (text, type) => {
    expect(takeType(text).type).toBe(type);
  });
});

describe('types', () => {
  const names = new Map([['%struct.P', '{ i32, double, [3 x i8] }']]);
  test.each([
    ['i1', 1, 1],
    ['i33', 8, 8],
    ['i128', 16, 16],
    ['<3 x float>', 16, 16],
    ['<8 x i1>', 1, 1],
    ['[3 x { i8, i32 }]', 24, 4],
    ['<{ i8, i32 }>', 5, 1],
    ['%struct.P', 24, 8],
  ])('%s', (type, size, align) => {
    expect(layoutOf(type, names)).toEqual({ size, align });
  });

  test('an unknown one is an error', () => {
    expect(() => layoutOf('x86_mmx', names)).toThrow(IrError);
  });
});

describe('instructions', () => {
  test.each([
    ['%v1 = add nuw nsw i32 %v2, 1', 'i32'],
    ['%v1 = icmp samesign ult i32 %v2, 1', 'i1'],
    ['%v1 = fcmp fast olt <4 x float> %v2, %v3', '<4 x i1>'],
    ['%v1 = select i1 %v2, double %v3, double 0.0', 'double'],
    ['%v1 = tail call fastcc noundef range(i32 0, 9) i32 @f(ptr noundef %v2) #4', 'i32'],
    ['%v1 = trunc nuw i64 %v2 to i32', 'i32'],
    ['%v1 = cmpxchg volatile ptr %v2, i32 %v3, i32 %v4 monotonic monotonic, align 4', '{ i32, i1 }'],
    ['%v1 = atomicrmw fadd ptr %v2, float %v3 monotonic, align 4', 'float'],
    ['%v1 = extractvalue { i32, i1 } %v2, 1', 'i1'],
    ['%v1 = extractelement <4 x float> %v2, i64 0', 'float'],
    ['%v1 = shufflevector <4 x float> %v2, <4 x float> poison, <2 x i32> zeroinitializer', '<2 x float>'],
    ['%v1 = load atomic i64, ptr %v2 seq_cst, align 8', 'i64'],
  ])('%s', (line, type) => {
    expect(resultType(readInstruction(line))).toBe(type);
  });

  test('memory accesses', () => {
    const access = (line: string): unknown => accessOf(readInstruction(line));
    expect(access('%v1 = load volatile float, ptr %v2, align 4, !dbg !3')).toEqual({
      kind: 'read',
      type: 'float',
      pointer: '%v2',
    });
    expect(access('store <2 x i32> %v1, ptr @x, align 8')).toEqual({ kind: 'write', type: '<2 x i32>', pointer: '@x' });
    expect(access('%v1 = atomicrmw volatile add ptr %v2, i32 1 seq_cst, align 4')).toEqual({
      kind: 'atomic',
      type: 'i32',
      pointer: '%v2',
    });
  });

  test('an unknown one is an error', () => {
    expect(() => readInstruction('%v1 = landingpad { ptr, i32 }')).toThrow(IrError);
  });
});

const KERNEL = `define void @k(ptr noundef %0, i32 %1) {
  %3 = tail call i32 @__rt_id_tx() #1
  %4 = zext i32 %3 to i64
  %5 = getelementptr inbounds i32, ptr %0, i64 %4
  %6 = load i32, ptr %5, align 4
  tail call void @__rt_barrier() #2, !dbg !7
  switch i32 %1, label %9 [
    i32 0, label %7
    i32 1, label %9
  ]

7:                                                ; preds = %2
  %8 = add i32 %6, 1
  tail call void @__rt_warp_barrier(i32 noundef %1) #2
  br label %9

9:                                                ; preds = %2, %2, %7
  %10 = phi i32 [ %6, %2 ], [ %6, %2 ], [ %8, %7 ]
  store i32 %10, ptr %5, align 4
  ret void
}`;

describe('kernels', () => {
  const module = parseModule(KERNEL);
  const fn = module.functions[0] as IrFunction;

  test('a body is read with its blocks', () => {
    const { blocks } = readBody(fn, parametersOf(fn, module.types), module.types);
    expect(blocks.map(({ name, successors }) => [name, successors])).toEqual([
      ['b0', ['b2', 'b1', 'b2']],
      ['b1', ['b2']],
      ['b2', []],
    ]);
  });

  test('it is cut at barriers, and phis name the last part', () => {
    const { blocks, barriers } = cutAtBarriers(readBody(fn, parametersOf(fn, module.types), module.types));
    expect(blocks.map(({ name }) => name)).toEqual(['b0', 'b0k1', 'b1', 'b1k2', 'b2']);
    expect(barriers).toEqual([
      { kind: 'block', whole: true, next: 'b0k1', debug: 7 },
      { kind: 'warp', whole: false, next: 'b1k2', debug: undefined },
    ]);
    expect(blocks[4]?.instructions[0]?.text).toMatch(/%b0k1 \].*%b1k2 \]/);
  });

  test('only what cannot be made again is kept over a barrier', () => {
    const plan = planKernel(fn, module.types);
    expect(plan.repeated.map(({ op }) => op)).toEqual(['call', 'zext', 'getelementptr']);
    expect([...plan.slots.values()].map(({ type }) => type)).toEqual(['i32', 'i32']);
    expect(plan.contextBytes).toBe(24);
  });

  test('an undefined name is an error', () => {
    const broken = parseModule('define void @k() {\n  store i32 %9, ptr null\n  ret void\n}')
      .functions[0] as IrFunction;
    expect(() => planKernel(broken, new Map())).toThrow('unknown name %9');
  });
});

describe('options', () => {
  test("NVRTC's become clang's", () => {
    const options = translateOptions([
      '-DA=1',
      '-D',
      'B',
      '--define-macro=C=2',
      '-UD',
      '--std=c++20',
      '-arch=sm_90',
      '--gpu-architecture',
      'compute_80',
      '-lineinfo',
      '--use_fast_math',
      '-rdc=true',
    ]);
    expect(options).toEqual({
      standard: 'c++20',
      arch: 'compute_80',
      flags: ['-DA=1', '-DB', '-DC=2', '-UD'],
      errors: [],
      preIncludes: [],
      fastMath: true,
      defaultDevice: false,
      relocatable: true,
    });
  });

  test('the last of those that make code relocatable counts', () => {
    const isRelocatable = (...options: string[]): boolean => translateOptions(options).relocatable;
    expect(isRelocatable()).toBe(false);
    expect(isRelocatable('--relocatable-device-code=true')).toBe(true);
    expect(isRelocatable('-dc')).toBe(true);
    expect(isRelocatable('-rdc=true', '-rdc=false')).toBe(false);
  });

  test('unknown ones are errors', () => {
    expect(translateOptions(['--frobnicate']).errors).toEqual(['error: unrecognized option --frobnicate found']);
    expect(translateOptions(['--std=c++99']).errors).toEqual(['error: unknown language dialect c++99']);
  });
});
