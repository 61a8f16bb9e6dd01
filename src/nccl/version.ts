/** `22807` is `'2.28.7'`; before 2.9 the code had one digit fewer for the minor version. */
export function versionText(code: number): string {
  const unit = code < 10_000 ? 1000 : 10_000;
  return `${Math.floor(code / unit)}.${Math.floor((code % unit) / 100)}.${code % 100}`;
}
