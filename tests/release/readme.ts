/** The parts of a page that are code: fenced blocks, and spans in backticks. */
const CODE = /(^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\2[^\n]*$|`[^`\n]+`)/m;

/** What comes before a link's target: of an inline link or a picture, of a definition, of an HTML attribute. */
const TARGET = /(?<before>\]\(<?|^ {0,3}\[[^\]\n]+\]: *<?|\b(?:href|src|srcset)=")(?<href>[^)\s>"]+)/gm;

/** A picture's text and brackets, or an HTML attribute that shows its target in the page. */
const SHOWN = /(?:!\[[^\]]*\]\(<?|\bsrc(?:set)?=")$/;

/** The relative links of a page, without those inside code and those to its own headings. */
export function relativeLinks(page: string): readonly string[] {
  return prose(page).flatMap((part) => [...part.matchAll(TARGET)].flatMap(({ groups }) => relative(groups?.['href'])));
}

/**
 * A page with each relative link made absolute. Code is left as it is.
 *
 * @param address - the repository's page, without a slash at its end
 * @param revision - the tag whose files the links show
 */
export function absoluteLinks(page: string, address: string, revision: string): string {
  return page
    .split(new RegExp(CODE.source, 'gm'))
    .filter((_, i) => i % 3 !== 2)
    .map((part, i) => (i % 2 === 1 ? part : rewritten(part, address, revision)))
    .join('');
}

function rewritten(text: string, address: string, revision: string): string {
  return text.replaceAll(TARGET, (whole: string, before: string, href: string, at: number) => {
    if (relative(href).length === 0) return whole;
    const shown = SHOWN.test(text.slice(0, at + before.length));
    return `${before}${address}/${shown ? 'raw' : 'blob'}/${revision}/${href.replace(/^\.?\//, '')}`;
  });
}

function relative(href = ''): readonly string[] {
  return /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(href) ? [] : [href];
}

function prose(page: string): readonly string[] {
  return page.split(new RegExp(CODE.source, 'gm')).filter((_, i) => i % 3 === 0);
}
