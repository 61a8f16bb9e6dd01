import { describeMath } from './math-suite.ts';

describeMath('float');
