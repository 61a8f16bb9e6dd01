/** Types of values. */
export const Type = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b, funcref: 0x70, externref: 0x6f } as const;

export type TypeName = keyof typeof Type;

/** An unsigned number, in more bytes than it needs where a width is given, as a linker leaves it. */
export function unsigned(value: number | bigint, width = 1): number[] {
  const bytes: number[] = [];
  let rest = BigInt(value);
  do {
    const more = rest >= 0x80n || bytes.length + 1 < width;
    bytes.push(Number(rest & 0x7fn) | (more ? 0x80 : 0));
    rest >>= 7n;
  } while (rest > 0n || bytes.length < width);
  return bytes;
}

/** A signed number. */
export function signed(value: number | bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt(value);
  while (rest < -0x40n || rest >= 0x40n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return [...bytes, Number(rest & 0x7fn)];
}

export function counted(bytes: readonly number[]): number[] {
  return [...unsigned(bytes.length), ...bytes];
}

export function name(text: string): number[] {
  return counted([...new TextEncoder().encode(text)]);
}

export function list(entries: readonly (readonly number[])[]): number[] {
  return [...unsigned(entries.length), ...entries.flat()];
}

export function functionType(parameters: readonly TypeName[], results: readonly TypeName[]): number[] {
  return [0x60, ...list(parameters.map((type) => [Type[type]])), ...list(results.map((type) => [Type[type]]))];
}

/** A function's locals and code. */
export function body(locals: readonly TypeName[], code: readonly number[]): number[] {
  return counted([...list(locals.map((type) => [1, Type[type]])), ...code, 0x0b]);
}

/** A module of sections: each its number, and what is in it. */
export function wasmOf(...sections: readonly (readonly [id: number, content: readonly number[]])[]): Uint8Array {
  const bytes = sections.flatMap(([id, content]) => [id, ...counted(content)]);
  return Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, ...bytes);
}
