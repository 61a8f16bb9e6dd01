import { expect, test } from '@jest/globals';
import { poclFault } from '../../../../src/opencl/program/pocl-binary.ts';

const word = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
const wide = (value: number): Buffer => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value: string): Buffer => Buffer.concat([word(value.length), Buffer.from(value)]);

const HAS_VARIABLES = 2;
const HAS_GROUP_SIZES = 2;
const HAS_SUBGROUP_SIZES = 4;

/** A binary as PoCL writes it in a format: one kernel with two parameters, and what is kept of its builds. */
function binary(format: number, flags = 0): Buffer {
  const files = Buffer.concat([text('/f/0-0-0/f.so'), text('code')]);
  const parameters = Buffer.concat(
    ['a', 'count'].flatMap((name) => [Buffer.alloc(24), text(name), text(name === 'a' ? 'int*' : 'int')]),
  );
  const sizes = [
    ...(flags & HAS_SUBGROUP_SIZES ? [Buffer.alloc(8)] : []),
    ...(flags & HAS_GROUP_SIZES ? [Buffer.alloc(20)] : []),
  ];
  const about = Buffer.concat([
    ...[text('f'), word(2), word(1), Buffer.alloc(24), wide(64), text('')],
    ...[word(3), word(flags), ...sizes],
  ]);
  const bytes = 20 + about.length + parameters.length + files.length;
  const entry = Buffer.concat([text('/program.bc'), text('BC')]);
  return Buffer.concat([
    Buffer.from('poclbin\0'),
    ...[wide(7), word(format), word(1)],
    wide(format > 9 ? HAS_VARIABLES : 0),
    ...[word(1), Buffer.from(`AB/${'C'.repeat(37)}\0`)],
    ...(format > 9 ? [wide(16)] : []),
    ...[wide(entry.length), entry],
    ...[wide(bytes), wide(files.length), word(parameters.length), about, parameters, files],
  ]);
}

const formats: readonly (readonly [driver: string, format: number, flags: number])[] = [
  ['3.1+debian', 9, 0],
  ['5.0+debian', 11, 0],
  ['6.0', 11, HAS_GROUP_SIZES],
  ['7.1', 11, HAS_GROUP_SIZES | HAS_SUBGROUP_SIZES],
  ['8.0', 11, HAS_SUBGROUP_SIZES],
];

test.each(formats)('PoCL %s, format %i, flags %i: sound, and damaged where sizes are', (driver, format, flags) => {
  const whole = binary(format, flags);
  expect(poclFault(whole, driver)).toBeUndefined();
  for (let length = 1; length < whole.length; length++)
    expect(poclFault(whole.subarray(0, length), driver)).toBeDefined();
  expect(poclFault(Buffer.concat([whole, word(0)]), driver)).toBe('4 bytes follow its last kernel');
  const damaged = (mark: string, back: number): string | undefined => {
    const bytes = Buffer.from(whole);
    const at = bytes.indexOf(mark) - back;
    bytes[at] = (bytes[at] ?? 0) ^ 0x40;
    return poclFault(bytes, driver);
  };
  for (const mark of ['/program.bc', 'BC', '/f/0-0-0/f.so', 'code', 'count']) expect(damaged(mark, 4)).toBeDefined();
  expect(damaged('/program.bc', 0)).toBe('the name of a file in it is damaged');
});

test('a newer format than the driver writes is refused; an unknown one is left to the driver', () => {
  const newer = binary(11);
  expect(poclFault(newer, '3.1')).toBe("it says format 11; this PoCL's is 9");
  newer.writeUInt32LE(43, 16);
  expect(poclFault(newer, '5.0')).toBe("it says format 43; this PoCL's is 11");
  expect(poclFault(newer, '9.0')).toBeUndefined();
  expect(poclFault(Buffer.from('another driver’s'), '5.0')).toBeUndefined();
});
