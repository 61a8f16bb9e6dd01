import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { changedSources, staleness } from '../helpers/build-record.js';
import { root } from '../helpers/root.ts';
import { pack } from './pack.ts';
import { relativeLinks } from './readme.ts';
import { refusals, repositoryPage, type Manifest } from './rules.ts';

// `npm run release:check` says why the package cannot be released, if there is a reason. `npm run release:pack` writes
// the tarball for the registry too. docs/releasing.md has the procedure.
const [wanted, tag] = process.argv.slice(2);
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;

const reasons = [
  ...refusals({
    manifest,
    changelog: read('CHANGELOG.md'),
    status: execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }),
    tag,
  }),
  ...build(),
];
const address = repositoryPage(manifest);
if (address === undefined) reasons.push(...leftIn(read('README.md')));
const scratch = mkdtempSync(join(tmpdir(), 'rawkernel-release-'));
try {
  if (address !== undefined && existsSync(join(root, 'dist'))) {
    const folder = wanted === 'pack' && reasons.length === 0 ? root : join(scratch, 'out');
    const { file, readme } = pack(folder, scratch, address, `v${manifest.version}`);
    const left = leftIn(readme);
    reasons.push(...left);
    if (folder === root) {
      if (left.length > 0) rmSync(file);
      else console.log(relative(root, file));
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

for (const reason of reasons) console.error(`- ${reason}`);
if (reasons.length > 0) {
  console.error(`${manifest.name} ${manifest.version} cannot be released.`);
  process.exitCode = 1;
} else if (wanted !== 'pack') console.log(`${manifest.name} ${manifest.version} can be released.`);

function build(): readonly string[] {
  if (!existsSync(join(root, 'dist'))) return ['Nothing is built: run npm run build first.'];
  const stale = staleness(changedSources().all);
  return stale === undefined ? [] : [`${stale}.`];
}

function leftIn(readme: string): readonly string[] {
  const links = relativeLinks(readme);
  if (links.length === 0) return [];
  const [first = ''] = links;
  return [
    `The packed README.md has ${links.length} relative links, such as ${first}: they lead nowhere on npm's page.`,
  ];
}
