import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { exampleFiles, requirements, runExamples } from '../helpers/examples.ts';
import { root } from '../helpers/root.ts';

test('each example says what it requires, and is in the list of examples', () => {
  expect(exampleFiles.filter((file) => !['cuda', 'nccl', 'opencl'].includes(requirements(file)[0] ?? ''))).toEqual([]);
  const list = readFileSync(join(root, 'examples', 'README.md'), 'utf8');
  expect(exampleFiles.filter((file) => !list.includes(`](${file})`))).toEqual([]);
});

runExamples('cuda');
