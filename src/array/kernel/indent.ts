/** A text's lines, but empty ones, two places to the right. */
export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
