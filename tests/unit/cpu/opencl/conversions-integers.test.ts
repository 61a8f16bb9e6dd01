import { INTEGER_TYPES } from './conversions.ts';
import { testConversions } from './conversion-suite.ts';

testConversions(INTEGER_TYPES);
