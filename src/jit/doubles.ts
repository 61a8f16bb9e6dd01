import type { DeviceFacts } from '../array/engine.ts';
import { expressionsOf } from './emit/effects.ts';
import { JitError } from './error.ts';
import { settled, type KernelType } from './kernel-type.ts';
import { childrenOf } from './read/effect.ts';
import type { Expression, FunctionTree, Span } from './tree.ts';

/**
 * Refuse a kernel that computes in `f64` for a device that has none, at the first place that does. Otherwise the compiler of the
 * device would speak of the C.
 *
 * @throws {@link JitError}
 */
export function checkDoubles(tree: FunctionTree, facts: Pick<DeviceFacts, 'hasDoubles' | 'name'>): void {
  if (facts.hasDoubles) return;
  const place = placeOfDoubles(tree);
  if (place)
    throw new JitError(
      `${facts.name} has no 64-bit floats, and this is f64: compute in f32, as cuda.float32(x) and cuda.random.xoroshiro128pUniformFloat32(states, i) are, or on the embedded CPU device`,
      tree.origin,
      place,
    );
  for (const callee of tree.callees) checkDoubles(callee, facts);
}

/** Parameters first, then what the body computes, in its order. Constants are written in the type that takes them. */
function placeOfDoubles({ parameters, body, variables }: FunctionTree): Span | undefined {
  const all = body.flatMap((statement) => expressionsOf(statement));
  return (
    parameters.find(({ type }) => hasDouble(type))?.span ??
    all.map(firstDouble).find((one) => one !== undefined) ??
    variables.find(({ type }) => hasDouble(type))?.span
  );
}

/** An expression that is one, and none of whose parts is one before. */
function firstDouble(expression: Expression): Span | undefined {
  const inner = childrenOf(expression)
    .map(firstDouble)
    .find((one) => one !== undefined);
  return inner ?? (expression.kind !== 'constant' && hasDouble(expression.type) ? expression : undefined);
}

function hasDouble(type: KernelType): boolean {
  switch (type.kind) {
    case 'scalar':
      return settled(type).name === 'f64';
    case 'array':
      return typeof type.element === 'string' ? type.element === 'f64' : hasDouble(type.element);
    case 'struct':
      return type.fields.some(([, field]) => hasDouble(field));
    case 'tuple':
      return type.items.some(hasDouble);
    default:
      return false;
  }
}
