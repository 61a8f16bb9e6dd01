/** A scalar type of OpenCL C. */
export interface BuiltinType {
  /** LLVM's. */
  readonly ir: string;
  readonly bytes: number;
  /** The attribute of a parameter of the type in WebAssembly's calling convention. */
  readonly extension: string;
}

const plain = (ir: string, bytes: number): BuiltinType => ({ ir, bytes, extension: '' });
const small = (ir: string, bytes: number, extension: string): BuiltinType => ({ ir, bytes, extension });

const TYPES: Readonly<Record<string, BuiltinType>> = {
  b: small('i1', 1, 'zeroext '),
  c: small('i8', 1, 'signext '),
  a: small('i8', 1, 'signext '),
  h: small('i8', 1, 'zeroext '),
  s: small('i16', 2, 'signext '),
  t: small('i16', 2, 'zeroext '),
  i: plain('i32', 4),
  j: plain('i32', 4),
  l: plain('i64', 8),
  m: plain('i64', 8),
  x: plain('i64', 8),
  Dh: plain('half', 2),
  f: plain('float', 4),
  d: plain('double', 8),
};

/** The type with a letter of mangled names; undefined for a type with members or without a size. */
export function builtinType(code: string): BuiltinType | undefined {
  return TYPES[code];
}
