import { expect, test } from '@jest/globals';
import { parseModule, type IrFunction } from '../../../../src/cpu/compiler/ir/module.ts';
import { planKernel } from '../../../../src/cpu/compiler/regions/plan.ts';
import { withSmallIntegers } from '../../../../src/cpu/compiler/regions/small-integers.ts';

/** The instructions of a kernel that computes with the bytes `%a` and `%b`; undefined where they stay as they are. */
function small(...lines: readonly string[]): string[] | undefined {
  const module = parseModule(`define void @k(ptr %p, ptr %q, ptr %z) {
  %x = load i8, ptr %p, align 1
  %a = zext i8 %x to i32
  %y = load i8, ptr %q, align 1
  %b = sext i8 %y to i32
  ${lines.join('\n  ')}
  ret void
}`);
  const plan = withSmallIntegers(planKernel(module.functions[0] as IrFunction, module.types));
  return plan?.blocks.flatMap(({ instructions }) => instructions.map(({ text }) => text)).slice(4, -1);
}

const SUMS = ['%s1 = add nuw nsw i32 %a, %b', '%s2 = sub nsw i32 %s1, %a', '%s3 = shl i32 %s2, 3'];
const TAIL = ['%s4 = add i32 %s3, 7', '%t = trunc i32 %s4 to i8', 'store i8 %t, ptr %z, align 1'];

test('sums of bytes have 16 bits', () => {
  expect(small(...SUMS, ...TAIL)).toEqual([
    'add i16 %v4, %v6',
    'sub i16 %v7, %v4',
    'shl i16 %v8, 3',
    'add i16 %v9, 7',
    'trunc i16 %v10 to i8',
    'store i8 %v11, ptr %v2, align 1',
  ]);
});

test('so have selections, comparisons, smallest and absolute values', () => {
  const lines = [
    '%c = icmp samesign ugt i32 %a, 200',
    '%s = select i1 %c, i32 %a, i32 -5',
    '%d = tail call noundef i32 @llvm.abs.i32(i32 %s, i1 true)',
    '%m = tail call noundef range(i32 0, 128) i32 @llvm.umin.i32(i32 %d, i32 127)',
    '%n = call i32 @llvm.smax.i32(i32 %m, i32 %b)',
    '%t = trunc nuw i32 %n to i8',
    'store i8 %t, ptr %z, align 1',
  ];
  expect(small(...lines)).toEqual([
    'icmp ugt i16 %v4, 200',
    'select i1 %v7, i16 %v4, i16 -5',
    'call i16 @llvm.abs.i16(i16 %v8, i1 true)',
    'call i16 @llvm.umin.i16(i16 %v9, i16 127)',
    'call i16 @llvm.smax.i16(i16 %v10, i16 %v6)',
    'trunc i16 %v11 to i8',
    'store i8 %v12, ptr %v2, align 1',
  ]);
});

test('what is needed with 32 bits is extended, if there is enough beside it', () => {
  const more = Array.from({ length: 8 }, (_, i) => `%e${i} = add i32 %${i === 0 ? 's4' : `e${i - 1}`}, 1`);
  const text = small(...SUMS, ...TAIL, ...more, 'store i32 %e7, ptr %z, align 4') ?? [];
  expect(text.slice(-2)).toEqual(['sext i16 %v19 to i32', 'store i32 %v20, ptr %v2, align 4']);
  expect(small(...SUMS, ...TAIL, 'store i32 %s4, ptr %z, align 4')).toBeUndefined();
});

test.each([
  ['leaves 16 bits', '%o = mul i32 %s4, 300'],
  ['shifts by a value', '%o = shl i32 %s4, %a'],
  ['divides', '%o = sdiv i32 %s4, 3'],
  ['shifts a negative number as an unsigned one', '%o = lshr i32 %s4, 1'],
  ['takes the smaller one, unsigned, of what may be negative', '%o = call i32 @llvm.umin.i32(i32 %s4, i32 9)'],
])('not what %s', (_, line) => {
  const text = small(...SUMS, ...TAIL, line, '%u = trunc i32 %o to i8', 'store i8 %u, ptr %z, align 1') ?? [];
  expect(text.filter((one) => one.includes('i16')).join('\n')).not.toMatch(/mul|sdiv|lshr|umin|%v4, %v10/);
});

test('a comparison with a number beyond 16 bits stays', () => {
  const text = small(
    ...SUMS,
    ...TAIL,
    '%c = icmp slt i32 %s4, 40000',
    '%w = zext i1 %c to i8',
    'store i8 %w, ptr %z, align 1',
  );
  expect(text?.some((one) => one.startsWith('icmp slt i16'))).not.toBe(true);
});
