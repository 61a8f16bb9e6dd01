const SUCCESS = 0;
const NOT_FOUND = 500;

/** What a reference was told: by each routine's name without `cuTexRefSet` or `cuSurfRefSet`. */
export type FakeReference = Map<string, readonly unknown[]>;

/** The texture and surface references of a fake driver: those that a test has put in by their names. */
export function fakeReferences(
  put: (out: unknown, value: bigint) => number,
  bytesOf: (value: unknown) => Uint8Array,
): {
  readonly functions: Readonly<Record<string, (...args: never[]) => number>>;
  readonly references: Map<string, FakeReference>;
} {
  const references = new Map<string, FakeReference>();
  const names: string[] = [];
  const find = (out: unknown, _module: bigint, name: string): number => {
    if (!references.has(name)) return NOT_FOUND;
    if (!names.includes(name)) names.push(name);
    return put(out, BigInt(0x100 + names.indexOf(name)));
  };
  const told = (raw: bigint, routine: string, values: readonly unknown[]): number => {
    references.get(names[Number(raw) - 0x100] ?? '')?.set(routine, values);
    return SUCCESS;
  };
  const setters = ['Array', 'MipmappedArray', 'Format', 'FilterMode', 'MipmapFilterMode', 'MipmapLevelBias'];
  const others = ['MipmapLevelClamp', 'MaxAnisotropy', 'Flags'];
  const plain = [...setters, ...others].map((name) => [
    `cuTexRefSet${name}`,
    (raw: bigint, ...values: unknown[]) => told(raw, name, values),
  ]);
  const viewOf = (value: unknown): DataView => {
    const { buffer, byteOffset, byteLength } = bytesOf(value);
    return new DataView(buffer, byteOffset, byteLength);
  };
  const floats = (color: unknown): number[] => [0, 4, 8, 12].map((at) => viewOf(color).getFloat32(at, true));
  const functions = {
    cuModuleGetTexRef: find,
    cuModuleGetSurfRef: find,
    ...(Object.fromEntries(plain) as Record<string, (...args: never[]) => number>),
    cuTexRefSetAddressMode: (raw: bigint, axis: number, mode: number) => told(raw, `AddressMode ${axis}`, [mode]),
    cuTexRefSetBorderColor: (raw: bigint, color: unknown) => told(raw, 'BorderColor', floats(color)),
    cuTexRefSetAddress: (_offset: unknown, raw: bigint, ...values: unknown[]) => told(raw, 'Address', values),
    cuTexRefSetAddress2D: (raw: bigint, description: unknown, address: bigint, pitch: bigint) => {
      const view = viewOf(description);
      const sizes = [view.getBigUint64(0, true), view.getBigUint64(8, true)].map(Number);
      const format = [view.getInt32(16, true), view.getUint32(20, true)];
      return told(raw, 'Address2D', [...sizes, ...format, address, pitch]);
    },
    cuSurfRefSetArray: (raw: bigint, ...values: unknown[]) => told(raw, 'Array', values),
  };
  return { functions, references };
}
