import type { Opaque } from '../../ffi/ctype.ts';

export type RawProgram = Opaque<'cl_program'>;
