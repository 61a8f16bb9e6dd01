import { expect, test } from '@jest/globals';
import { parseModule, type IrFunction } from '../../../../src/cpu/compiler/ir/module.ts';
import { planKernel } from '../../../../src/cpu/compiler/regions/plan.ts';
import { isMixed, isNarrow, isWide } from '../../../../src/cpu/compiler/regions/width.ts';

/** A kernel whose threads each go through a loop; the lines stand in it. */
const looped = (lines: readonly string[], most = '%n'): string => `
  %t = call i32 @__rt_id_tx()
  %w = zext i32 %t to i64
  %own = getelementptr inbounds float, ptr %p, i64 %w
  br label %head
head:
  %i = phi i64 [ 0, %0 ], [ %j, %head ]
  ${lines.join('\n  ')}
  %j = add nuw nsw i64 %i, 1
  %k = trunc i64 %j to i32
  %c = icmp slt i32 %k, ${most}
  br i1 %c, label %head, label %done
done:
  ret void`;

const SUM = ['%x = load float, ptr %a, align 4', '%s = fadd float %x, %x', '%u = fmul float %s, %x'];

function wide(body: string): boolean {
  const module = parseModule(`define void @k(ptr %p, ptr %q, i32 %n) {\n${body}\n}`);
  return isWide(planKernel(module.functions[0] as IrFunction, module.types), new Map());
}

test.each([
  ['rows that threads read side by side', ['%a = getelementptr inbounds float, ptr %own, i64 %i', ...SUM], true],
  [
    'a number that all read and each adds to its own',
    [
      '%a = getelementptr inbounds float, ptr %q, i64 %i',
      ...SUM,
      '%f = uitofp i64 %w to float',
      '%v = fadd float %u, %f',
    ],
    true,
  ],
  ['what is the same for all', ['%a = getelementptr inbounds float, ptr %q, i64 %i', ...SUM], false],
  [
    'numbers that lie apart',
    ['%m = mul i64 %w, 40', '%a = getelementptr inbounds float, ptr %q, i64 %m', ...SUM],
    false,
  ],
  [
    'an atomic operation',
    ['%a = getelementptr inbounds float, ptr %own, i64 %i', '%y = atomicrmw add ptr %q, i32 1 monotonic', ...SUM],
    false,
  ],
  [
    'a volatile read',
    ['%a = getelementptr inbounds float, ptr %own, i64 %i', '%y = load volatile i32, ptr %q, align 4', ...SUM],
    false,
  ],
  ['a call', ['%a = getelementptr inbounds float, ptr %own, i64 %i', 'call void @f()', ...SUM], false],
  ['products of 64 bits', ['%a = add i64 %i, %w', '%b = mul i64 %a, %a', '%d = xor i64 %b, %i'], false],
])('a loop over %s: %p', (_, lines, expected) => {
  expect(wide(looped(lines))).toBe(expected);
});

test('a loop with thousands of instructions, for which LLVM would take long', () => {
  const steps = (n: number): string[] => Array.from({ length: n }, (_, i) => `%x${i} = fmul float %u, ${i}.0`);
  const row = ['%a = getelementptr inbounds float, ptr %own, i64 %i', ...SUM];
  expect(wide(looped([...row, ...steps(2900)]))).toBe(true);
  expect(wide(looped([...row, ...steps(3100)]))).toBe(false);
});

test('a loop that threads leave one by one', () => {
  expect(wide(looped(['%a = getelementptr inbounds float, ptr %q, i64 %i', ...SUM], '%t'))).toBe(false);
});

test('without a loop it takes much arithmetic', () => {
  const straight = (steps: number): string =>
    [
      '%t = call i32 @__rt_id_tx()',
      '%w = zext i32 %t to i64',
      '%own = getelementptr inbounds float, ptr %p, i64 %w',
      '%x0 = load float, ptr %own, align 4',
      ...Array.from({ length: steps }, (_, i) => `%x${i + 1} = fmul float %x${i}, %x0`),
      `store float %x${steps}, ptr %own, align 4`,
      'ret void',
    ]
      .map((line) => `  ${line}`)
      .join('\n');
  expect(wide(straight(100))).toBe(true);
  expect(wide(straight(10))).toBe(false);
});

test.each([
  ['bytes for numbers of 32 bits', 'i8', 'sext i8 %x to i32', '%t', true],
  ['numbers as wide as the computation', 'i32', 'add i32 %x, 0', '%t', false],
  ['bytes at places that memory gives', 'i8', 'sext i8 %x to i32', '%far', false],
])('threads go four by four through %s: %p', (_, type, larger, index, expected) => {
  const body = `
  %t = call i32 @__rt_id_tx()
  %own = zext i32 %t to i64
  %list = getelementptr inbounds i32, ptr %q, i64 %own
  %far = load i32, ptr %list, align 4
  %w = zext i32 ${index} to i64
  %a = getelementptr inbounds ${type}, ptr %p, i64 %w
  %x = load ${type}, ptr %a, align 1
  %y = ${larger}
  %z = add i32 %y, %n
  %b = getelementptr inbounds i32, ptr %q, i64 %w
  store i32 %z, ptr %b, align 4
  ret void`;
  const module = parseModule(`define void @k(ptr %p, ptr %q, i32 %n) {\n${body}\n}`);
  expect(isMixed(planKernel(module.functions[0] as IrFunction, module.types), new Map())).toBe(expected);
});

test.each([
  ['a hash', ['%m = mul i64 %v, -4658895280553007687', '%r = xor i64 %m, %v'], true],
  ['a hash between much else', ['%m = mul i64 %v, 7', ...chain(12), '%r = xor i64 %m, %e11'], false],
  ['an index', ['%m = mul i64 %own, %n', '%r = xor i64 %m, %v'], false],
  ['sums', ['%m = add i64 %v, 7', '%r = xor i64 %m, %v'], false],
])('threads go one by one through %s: %p', (_, lines, expected) => {
  const body = `
  %t = call i32 @__rt_id_tx()
  %own = zext i32 %t to i64
  %a = getelementptr inbounds i64, ptr %p, i64 %own
  %v = load i64, ptr %a, align 8
  ${lines.join('\n  ')}
  store i64 %r, ptr %a, align 8
  ret void`;
  const module = parseModule(`define void @k(ptr %p, i64 %n) {\n${body}\n}`);
  expect(isNarrow(planKernel(module.functions[0] as IrFunction, module.types))).toBe(expected);
});

/** Steps of 64 bits, each with what the last one gives. */
function chain(length: number): string[] {
  return Array.from({ length }, (_, i) => `%e${i} = add i64 ${i === 0 ? '%v' : `%e${i - 1}`}, %v`);
}
