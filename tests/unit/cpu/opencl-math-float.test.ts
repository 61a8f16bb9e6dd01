import { describeMath } from './opencl/math-suite.ts';

describeMath('float');
