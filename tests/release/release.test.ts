import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../helpers/root.ts';
import { absoluteLinks, relativeLinks } from './readme.ts';
import { refusals, repositoryPage, type Candidate } from './rules.ts';

const PAGE = 'https://example.org/someone/rawkernel';

describe('refusals()', () => {
  const ready: Candidate = {
    manifest: {
      name: 'rawkernel',
      version: '0.1.0',
      repository: { url: `git+${PAGE}.git` },
      homepage: `${PAGE}#readme`,
      bugs: { url: `${PAGE}/issues` },
    },
    changelog:
      '# Changelog\n\n## Unreleased\n\n## 0.1.0 (2027-01-31)\n\n- The first release.\n\n## 0.0.9\n\n- Before it.\n',
    status: '',
    tag: 'v0.1.0',
  };
  const { repository, homepage, bugs, ...bare } = ready.manifest;

  test('are none for a candidate that is ready, with a tag and before there is one', () => {
    expect(refusals(ready)).toEqual([]);
    expect(refusals({ ...ready, tag: undefined })).toEqual([]);
    expect(refusals({ ...ready, manifest: { ...ready.manifest, bugs: `${PAGE}/issues` } })).toEqual([]);
  });

  test('name each field of package.json that has no address', () => {
    const end = 'Decide where the project lives, then set all three fields.';
    expect(refusals({ ...ready, manifest: bare })).toEqual([
      `package.json has no address in repository, homepage and bugs. ${end}`,
    ]);
    expect(
      refusals({ ...ready, manifest: { ...bare, repository: repository ?? '', homepage: homepage ?? '' } }),
    ).toEqual([`package.json has no address in bugs. ${end}`]);
    expect(refusals({ ...ready, manifest: { ...bare, bugs: bugs ?? {}, homepage: 'soon', repository: {} } })).toEqual([
      `package.json has no address in repository and homepage. ${end}`,
    ]);
  });

  test('say that the changelog lacks the version, or has nothing under it', () => {
    const missing = [expect.stringMatching(/^CHANGELOG\.md has no section "## 0\.1\.0"/)];
    expect(refusals({ ...ready, changelog: '# Changelog\n\n## Unreleased\n\n- All.\n' })).toEqual(missing);
    expect(refusals({ ...ready, changelog: '## 0.1.0-rc.1\n\n- All.\n\n## 0.1.01\n\n- All.\n' })).toEqual(missing);
    expect(refusals({ ...ready, changelog: '## 0.1.0\n\n## 0.0.9\n\n- All.\n' })).toEqual([
      'CHANGELOG.md says nothing under "## 0.1.0".',
    ]);
  });

  test('name a file with uncommitted changes', () => {
    expect(refusals({ ...ready, status: ' M README.md\n' })).toEqual([
      'The git tree has uncommitted changes: README.md.',
    ]);
    expect(refusals({ ...ready, status: '?? a.ts\n?? b.ts\n?? c.ts\n' })).toEqual([
      'The git tree has uncommitted changes: a.ts and 2 more.',
    ]);
  });

  test('compare the tag with the version', () => {
    expect(refusals({ ...ready, tag: 'v0.2.0' })).toEqual([
      'The tag is v0.2.0, but package.json has the version 0.1.0: the tag must be v0.1.0.',
    ]);
    expect(refusals({ ...ready, manifest: { ...ready.manifest, version: '0.1' }, tag: undefined })).toContain(
      "package.json has the version 0.1, which is not a release's.",
    );
  });
});

test.each([
  [`git+${PAGE}.git`, PAGE],
  [PAGE, PAGE],
  ['git+ssh://git@example.org/someone/rawkernel.git', PAGE],
  ['git://example.org/someone/rawkernel.git', PAGE],
  ['someone/rawkernel', 'https://github.com/someone/rawkernel'],
  ['github:someone/rawkernel', 'https://github.com/someone/rawkernel'],
  ['', undefined],
  ['not yet', undefined],
])('repositoryPage() of %p is %p', (url, expected) => {
  expect(repositoryPage({ name: 'a', version: '1.0.0', repository: { url } })).toBe(expected);
  expect(repositoryPage({ name: 'a', version: '1.0.0', repository: url })).toBe(expected);
});

describe('absoluteLinks()', () => {
  const absolute = (page: string): string => absoluteLinks(page, PAGE, 'v1.0.0');

  test.each([
    ['[a](docs/a.md)', `[a](${PAGE}/blob/v1.0.0/docs/a.md)`],
    [
      '[a](./docs/a.md#part) and [b](/b.md "Title")',
      `[a](${PAGE}/blob/v1.0.0/docs/a.md#part) and [b](${PAGE}/blob/v1.0.0/b.md "Title")`,
    ],
    ['![text, with words](docs/a.svg)', `![text, with words](${PAGE}/raw/v1.0.0/docs/a.svg)`],
    ['[![alt](a.svg)](a.md)', `[![alt](${PAGE}/raw/v1.0.0/a.svg)](${PAGE}/blob/v1.0.0/a.md)`],
    ['[`a`](a.md), `b`', `[\`a\`](${PAGE}/blob/v1.0.0/a.md), \`b\``],
    ['see [a]\n\n[a]: docs/a.md\n', `see [a]\n\n[a]: ${PAGE}/blob/v1.0.0/docs/a.md\n`],
    [
      '<a href="a.md"><img alt="" src="a.png"></a>',
      `<a href="${PAGE}/blob/v1.0.0/a.md"><img alt="" src="${PAGE}/raw/v1.0.0/a.png"></a>`,
    ],
  ])('rewrites %p', (page, expected) => {
    expect(absolute(page)).toBe(expected);
    expect(relativeLinks(page).length).toBeGreaterThan(0);
    expect(relativeLinks(expected)).toEqual([]);
  });

  test.each([
    '[a](https://example.org/a.md) and [b](mailto:a@example.org)',
    '[a](#status)',
    '`[a](a.md)`',
    '```ts\nconst x = a[0](b);\n```\n',
    '~~~md\n[a](a.md)\n```\n[b](b.md)\n~~~\n',
  ])('leaves %p as it is', (page) => {
    expect(absolute(page)).toBe(page);
    expect(relativeLinks(page)).toEqual([]);
  });

  test('leaves no relative link in the README, and changes nothing but links', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const page = absolute(readme);
    expect(relativeLinks(readme).length).toBeGreaterThan(10);
    expect(relativeLinks(page)).toEqual([]);
    expect(page.replaceAll(new RegExp(`${PAGE}/(?:blob|raw)/v1\\.0\\.0/`, 'g'), '')).toBe(readme);
  });
});
