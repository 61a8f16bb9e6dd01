/** The most work-items that a call on a GPU that others use may ask for: a kernel that does nothing takes a second for them. */
const MAX_WORK = 2 ** 30;
/** Elements of what may be a shape. */
const MAX_DIMENSIONS = 4;

/**
 * Whether a call may ask for more work-items than a GPU that others use should get. Whatever in its arguments may be a
 * shape is taken for one: the product of all numbers in lists, small arrays and options, and of the arguments themselves.
 */
export function asksTooMuch(args: readonly unknown[]): boolean {
  return workOf(args, 0) > MAX_WORK;
}

function workOf(value: unknown, depth: number): number {
  if (typeof value === 'bigint') return Math.max(1, Number(value));
  if (typeof value === 'number') return value >= 1 ? value : 1;
  if (typeof value !== 'object' || value === null || depth > MAX_DIMENSIONS) return 1;
  try {
    return partsOf(value, depth).reduce<number>((product, part) => product * workOf(part, depth + 1), 1);
  } catch {
    // A value that throws where it is looked at is not a shape.
    return 1;
  }
}

function partsOf(value: object, depth: number): readonly unknown[] {
  // The arguments themselves are more than a shape has.
  if (Array.isArray(value)) return depth === 0 || value.length <= MAX_DIMENSIONS ? value : [];
  if (ArrayBuffer.isView(value)) {
    const elements = value as Uint8Array;
    return elements.length <= MAX_DIMENSIONS ? [...elements] : [];
  }
  const made: unknown = value.constructor;
  if (made !== undefined && made !== Object) return [];
  const parts: unknown[] = [];
  // Options may be inherited.
  for (const key in value) parts.push(optionOf(value, key));
  return parts;
}

function optionOf(options: object, key: string): unknown {
  try {
    return (options as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}
