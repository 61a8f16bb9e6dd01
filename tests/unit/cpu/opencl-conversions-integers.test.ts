import { INTEGER_TYPES } from './opencl/conversions.ts';
import { testConversions } from './opencl/conversion-suite.ts';

testConversions(INTEGER_TYPES);
