import { needs } from '../../helpers/require.ts';
import { describeMath } from './opencl/math-suite.ts';

needs.full().describe('double', () => {
  describeMath('double');
});
