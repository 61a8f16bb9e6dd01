/** A piece of a user's text in a message; a long one would fill the screen. */
export function brief(text: string): string {
  return visible(text.length > 40 ? `${text.slice(0, 37)}...` : text);
}

/** Characters that cannot be seen would move the carets below them. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (hidden) => '?'.repeat(hidden.length));
}
