import { needs } from '../../../helpers/require.ts';
import { describeMath } from './math-suite.ts';

needs.full().describe('half', () => {
  describeMath('half');
});
