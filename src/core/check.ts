/** Name a value, for an error: 'a string', 'an Array', 'NaN'. It never throws, and reads nothing long. */
export function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  switch (typeof value) {
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
      return `${shortDigits(value)}n`;
    case 'string':
      return `the string ${JSON.stringify(value.length > 20 ? `${value.slice(0, 20)}…` : value)}`;
    case 'boolean':
      return String(value);
    case 'function': {
      const name = nameProperty(value);
      return name === '' ? 'a function' : `the function ${name}`;
    }
    case 'object': {
      const name = className(value);
      return `${/^[AEIO]/i.test(name) ? 'an' : 'a'} ${name}`;
    }
    default:
      return `a ${typeof value}`;
  }
}

/** A bigint in a message; a very long one would fill the screen. */
function shortDigits(value: bigint): string {
  const limit = 1n << 256n;
  return value < limit && value > -limit ? String(value) : `${value < 0n ? '-' : ''}(more than 2^256)`;
}

/** The name of an object's class; a proxy may be revoked, and a property of that name may be anything. */
function className(value: object): string {
  try {
    const name = nameProperty(value.constructor);
    return name === '' ? 'object' : name;
  } catch {
    return 'object';
  }
}

function nameProperty(value: unknown): string {
  try {
    const name = (value as { readonly name?: unknown } | null | undefined)?.name;
    return typeof name === 'string' ? name.slice(0, 60) : '';
  } catch {
    return '';
  }
}

/**
 * Check a size, offset or count.
 *
 * @throws TypeError no number (a bigint is accepted up to 2^53)
 * @throws RangeError not an integer within the limits; the message names both
 */
export function checkInteger(value: unknown, what: string, min = 0, max: number = Number.MAX_SAFE_INTEGER): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number') throw new TypeError(`${what} must be a number, got ${nameOf(value)}`);
  if (!Number.isInteger(number) || number < min || number > max) {
    const limit = max === Number.MAX_SAFE_INTEGER ? `an integer >= ${min}` : `an integer from ${min} to ${max}`;
    throw new RangeError(`${what} must be ${limit}, got ${typeof value === 'bigint' ? shortDigits(value) : number}`);
  }
  return number;
}

/**
 * The same for a value that is used without conversion: a bigint among numbers would not do.
 *
 * @throws TypeError no number
 * @throws RangeError not an integer within the limits
 */
export function checkNumber(value: unknown, what: string, min?: number, max?: number): void {
  if (typeof value !== 'number') throw new TypeError(`${what} must be a number, got ${nameOf(value)}`);
  checkInteger(value, what, min, max);
}

/** Refuse unknown option names: a misspelt option would be ignored in silence. */
export function checkOptions(options: unknown, known: readonly string[], what: string): void {
  if (options === undefined) return;
  checkObject(options, what);
  for (const key of keysOf(options, what)) {
    if (!known.includes(key)) throw new TypeError(`${what} has no option '${key}'; it knows ${known.join(', ')}`);
  }
}

/** Refuse what has no options. */
export function checkObject(options: unknown, what: string): asserts options is object {
  if (typeof options === 'object' && options !== null && !ArrayBuffer.isView(options)) return;
  throw new TypeError(`${what} must be an options object, got ${nameOf(options)}`);
}

/** The same as {@link checkOptions} where something has to be given. */
export function checkGiven(options: unknown, known: readonly string[], what: string): void {
  if (options === undefined) throw new TypeError(`${what} must be an options object, got undefined`);
  checkOptions(options, known, what);
}

function keysOf(options: object, what: string): readonly string[] {
  try {
    return Object.keys(options);
  } catch (cause) {
    throw new TypeError(`${what} cannot read its options object: it is a proxy that refuses`, { cause });
  }
}
