export type Codes = Readonly<Record<string, string | undefined>>;

export function own(table: Codes, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

export const BUILTINS: Codes = {
  v: 'void',
  w: 'wchar_t',
  b: 'bool',
  c: 'char',
  a: 'signed char',
  h: 'unsigned char',
  s: 'short',
  t: 'unsigned short',
  i: 'int',
  j: 'unsigned int',
  l: 'long',
  m: 'unsigned long',
  x: 'long long',
  y: 'unsigned long long',
  n: '__int128',
  o: 'unsigned __int128',
  f: 'float',
  d: 'double',
  e: 'long double',
  g: '__float128',
};

export const D_BUILTINS: Codes = {
  h: '__fp16',
  s: 'char16_t',
  i: 'char32_t',
  u: 'char8_t',
  n: 'std::nullptr_t',
  a: 'auto',
  c: 'decltype(auto)',
  f: 'decimal32',
  d: 'decimal64',
  e: 'decimal128',
};

export const STANDARD: Codes = {
  a: 'std::allocator',
  b: 'std::basic_string',
  s: 'std::string',
  i: 'std::istream',
  o: 'std::ostream',
  d: 'std::iostream',
};

export const UNARY: Codes = { ng: '-', ps: '+', nt: '!', co: '~', ad: '&', de: '*' };

export const BINARY: Codes = {
  pl: '+',
  mi: '-',
  ml: '*',
  dv: '/',
  rm: '%',
  an: '&',
  or: '|',
  eo: '^',
  ls: '<<',
  rs: '>>',
  eq: '==',
  ne: '!=',
  lt: '<',
  gt: '>',
  le: '<=',
  ge: '>=',
  aa: '&&',
  oo: '||',
};

export const CALLS: Codes = {
  cl: '()',
  ix: '[]',
  aS: '=',
  pL: '+=',
  pp: '++',
  mm: '--',
};

export const QUALIFIERS: Codes = { V: ' volatile', K: ' const', R: ' &', O: ' &&' };
