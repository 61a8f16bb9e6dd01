import koffi, { type TypeObject } from 'koffi';
import { koffiType, type CTypes } from './ctype.ts';

const FUNCTION_POINTER = /^void \((?:\w+ )?\*\)\((.*)\)$/;
const PARAMETER = /^(?:const )?([\w ]+?) ?(\**)$/;

const types = new Map<string, TypeObject>();

/**
 * Call a function of the user's by its address, as a native library would.
 *
 * @param type - of the function pointer, as the header prints it: `void (CL_CALLBACK *)(cl_event, cl_int, void *)`
 * @param ctypes - the C types that it mentions besides C's own
 */
export function callAddress(
  address: bigint,
  type: string,
  args: readonly (bigint | number | ArrayBufferView)[],
  ctypes?: CTypes,
): void {
  let known = types.get(type);
  if (!known) types.set(type, (known = functionType(type, ctypes)));
  koffi.call(address, known, ...args);
}

function functionType(type: string, ctypes: CTypes | undefined): TypeObject {
  const [, list] = FUNCTION_POINTER.exec(type) ?? [];
  if (list === undefined) throw new SyntaxError(`Not the type of a function pointer: '${type}'`);
  const parameters = list.split(', ').map((text) => {
    const [, name = '', stars = ''] = PARAMETER.exec(text) ?? [];
    // Text is passed as bytes, so that it stays where it is.
    return stars === '' ? koffiType(name, 0, ctypes) : koffiType('void', 1);
  });
  return koffi.proto('void', parameters);
}
