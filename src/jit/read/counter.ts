import type * as Acorn from 'acorn';

/**
 * Take the counters out that istanbul has written into a function, as jest, nyc and vitest do for coverage: `cov_1().s[0]++`. They
 * count what JavaScript runs, and a kernel does not. A function is taken out of what keeps its name.
 *
 * @param node - is changed; places stay those of the text
 */
export function withoutCounters<N extends Acorn.Node>(node: N): N {
  for (const [key, value] of Object.entries(node) as [string, unknown][]) {
    if (Array.isArray(value)) setKey(node, key, value.filter((child) => !isCounted(child)).map(cleaned));
    // `else { cov_1().b[0][1]++; }` where the author has no else.
    else if (key === 'alternate' && isOnlyCounters(value)) setKey(node, key, null);
    else if (isNode(value)) setKey(node, key, cleaned(value));
  }
  return node;
}

function setKey(node: Acorn.Node, key: string, value: unknown): void {
  (node as unknown as Record<string, unknown>)[key] = value;
}

function cleaned(value: unknown): unknown {
  if (!isNode(value)) return value;
  const node = withoutCounters(named(value));
  if (node.type !== 'SequenceExpression') return node;
  const { expressions } = node as Acorn.SequenceExpression;
  return expressions.length === 1 ? expressions[0] : node;
}

/** esbuild's `__name((x) => x, 'f')`, which tsx asks for. */
function named(node: Acorn.Node): Acorn.Node {
  if (node.type !== 'CallExpression') return node;
  const { callee, arguments: given } = node as Acorn.CallExpression;
  return callee.type === 'Identifier' && /^__name\d*$/.test(callee.name) && given.length === 2
    ? (given[0] as Acorn.Node)
    : node;
}

function isOnlyCounters(value: unknown): boolean {
  if (!isNode(value) || value.type !== 'BlockStatement') return false;
  const { body } = value as Acorn.BlockStatement;
  return body.length > 0 && body.every(isCounted);
}

function isCounted(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (value.type === 'ExpressionStatement') return isCounter((value as Acorn.ExpressionStatement).expression);
  return value.type === 'UpdateExpression' && isCounter(value as Acorn.UpdateExpression);
}

/** `cov_1().s[0]++` */
function isCounter(node: Acorn.Expression): boolean {
  if (node.type !== 'UpdateExpression') return false;
  let place: Acorn.Node = node.argument;
  while (place.type === 'MemberExpression') place = (place as Acorn.MemberExpression).object;
  if (place.type !== 'CallExpression') return false;
  const { callee } = place as Acorn.CallExpression;
  return callee.type === 'Identifier' && ISTANBUL.test(callee.name);
}

const ISTANBUL = /^cov_\w+$/;

export function isNode(value: unknown): value is Acorn.Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** Names that other tools write into functions: of coverage, and of mutations. */
const WRITTEN = /^(?:cov_|__cov|_\$jscov|__coverage__$|stry(?:Cov|Mut))/;

/** What to do about a name that a tool has written into a kernel; undefined for other names. */
export function writtenName(name: string): string | undefined {
  return WRITTEN.test(name)
    ? `${name} was written into the kernel by a tool that measures coverage: take V8's coverage (c8, coverageProvider: 'v8'), or leave the file out of it`
    : undefined;
}
