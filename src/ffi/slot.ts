import { kindOf, type Content, type CTypes, type Kind, type OwnType, type Slot } from './ctype.ts';

/** Makes slots for C's own types and those of a table. */
export type SlotMaker<Types> = <Name extends OwnType | (keyof Types & string)>(name: Name) => Slot<Name, Types>;

type SlotArray =
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

const arrays: Readonly<Partial<Record<Kind, new (length: number) => SlotArray>>> = {
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  usize: BigUint64Array,
  handle: BigUint64Array,
  object: BigUint64Array,
};

/** How slots are made for the functions of a table with these C types. A slot is made once and used for many calls. */
export function slotsOf<Types extends CTypes>(types: Types): SlotMaker<Types> {
  return (name) => {
    const SlotClass = arrays[kindOf(name, types)];
    if (!SlotClass) throw new TypeError(`A slot holds a number or a handle; ${name} is neither`);
    return new SlotClass(1) as unknown as Slot<typeof name, Types>;
  };
}

/** The value that a function wrote into a slot. */
export function take<Value>(slot: Content<string, Value>): Value {
  return (slot as unknown as ArrayLike<Value>)[0] as Value;
}
