import { needs } from '../../../helpers/require.ts';
import { describeMath } from './math-suite.ts';

needs.full().describe('double', () => {
  describeMath('double');
});
