import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { brokenLinks } from '../docs/links.ts';
import { root } from '../helpers/root.ts';

const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
const { scripts, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
};

test.each(workflows)('%s reads the repository and nothing else, and gives way to its next run', (_, text) => {
  expect(text).toMatch(/^permissions:\n {2}contents: read\n(?! )/m);
  expect(text).toMatch(/^concurrency:\n/m);
  // No step of a job keeps the checkout's token.
  expect(text.match(/uses: actions\/checkout@/g)?.length).toBe(text.match(/persist-credentials: false/g)?.length);
});

test('only the job that publishes may do more, and it signs', () => {
  const more = workflows.flatMap(([name, text]) =>
    (text.match(/^ +[\w-]+: write$/gm) ?? []).map((line) => [name, line.trim()]),
  );
  expect(more).toEqual([['release.yml', 'id-token: write']]);
});

test.each(workflows)('%s uses actions by their major version, and scripts that are there', (_, text) => {
  const actions = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
  expect(
    actions.filter((action) => !/^(?:actions\/[\w-]+@v\d+|\.\/\.github\/workflows\/\w+\.yml)$/.test(action ?? '')),
  ).toEqual([]);
  const named = [...text.matchAll(/\bnpm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('the oldest Node that the package supports is tested', () => {
  const oldest = /\d+/.exec(engines.node)?.[0] ?? '';
  for (const name of ['ci.yml', 'install.yml']) {
    expect(workflows.find(([file]) => file === name)?.[1]).toMatch(new RegExp(`^ +node: \\[${oldest}, `, 'm'));
  }
});

test('every relative link of the pages beside the README leads somewhere', () => {
  expect(['SECURITY.md', 'CODE_OF_CONDUCT.md', '.github/pull_request_template.md'].flatMap(brokenLinks)).toEqual([]);
});
