import stringWidth from 'string-width';

const segments = new Intl.Segmenter();

/** A text for so many columns of a terminal: cut off with `…`, or filled up with spaces; {@link clean}. */
export function fit(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const cut = crop(clean(text), width);
  const room = ' '.repeat(Math.max(0, width - stringWidth(cut)));
  return side === 'left' ? cut + room : room + cut;
}

/** A text in one line: what could move the cursor is shown as `?`, for names of processes are made by others. */
export function clean(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}

/** How many columns a text takes, colours left out. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

function crop(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of segments.segment(text)) {
    used += stringWidth(segment);
    if (used >= width) break;
    kept += segment;
  }
  return width > 0 ? `${kept}…` : '';
}
