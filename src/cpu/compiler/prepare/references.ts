import type { CpuReference } from '../../abi/program.ts';
import type { TypeNames } from '../ir/value-type.ts';

/** Where a mention of `texture<…>` or `surface<…>` in a source is: what it declares, or takes as a parameter. */
const MENTION = /\b(?:texture|surface)\s*<[^;{}()&|?]*>/;
/** A type, a function or a variable of the source's own that has such a name. */
const OWN = /\b(?:struct|class|union|enum|using|namespace)\s+(?:\w+\s+)*(?:texture|surface)\b/;

/** Whether a source and its headers have texture or surface references, which CUDA 12 no longer has. */
export function mentionsReferences(texts: (property: (text: string) => boolean) => boolean): boolean {
  return texts((text) => MENTION.test(text)) && !texts((text) => OWN.test(text));
}

const TYPE = /^%"?struct\.(texture|surface)(?:\.\d+)?"?$/;
/** `__rk_declared` of texture_references.h. */
const DECLARED = /\[0 x \[(\d+) x i8\]\]/;
const SIGNED = 1 << 25;
const READS_FLOATS = 1 << 26;
const IS_FLOAT = 1 << 24;

/** A texture or surface reference among a module's variables, by its type; undefined for any other variable. */
export function readReference(symbol: string, type: string, types: TypeNames): CpuReference | undefined {
  const kind = TYPE.exec(type)?.[1];
  const declared = kind === undefined ? undefined : DECLARED.exec(types.get(type) ?? '')?.[1];
  if (declared === undefined) return undefined;
  const bits = Number(declared);
  const common = { symbol, name: nameOf(symbol), form: bits & 255 };
  if (kind === 'surface') return { ...common, kind };
  const parts = (bits >> 8) & 255;
  // A type that no texture has: the source only declares the reference.
  if (parts === 0) return { ...common, kind: 'texture' };
  const number = bits & IS_FLOAT ? 'f' : bits & SIGNED ? 'i' : 'u';
  const element = { parts, partBytes: (bits >> 16) & 255, number, readsFloats: (bits & READS_FLOATS) !== 0 } as const;
  return { ...common, kind: 'texture', element };
}

/**
 * The definition of a reference: its first handle is its own address, where no object is, and its number follows. The host
 * writes the others. For the code the variable is a constant, so that reads of it leave loops.
 */
export function referenceLine(symbol: string, type: string, number: number, types: TypeNames): string {
  const declared = DECLARED.exec(types.get(type) ?? '')?.[0] ?? '';
  const value = `{ i64 ptrtoint (ptr @${symbol} to i64), i32 ${number}, i32 0, ${declared} zeroinitializer }`;
  return `@${symbol} = hidden externally_initialized constant ${type} ${value}, align 8`;
}

/** The name for the host: that of the symbol without what makes a `static` one of a file, as NVRTC names it. */
function nameOf(symbol: string): string {
  const plain = symbol.replace(/^"|"$/g, '');
  const single = /^_ZL(\d+)(\w+)$/.exec(plain);
  if (single?.[2]?.length === Number(single?.[1])) return single[2];
  if (!plain.startsWith('_ZN')) return plain;
  let name = '_ZN';
  for (let at = 3; at < plain.length;) {
    const [whole = '', , digits = ''] = /^(L?)(\d+)/.exec(plain.slice(at)) ?? [];
    if (whole === '') return name + plain.slice(at);
    const end = at + whole.length + Number(digits);
    name += digits + plain.slice(at + whole.length, end);
    at = end;
  }
  return name;
}
