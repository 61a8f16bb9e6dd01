import { expectTypeOf } from 'expect-type';
import * as cl from '../../src/node-opencl/index.ts';
import { webcl } from '../../src/webcl/index.ts';

// The type of a constant is a literal number.
expectTypeOf(cl.DEVICE_NAME).toEqualTypeOf<0x102b>();
expectTypeOf(cl.default.MEM_READ_ONLY).toEqualTypeOf<4>();
expectTypeOf(webcl.DEVICE_NAME).toEqualTypeOf<0x102b>();
expectTypeOf(webcl.INVALID_VALUE).toEqualTypeOf<-30>();
expectTypeOf(webcl.BUILD_ERROR).toEqualTypeOf<-2>();
expectTypeOf(cl.INVALID_VALUE).toEqualTypeOf<Error>();
// Of those without a sign it is any number.
expectTypeOf(cl.BUILD_ERROR).toEqualTypeOf<number>();
