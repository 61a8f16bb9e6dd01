import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../helpers/root.ts';

/** A relative link of a page. */
export interface Link {
  readonly href: string;
  /** The file from the root. */
  readonly path: string;
  readonly anchor: string | undefined;
}

/** The relative links of a page, pictures among them. */
export function linksOf(page: string): readonly Link[] {
  const prose = read(page).replace(/^```.*?^```$/gms, '');
  const hrefs = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|href|srcset)="([^"]+)"/g)].map((m) => m[1] ?? m[2] ?? '');
  return hrefs
    .filter((href) => !/^[a-z]+:/.test(href))
    .map((href) => {
      const [file = '', anchor] = href.split('#');
      const path = file === '' ? page : relative(root, join(root, dirname(page), file)).replaceAll('\\', '/');
      return { href, path, anchor };
    });
}

/** Those that lead nowhere. */
export function brokenLinks(page: string): readonly string[] {
  return linksOf(page)
    .filter(({ path, anchor }) => !existsSync(join(root, path)) || (anchor && !anchorsOf(path).includes(anchor)))
    .map(({ href }) => `${page}: ${href}`);
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(page: string): readonly string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

/** A page's text. */
export function read(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}
