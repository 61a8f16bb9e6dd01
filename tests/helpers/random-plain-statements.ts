/** What makes a random expression of a type, over the names that are known. */
export interface PlainWriter {
  readonly below: (count: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
  readonly x: (type: 'i32' | 'f64' | 'bool') => string;
}

/**
 * Statements that change `s`, an integer of 32 bits, and `t`, a float, by way of objects, lists, patterns, `switch` and exchanges. They
 * mean in a kernel what they mean in JavaScript: no object has two names, since a kernel has copies.
 */
const FORMS: readonly ((writer: PlainWriter) => string)[] = [
  ({ x }) => `const p = { a: ${x('i32')}, in: { b: ${x('f64')}, c: ${x('i32')} } }; p.in.c = (p.a ^ ${x('i32')}); p.a = (p.a + (p.in.c & 255) | 0); s = (p.a ^ p.in.c); t = p.in.b;`,
  ({ x, pick }) => `let q = { n: ${x('i32')}, v: ${x('f64')} }; if (${x('bool')}) q = { v: ${x('f64')}, n: ${x('i32')} }; q.v ${pick(['+=', '-=', '*=', '='])} ${x('f64')}; s ^= q.n; t = q.v;`,
  ({ x }) => `const { a, in: { b: u, c: [d, e] } } = { a: ${x('i32')}, in: { c: [${x('i32')}, ${x('f64')}], b: ${x('f64')} } }; s = (a + d | 0); t = u - e;`,
  ({ x }) => `const [a, , [b, c]] = [${x('f64')}, ${x('i32')}, [${x('i32')}, ${x('f64')}]]; t = a * c; s = (s - b | 0);`,
  ({ x, pick }) => `const l = [${x('i32')}, ${x('i32')}, ${x('i32')}, ${x('i32')}]; l[${x('i32')} & 3] ${pick(['=', '^=', '|='])} ${x('i32')}; let m = 0; for (const v of l) m = (m * 31 + v | 0); s = (m ^ l[s & 3]);`,
  ({ x }) => `const w = [${x('f64')}, ${x('f64')}, ${x('f64')}]; for (let j = 0; j < 3; j++) if (${x('bool')}) w[j] = w[2 - j] + ${x('f64')}; t = w[(s & 1) + 1] - w[0];`,
  ({ x }) => `const g = [[${x('i32')}, ${x('i32')}], [${x('i32')}, ${x('i32')}]]; g[s & 1][${x('i32')} & 1] = ${x('i32')}; s = (g[0][1] ^ g[1][s & 1]) + (g.length & 1) | 0;`,
  ({ x }) => `const r = [{ k: ${x('i32')}, z: ${x('f64')} }, { k: ${x('i32')}, z: ${x('f64')} }]; r[s & 1].z = ${x('f64')}; r[1].k ^= s; s = (r[0].k ^ r[${x('i32')} & 1].k); t = r[s & 1].z;`,
  ({ x, pick }) => `switch (${x('i32')} & 3) { case 0: s = ${x('i32')}; ${pick(['break;', ''])} default: t = ${x('f64')}; ${pick(['break;', ''])} case 2: s ^= ${x('i32')}; ${pick(['break;', ''])} case 1: t -= ${x('f64')}; }`,
  ({ x }) => `switch (${x('f64')}) { case 0: s ^= 5; break; case ${x('f64')}: s = ${x('i32')}; case NaN: t = ${x('f64')}; break; default: s ^= ${x('i32')}; }`,
  ({ x }) => `switch (true) { case ${x('bool')}: s = ${x('i32')}; break; case ${x('bool')}: t = ${x('f64')}; }`,
  ({ x }) => `s = [${x('i32')}, ${x('i32')}, ${x('i32')}][${x('i32')} & 1]; t = { y: ${x('f64')}, z: ${x('i32')} }.y;`,
  ({ x, pick }) => `let n = ${x('i32')}; for (let j = 0; j < 4; j++) { ${pick(['s = (s ^ n++ | 0)', 's = (n-- ^ s)', 'n ^= s, s = (s + (n & 1023) | 0)'])}; if (${x('bool')}) continue; t = (n & 7) * 0.5 - t; } s ^= n;`.replace('let n = ', 'let n = 1023 & '),
  ({ x }) => `let [n, u] = [${x('i32')}, ${x('f64')}]; for (let j = 0; j < 3; j++) { [s, n] = [n ^ j, s]; if (${x('bool')}) [t, u] = [u, ${x('f64')}]; }`,
  ({ x }) => `const l = [${x('i32')}, ${x('i32')}, ${x('i32')}, s]; let k = 0; [l[k++], s, l[k++], l[${x('i32')} & 3]] = [l[2], l[k], l[s & 3], ${x('i32')}]; [l[0], l[1]] = l; s = (s ^ l[0] ^ l[k + 1]);`,
  ({ x }) => `const p = { a: ${x('i32')}, b: [${x('f64')}, ${x('f64')}] }; ({ b: [, t], a: s } = p); [p.b[1], [p.a, p.b[0]]] = [p.b[0], [s, t]]; t = p.b[0] - p.b[1]; s ^= p.a;`,
]; // prettier-ignore

/** One of these statements, in a block of its own. */
export function plainStatement(writer: PlainWriter): string {
  return `{ ${writer.pick(FORMS)(writer)} }`;
}
