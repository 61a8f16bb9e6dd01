import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel, type ExtractorMessage } from '@microsoft/api-extractor';
import { changedSources, staleness } from '../helpers/build-record.js';
import { root } from '../helpers/root.ts';
import { entriesOf, isSummary, type Entry } from './entries.ts';

// The public declarations of each entry, kept in api/. `npm run api` compares them with the build,
// `npm run api:update` writes them again.
const folder = join(root, 'api');
const update = process.argv.includes('--update');

/** The report of one entry, as API Extractor writes it. */
function reportOf({ declarations, report }: Entry, scratch: string): string {
  const text = readFileSync(join(root, declarations), 'utf8');
  // The entries below have reports of their own.
  if (isSummary(text)) return `## API Report File for "rawkernel"\n\n\`\`\`ts\n${withoutMap(text)}\`\`\`\n`;
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: join(root, 'package.json'),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, declarations),
      newlineKind: 'lf',
      compiler: { tsconfigFilePath: join(root, 'tsconfig.build.json') },
      apiReport: {
        enabled: true,
        reportFileName: report.replace(/\.api\.md$/, ''),
        reportFolder: scratch,
        reportTempFolder: join(scratch, 'temporary'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
  });
  const problems: string[] = [];
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message: ExtractorMessage) => {
      message.handled = true;
      if (message.logLevel === ExtractorLogLevel.Error) problems.push(message.formatMessageWithLocation(root));
    },
  });
  if (!succeeded || problems.length > 0) throw new Error([`${declarations}: no report`, ...problems].join('\n'));
  return readFileSync(join(scratch, report), 'utf8');
}

function withoutMap(declarations: string): string {
  return declarations.replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
}

/** Print how a report would change. */
function show(report: string, scratch: string, found: string): void {
  const [before, after] = [join(folder, report), join(scratch, report)];
  writeFileSync(after, found);
  console.log(`api/${report} would change:`);
  spawnSync('git', ['--no-pager', 'diff', '--no-index', '--unified=2', existsSync(before) ? before : devNull, after], {
    stdio: 'inherit',
  });
}

function kept(report: string): string | undefined {
  const path = join(folder, report);
  return existsSync(path) ? readFileSync(path, 'utf8').replaceAll('\r\n', '\n') : undefined;
}

const stale = staleness(changedSources().all);
if (stale !== undefined) {
  console.error(stale);
  process.exit(1);
}

const entries = entriesOf(root);
const names = new Set(entries.map(({ report }) => report));
mkdirSync(folder, { recursive: true });
const others = readdirSync(folder).filter((file) => !names.has(file));
const scratch = mkdtempSync(join(tmpdir(), 'rawkernel-api-'));
let changed = 0;
try {
  for (const entry of entries) {
    const found = reportOf(entry, scratch);
    const before = kept(entry.report);
    if (found === before) continue;
    changed++;
    if (update) writeFileSync(join(folder, entry.report), found);
    else show(entry.report, scratch, found);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const file of others) {
  console.log(`api/${file}: package.json has no such entry`);
  if (update) rmSync(join(folder, file));
}

if (update) console.log(`${changed} of ${entries.length} reports written, ${others.length} removed`);
else if (changed + others.length > 0) {
  console.error('The public API is not the one in api/. If the change is intended, run npm run api:update.');
  process.exitCode = 1;
} else console.log(`The public API is the one in api/: ${entries.length} entries`);
