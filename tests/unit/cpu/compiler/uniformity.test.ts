import { describe, expect, test } from '@jest/globals';
import { leaveOf } from '../../../../src/cpu/compiler/regions/loops.ts';
import { parseModule, type IrFunction } from '../../../../src/cpu/compiler/ir/module.ts';
import { planKernel, type KernelPlan } from '../../../../src/cpu/compiler/regions/plan.ts';
import { END, postDominators } from '../../../../src/cpu/compiler/regions/post-dominators.ts';

describe('post-dominators', () => {
  const graph = (text: string): { name: string; successors: string[] }[] =>
    text.split(' ').map((edge) => {
      const [name = '', next = ''] = edge.split('>');
      return { name, successors: next === '' ? [] : next.split(',') };
    });

  test.each([
    ['a branch meets again', 'a>b,c b>d c>d d', { a: 'd', b: 'd', c: 'd', d: END }],
    ['a branch with an end of its own does not', 'a>b,c b>d c d', { a: END, b: 'd', c: END, d: END }],
    ['a loop goes on behind it', 'a>b b>c,d c>b d', { a: 'b', b: 'd', c: 'b', d: END }],
    ['a loop with two exits', 'a>b b>c,d c>b,e d>f e>f f', { a: 'b', b: 'f', c: 'f', d: 'f', e: 'f', f: END }],
    ['a loop without an end', 'a>b,c b>b c', { a: 'c', c: END }],
  ])('%s', (_, text, expected) => {
    expect(Object.fromEntries(postDominators(graph(text)))).toEqual(expected);
  });
});

const BARRIER = 'call void @__rt_barrier()';

function planOf(body: string): KernelPlan {
  const module = parseModule(`define void @k(ptr %p, i32 %n) {\n${body}\n}`);
  return planKernel(module.functions[0] as IrFunction, module.types);
}

