/** What the rules look at in package.json. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly repository?: string | { readonly url?: string };
  readonly homepage?: string;
  readonly bugs?: string | { readonly url?: string };
}

/** What a release is made of. */
export interface Candidate {
  readonly manifest: Manifest;
  readonly changelog: string;
  /** What `git status --porcelain` prints. */
  readonly status: string;
  /** The tag that the release is made from; undefined where there is none yet. */
  readonly tag: string | undefined;
}

/** Why a release cannot be made, a sentence each. */
export function refusals(candidate: Candidate): readonly string[] {
  return [addresses, version, changes, tree].flatMap((rule) => rule(candidate));
}

/** The page of the repository, as `https://host/owner/name`; undefined where package.json has none that can be read. */
export function repositoryPage({ repository }: Manifest): string | undefined {
  const url = (typeof repository === 'string' ? repository : repository?.url) ?? '';
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(url);
  if (short) return `https://github.com/${short[1] ?? ''}`;
  const full = /^(?:git\+)?(?:https|ssh|git):\/\/(?:[^@/\s]+@)?([^/\s]+\/[^\s]+?)(?:\.git)?\/?$/.exec(url);
  return full ? `https://${full[1] ?? ''}` : undefined;
}

function addresses({ manifest }: Candidate): readonly string[] {
  const missing = (['repository', 'homepage', 'bugs'] as const).filter((field) => {
    if (field === 'repository') return repositoryPage(manifest) === undefined;
    const value = manifest[field];
    return !/^https:\/\/\S+$/.test((typeof value === 'string' ? value : value?.url) ?? '');
  });
  if (missing.length === 0) return [];
  return [
    `package.json has no address in ${list(missing)}. Decide where the project lives, then set all three fields.`,
  ];
}

function version({ manifest, tag }: Candidate): readonly string[] {
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(manifest.version)) {
    return [`package.json has the version ${manifest.version}, which is not a release's.`];
  }
  if (tag === undefined || tag === `v${manifest.version}`) return [];
  return [
    `The tag is ${tag}, but package.json has the version ${manifest.version}: the tag must be v${manifest.version}.`,
  ];
}

function changes({ manifest, changelog }: Candidate): readonly string[] {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => /^\[?([^\s\]]+)/.exec(text)?.[1] === manifest.version);
  if (section === undefined) {
    return [`CHANGELOG.md has no section "## ${manifest.version}": give the changes under "Unreleased" that heading.`];
  }
  return /\n\s*\S/.test(section) ? [] : [`CHANGELOG.md says nothing under "## ${manifest.version}".`];
}

function tree({ status }: Candidate): readonly string[] {
  const files = status.split('\n').filter((line) => line !== '');
  if (files.length === 0) return [];
  const [first = ''] = files;
  const others = files.length > 1 ? ` and ${files.length - 1} more` : '';
  return [`The git tree has uncommitted changes: ${first.slice(3)}${others}.`];
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}
