import { expect, test } from '@jest/globals';
import { parseModule, type IrFunction } from '../../../../src/cpu/compiler/ir/module.ts';
import { planKernel } from '../../../../src/cpu/compiler/regions/plan.ts';
import { StripSlopes } from '../../../../src/cpu/compiler/regions/strip-slopes.ts';
import { stripOf, withoutLooks } from '../../../../src/cpu/compiler/regions/strips.ts';

// SCALAR, THREADS and BLOCKS of `Does`.
const KIND = 8 + 32 + 64;
const READ = `call ptr @__rk_memory(ptr %at, i32 4, i32 4, i32 0, i32 ${KIND}, i64 0)`;

/** What is made of a kernel whose lines make the address `%at`, which it reads. */
function stripOfReading(lines: readonly string[], look = READ): string | undefined {
  const body = [
    '%t = call i32 @__rt_id_tx()',
    ...lines,
    `%q = ${look}`,
    '%x = load float, ptr %q, align 4',
    'ret void',
  ];
  const text = body.map((line) => (line.endsWith(':') ? line : `  ${line}`)).join('\n');
  const module = parseModule(`define void @k(ptr %p, i32 %n) {\n${text}\n}`);
  const plan = planKernel(module.functions[0] as IrFunction, module.types);
  expect(
    withoutLooks(plan)
      .blocks.flatMap(({ instructions }) => instructions.map((one) => one.text))
      .join(),
  ).not.toContain('@__rk_');
  return stripOf(plan, 0, new StripSlopes(plan), () => false)?.lines.join('\n');
}

const element = (index: string): string[] => [
  `%w = sext i32 ${index} to i64`,
  '%at = getelementptr float, ptr %p, i64 %w',
];

test('threads that access neighbouring elements are looked at together', () => {
  const strip = stripOfReading(['%i = add i32 %t, %n', ...element('%i')]);
  expect(strip).toMatch(/call i1 @__rk_strip_memory\(ptr %v\d+\.a, i64 4, i32 %rt\.count, i32 4, i32 4,/);
  expect(strip).toMatch(/call void @__rk_note_memory\(ptr %v\d+\.a, i64 4,/);
  // Without races on global memory there is nothing to record of a read.
  const unraced = READ.replace(`i32 ${KIND}`, 'i32 8');
  expect(stripOfReading(['%i = add i32 %t, %n', ...element('%i')], unraced)).not.toContain('__rk_note');
  // An index that comes around the end of its type in between is not steady.
  expect(strip).toMatch(/icmp sle i32 %v\d+\.a, %v\d+\.b/);
});

test.each([
  ['by a step that is known at run time only', ['%i = mul i32 %t, %n', ...element('%i')]],
  ['where another read says', ['%r = load i32, ptr %p, align 4', ...element('%r')]],
  ['in steps that overlap', ['%w = sext i32 %t to i64', '%at = getelementptr i8, ptr %p, i64 %w']],
])('threads that access memory %s are looked at one by one', (_, lines) => {
  expect(stripOfReading(lines)).toBeUndefined();
});

test('atomic and volatile accesses are looked at one by one', () => {
  for (const does of [2, 4])
    expect(stripOfReading(element('%t'), READ.replace(`i32 ${KIND}`, `i32 ${KIND + does}`))).toBeUndefined();
});