/** The texts of the values that differ between threads. */
function divergent({ divergent: values, definitions }: KernelPlan): string[] {
  return [...values].map((value) => definitions.get(value)?.text.replace(/\(.*/, '') ?? '');
}

describe('values that are the same for all threads of a block', () => {
  test('indices of the block and values computed from them, but not loads', () => {
    const plan = planOf(`
  %t = call i32 @__rt_id_tx()
  %b = call i32 @__rt_id_bx()
  %s = mul i32 %b, %n
  %m = call i32 @llvm.smax.i32(i32 %s, i32 7)
  %o = add i32 %m, %t
  %l = load i32, ptr %p, align 4
  %u = add i32 %n, undef
  %c = call i32 @other(i32 %n)
  ret void`);
    expect(divergent(plan)).toEqual([
      'call i32 @__rt_id_tx',
      'add i32 %v5, %v2',
      'load i32, ptr %v0, align 4',
      'add i32 %v1, undef',
      'call i32 @other',
    ]);
  });

  test('the counter of a loop that all threads leave together', () => {
    const plan = planOf(`
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %j, %head ]
  ${BARRIER}
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %head, label %done
done:
  ret void`);
    expect(divergent(plan)).toEqual([]);
    expect(leaveOf(plan, 1)).toBe('uniform');
    expect(plan.uniform).toBe(true);
  });

  test('not the counter of a loop that threads leave one by one, nor values computed from it behind the loop', () => {
    const plan = planOf(`
  %t = call i32 @__rt_id_tx()
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %j, %head ]
  ${BARRIER}
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %t
  br i1 %c, label %head, label %done
done:
  %r = mul i32 %j, 3
  store i32 %r, ptr %p, align 4
  ret void`);
    expect(divergent(plan)).toContain('phi i32 [ 0, %b0 ], [ %v4, %b1k1 ]');
    expect(divergent(plan)).toContain('mul i32 %v4, 3');
    expect(leaveOf(plan, 1)).toBe('divergent');
    expect(plan.uniform).toBe(false);
  });

  test('not a value that depends on the way', () => {
    const plan = planOf(`
  %t = call i32 @__rt_id_tx()
  %c = icmp slt i32 %t, 5
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %x = phi i32 [ 1, %a ], [ 2, %0 ]
  %d = icmp eq i32 %n, 0
  br i1 %d, label %e, label %f
e:
  br label %f
f:
  %y = phi i32 [ 1, %b ], [ 2, %e ]
  ret void`);
    expect(divergent(plan)).toContain('phi i32 [ 1, %b1 ], [ 2, %b0 ]');
    expect(divergent(plan)).not.toContain('phi i32 [ 1, %b2 ], [ 2, %b3 ]');
  });
});

describe('values behind a branch that parts the threads', () => {
  test('are the same for those that go one way together', () => {
    const plan = planOf(`
  %t = call i32 @__rt_id_tx()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %pre, label %done
pre:
  br label %head
head:
  %i = phi i32 [ 0, %pre ], [ %j, %head ]
  %j = add i32 %i, 1
  %d = icmp slt i32 %j, 9
  br i1 %d, label %head, label %done
done:
  ret void`);
    expect(divergent(plan)).toEqual(['call i32 @__rt_id_tx', 'icmp slt i32 %v2, %v1']);
  });

  test('differ where two of its ways meet early', () => {
    const plan = planOf(`
  %t = call i32 @__rt_id_tx()
  switch i32 %t, label %x [
    i32 1, label %y
    i32 2, label %z
  ]
x:
  br label %y
y:
  %v = phi i32 [ 1, %0 ], [ 2, %x ]
  br label %w
z:
  br label %w
w:
  %u = phi i32 [ 1, %y ], [ 2, %z ]
  ret void`);
    expect(divergent(plan)).toContain('phi i32 [ 1, %b0 ], [ 2, %b1 ]');
    expect(divergent(plan)).toContain('phi i32 [ 1, %b2 ], [ 2, %b3 ]');
  });

  test('differ behind a loop in a loop, where threads leave either by one branch', () => {
    const plan = planOf(`
  %t = call i32 @__rt_id_tx()
  br label %outer
outer:
  %o = phi i32 [ 0, %0 ], [ %p1, %next ]
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %i1, %inner ]
  %i1 = add i32 %i, 1
  switch i32 %t, label %inner [
    i32 1, label %next
    i32 2, label %done
  ]
next:
  %k = mul i32 %i1, 3
  %p1 = add i32 %o, 1
  %c = icmp slt i32 %p1, %k
  br i1 %c, label %outer, label %done
done:
  ret void`);
    expect(divergent(plan)).toContain('mul i32 %v5, 3');
  });

  test('all differ where a loop is entered at two places', () => {
    const plan = planOf(`
  %c = icmp slt i32 %n, 5
  br i1 %c, label %a, label %b
a:
  %x = add i32 %n, 1
  br label %b
b:
  %d = icmp slt i32 %n, 7
  br i1 %d, label %a, label %done
done:
  ret void`);
    expect(divergent(plan).length).toBe(3);
  });
});

describe('ways out of a region', () => {
  test('threads that branch and meet before the barrier leave together', () => {
    const plan = planOf(`
  %t = call i32 @__rt_id_tx()
  br label %head
head:
  %d = phi i32 [ %n, %0 ], [ %h, %join ]
  %c = icmp slt i32 %t, %d
  br i1 %c, label %work, label %join
work:
  store i32 %d, ptr %p, align 4
  br label %join
join:
  ${BARRIER}
  %h = lshr i32 %d, 1
  %z = icmp eq i32 %h, 0
  br i1 %z, label %done, label %head
done:
  ret void`);
    expect(plan.uniform).toBe(true);
    expect(plan.contextBytes).toBe(plan.stateOffset);
  });

  test('threads that return while others continue do not', () => {
    const plan = planOf(`
  %t = call i32 @__rt_id_tx()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %work, label %done
work:
  ${BARRIER}
  store i32 %t, ptr %p, align 4
  br label %done
done:
  ret void`);
    expect(leaveOf(plan, 0)).toBe('divergent');
    expect(leaveOf(plan, 1)).toBe('only');
    expect(plan.uniform).toBe(false);
  });

  test('threads that fail go nowhere', () => {
    const plan = planOf(`
  %t = call i32 @__rt_id_tx()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %work, label %wrong
wrong:
  call void @llvm.trap()
  unreachable
work:
  ${BARRIER}
  %z = icmp eq i32 %n, 4
  br i1 %z, label %more, label %done
more:
  ${BARRIER}
  br label %done
done:
  ret void`);
    expect(plan.uniform).toBe(true);
  });

  test('a barrier for some threads of the warp has to be looked at', () => {
    const plan = planOf(`
  call void @__rt_warp_barrier(i32 noundef 15)
  ret void`);
    expect(plan.uniform).toBe(false);
  });
});
