import type { Bound } from '../../ffi/prototype.ts';
import type { extensionFunctions } from './extensions.ts';
import type { functions } from './opencl.ts';

/** The OpenCL functions that everything here is built on: the installed loader's, the embedded platform's, or both. */
export type OpenCLTable = Bound<typeof functions>;

/** The functions of extensions, as one platform has them. */
export type ExtensionTable = Bound<typeof extensionFunctions>;
