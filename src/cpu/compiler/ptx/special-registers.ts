import { typeOf, type PtxType } from './ptx-type.ts';

/** Registers that are indices and sizes, by the letter of their functions. */
const PLACES: Readonly<Record<string, string>> = { '%tid': 't', '%ntid': 'd', '%ctaid': 'b', '%nctaid': 'g' };

/** Registers that functions of the library give, with their types. */
const GIVEN: Readonly<Record<string, readonly [name: string, type: string, shift?: number]>> = {
  '%laneid': ['laneid', 'u32'],
  '%warpid': ['warpid', 'u32'],
  '%nwarpid': ['nwarpid', 'u32'],
  '%lanemask_eq': ['lanemask_eq', 'u32'],
  '%lanemask_lt': ['lanemask_lt', 'u32'],
  '%lanemask_le': ['lanemask_le', 'u32'],
  '%lanemask_gt': ['lanemask_gt', 'u32'],
  '%lanemask_ge': ['lanemask_ge', 'u32'],
  '%clock': ['clock', 'u32', 0],
  '%clock_hi': ['clock', 'u32', 32],
  '%clock64': ['clock', 'u64'],
  '%globaltimer': ['clock', 'u64'],
  '%globaltimer_lo': ['clock', 'u32', 0],
  '%globaltimer_hi': ['clock', 'u32', 32],
};

/** Where the instructions go. */
interface Emitter {
  call(name: string, result: string, args: readonly string[]): string;
  value(instruction: string): string;
}

/** The value of a special register; undefined for another name. */
export function specialRegister(
  writer: Emitter,
  name: string,
  component: string | undefined,
): { value: string; type: PtxType; ir: string } | undefined {
  const letter = PLACES[name];
  if (letter !== undefined && component !== undefined && /^[xyz]$/.test(component)) {
    return { value: writer.call(`__rt_id_${letter}${component}`, 'i32', []), type: typeOf('u32'), ir: 'i32' };
  }
  const [source, typeName, shift] = (component === undefined ? GIVEN[name] : undefined) ?? [];
  if (source === undefined || typeName === undefined) return undefined;
  const type = typeOf(typeName);
  if (shift === undefined) return { value: writer.call(`__ptx_${source}`, type.ir, []), type, ir: type.ir };
  const whole = writer.call(`__ptx_${source}`, 'i64', []);
  const moved = writer.value(`lshr i64 ${whole}, ${shift}`);
  return { value: writer.value(`trunc i64 ${moved} to i32`), type, ir: 'i32' };
}
