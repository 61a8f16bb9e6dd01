import { describe, expect, test } from '@jest/globals';
import { withLanes } from '../../../../src/cpu/compiler/regions/lanes.ts';

const HEAD =
  'define internal i32 @k.region0(ptr %p, float %f, i32 %n, i32 %rt.tx, i32 %rt.lin) alwaysinline nounwind {';

/** The code for four threads; undefined where there is none. */
function lanes(...lines: readonly string[]): string | undefined {
  const code = [HEAD, 'entry:', ...lines.map((line) => (line.endsWith(':') ? line : `  ${line}`)), '  ret i32 0', '}'];
  return withLanes(code, new Map(), 'define internal i32 @k.lanes0', '')?.join('\n');
}

const ROW = ['%i = zext i32 %rt.tx to i64', '%a = getelementptr inbounds float, ptr %p, i64 %i'];

describe('the code of four threads', () => {
  test('has the head and the parameters of that for one', () => {
    expect(lanes('%x = add i32 %n, 1')).toMatch(
      /^define internal i32 @k\.lanes0\(ptr %v0, float %v1, i32 %v2, i32 %v3, i32 %v4\) alwaysinline nounwind \{\n/,
    );
  });

  test('reads and writes rows as vectors, with the alignment of one element', () => {
    const text = lanes(
      ...ROW,
      '%x = load float, ptr %a, align 4, !tbaa !7',
      '%y = fmul contract float %x, %f',
      'store float %y, ptr %a, align 4',
    );
    expect(text).toContain('%v7.w = load <4 x float>, ptr %v6, align 4, !tbaa !7');
    expect(text).toContain('%v8.w = fmul contract <4 x float> %v7.w, %v1.s');
    expect(text).toContain('store <4 x float> %v8.w, ptr %v6, align 4');
    expect(text).not.toContain('store float');
  });

  test('reads once what is the same for the four', () => {
    const text = lanes('%x = load float, ptr %p, align 4', ...ROW, 'store float %x, ptr %a, align 4');
    expect(text).toContain('%v5 = load float, ptr %v0, align 4');
    expect(text).not.toContain('load <4 x');
    expect(text).toContain('store <4 x float> %v5.s, ptr %v7');
  });

  test('reads places apart one by one', () => {
    const text = lanes(
      '%s = mul i32 %rt.tx, %n',
      '%i = sext i32 %s to i64',
      '%a = getelementptr i32, ptr %p, i64 %i',
      '%x = load i32, ptr %a, align 4',
      'store i32 %x, ptr %a, align 4',
    );
    expect(text?.match(/ = load i32, ptr %v8\.\d/g)).toHaveLength(4);
    expect(text?.match(/store i32 \S+, ptr \S+, align 4/g)).toHaveLength(4);
  });

  test('writes the last value of those for one place', () => {
    const text = lanes('store i32 %rt.tx, ptr %p, align 4');
    expect(text).toContain('extractelement <4 x i32> %v3.w, i64 3');
    expect(text?.match(/store/g)).toHaveLength(1);
  });

  test('keeps loops whose condition is the same, with vectors in their phis', () => {
    const text = lanes(
      'br label %loop',
      'loop:',
      '%k = phi i32 [ 0, %entry ], [ %k1, %loop ]',
      '%sum = phi i32 [ %n, %entry ], [ %sum1, %loop ]',
      '%sum1 = add i32 %sum, %rt.tx',
      '%k1 = add i32 %k, 1',
      '%more = icmp slt i32 %k1, %n',
      'br i1 %more, label %loop, label %end',
      'end:',
      'store i32 %sum1, ptr %p, align 4',
    );
    expect(text).toContain('%v6.w = phi <4 x i32> [ %v2.s, %b0 ], [ %v7.w, %b1 ]');
    expect(text).not.toContain('%v5.w');
    expect(text).toContain('br i1 %v9, label %b1, label %b2');
  });

  test('has selections, comparisons, conversions and functions of vectors', () => {
    const text = lanes(
      '%c = icmp samesign ult i32 %rt.tx, 7',
      '%z = zext i1 %c to i32',
      '%s = select i1 %c, i32 %rt.tx, i32 5',
      '%o = icmp eq i32 %n, 0',
      '%t = select i1 %o, i32 %s, i32 %z',
      '%m = tail call noundef range(i32 0, 9) i32 @llvm.umin.i32(i32 %t, i32 8)',
      '%q = uitofp nneg i32 %m to float',
      '%r = call float @llvm.sqrt.f32(float %q)',
      'store float %r, ptr %p, align 4',
    );
    expect(text).toContain('icmp samesign ult <4 x i32> %v3.w, splat (i32 7)');
    expect(text).toContain('zext <4 x i1> %v5.w to <4 x i32>');
    expect(text).toContain('select <4 x i1> %v5.w, <4 x i32> %v3.w, <4 x i32> splat (i32 5)');
    expect(text).toContain('select i1 %v8, <4 x i32> %v7.w, <4 x i32> %v6.w');
    expect(text).toContain('call <4 x i32> @llvm.umin.v4i32(<4 x i32> %v9.w, <4 x i32> splat (i32 8))');
    expect(text).toContain('uitofp nneg <4 x i32> %v10.w to <4 x float>');
    expect(text).toContain('call <4 x float> @llvm.sqrt.v4f32(<4 x float> %v11.w)');
  });

  test('computes one by one what vectors cannot', () => {
    const text = lanes(
      '%d = sdiv i32 %rt.tx, %n',
      '%e = call float @llvm.exp.f32(float %f)',
      'store i32 %d, ptr %p, align 4',
    );
    expect(text?.match(/ = sdiv i32 %v5\.\d\.v3, %v2/g)).toHaveLength(4);
    expect(text?.match(/llvm\.exp/g)).toHaveLength(1);
  });

  test('has variables of each thread', () => {
    const text = lanes(
      '%x.slot = alloca i32',
      'store i32 %rt.tx, ptr %x.slot',
      '%y = load i32, ptr %x.slot',
      'store i32 %y, ptr %p, align 4',
    );
    expect(text).toContain('%v5 = alloca <4 x i32>');
    expect(text).toContain('store <4 x i32> %v3.w, ptr %v5');
    expect(text).toContain('%v6.w = load <4 x i32>, ptr %v5');
  });
});

describe('there is no code for four threads', () => {
  test.each<[string, string[]]>([
    [
      'that go different ways',
      ['%c = icmp eq i32 %rt.tx, 0', 'br i1 %c, label %on, label %on2', 'on:', 'br label %on2', 'on2:'],
    ],
    ['with arrays of their own', ['%x = alloca [4 x i32]']],
    [
      'whose variables have addresses that go elsewhere',
      ['%x = alloca i32', 'store i32 %rt.tx, ptr %x', 'store ptr %x, ptr %p'],
    ],
    ['with vectors', ['%x = insertelement <4 x i32> poison, i32 %rt.tx, i64 0']],
    ['with volatile accesses', [...ROW, '%x = load volatile float, ptr %a, align 4']],
    ['with atomic operations', [...ROW, '%x = atomicrmw add ptr %a, i32 1 monotonic, align 4']],
    [
      'with pointers that are chosen',
      [...ROW, '%c = icmp eq i32 %n, 0', '%x = select i1 %c, ptr %a, ptr %p', 'store i32 1, ptr %x'],
    ],
    ['that call functions', [...ROW, 'call void @f(ptr %a)']],
    ['that count together', ['%x = atomicrmw add ptr %p, i32 1 monotonic, align 4']],
  ])('%s', (_, lines) => {
    expect(lanes(...lines)).toBeUndefined();
  });

  test('whose accesses have an order', () => {
    const code = (mark: string): string[] => [
      HEAD,
      'entry:',
      `  store i32 %rt.tx, ptr %p, align 4${mark}`,
      '  ret i32 0',
      '}',
    ];
    const group = ', !llvm.access.group !90';
    expect(withLanes(code(group), new Map(), 'define i32 @l', group)).toBeDefined();
    expect(withLanes(code(''), new Map(), 'define i32 @l', group)).toBeUndefined();
  });
});
