import type { Bound } from '../../ffi/prototype.ts';
import type { extensionFunctions } from './extensions.ts';
import type { functions } from './opencl.ts';

/** The OpenCL functions below this half: the installed loader's, the embedded platform's, or both. */
export type OpenCLTable = Bound<typeof functions>;

/** The extension functions of one platform. */
export type ExtensionTable = Bound<typeof extensionFunctions>;
