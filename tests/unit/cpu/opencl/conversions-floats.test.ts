import { testConversions } from './conversion-suite.ts';
import { FLOAT_TYPES } from './numbers.ts';

testConversions(FLOAT_TYPES);
