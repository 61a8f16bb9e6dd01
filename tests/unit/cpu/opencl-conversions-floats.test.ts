import { testConversions } from './opencl/conversion-suite.ts';
import { FLOAT_TYPES } from './opencl/numbers.ts';

testConversions(FLOAT_TYPES);
