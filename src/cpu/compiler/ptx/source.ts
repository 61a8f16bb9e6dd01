/** Whether a text may have inline assembly, if only behind a macro's name. */
export function mentionsAssembly(text: string): boolean {
  return /\b(?:asm|__asm__|__asm)\b/.test(text);
}

const TOKEN =
  /(?<raw>(?:u8|[uUL])?R"(?<mark>[^(\s]*)\([^]*?\)\k<mark>")|(?<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")|'(?:[^'\\\n]|\\.)+'|(?<number>\.?\d(?:'?[\w.]|[eEpP][+-])*)|(?<word>[A-Za-z_$][\w$]*)|(?<line>^[ \t]*#.*$)|(?<space>\s+)|(?<other>[^])/gmy;
const KEYWORD = /^(?:asm|__asm__|__asm)$/;
const QUALIFIER = /^(?:volatile|__volatile__|__volatile|inline|__inline__|goto)$/;
const CONSTRAINT = /^([=+]?)(&?)([rlhfdnC])$/;

interface Token {
  readonly kind: 'string' | 'word' | 'line' | 'space' | 'other';
  readonly text: string;
}

/**
 * Make the inline PTX of a preprocessed source acceptable to clang for WebAssembly: its own letters of constraints are
 * others, and special registers are written with one `%` in NVCC's sources. Each template begins with a comment that has the
 * letters as they were, which {@link readAssembly} reads.
 */
export function withPlainConstraints(source: string): string {
  const tokens = [...source.matchAll(TOKEN)].map(tokenOf);
  const out: string[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    const end = token.kind === 'word' && KEYWORD.test(token.text) ? endOfStatement(tokens, i + 1) : undefined;
    if (end === undefined) out.push(token.text);
    else {
      out.push(...rewrite(tokens.slice(i, end)));
      i = end - 1;
    }
  }
  return out.join('');
}

function tokenOf({ 0: text, groups = {} }: RegExpExecArray): Token {
  const kind =
    (['word', 'line', 'space'] as const).find((name) => groups[name] !== undefined) ??
    (groups['raw'] === undefined && groups['string'] === undefined ? 'other' : 'string');
  return { kind, text };
}

/** The index after the bracket that ends a statement; undefined where something else follows. */
function endOfStatement(tokens: readonly Token[], from: number): number | undefined {
  let depth = 0;
  for (let i = from; i < tokens.length; i++) {
    const { kind, text } = tokens[i] as Token;
    if (depth === 0 && (kind === 'space' || kind === 'line' || (kind === 'word' && QUALIFIER.test(text)))) continue;
    if (depth === 0 && text !== '(') return undefined;
    if (text === '(' || text === '[' || text === '{') depth++;
    else if (text === ')' || text === ']' || text === '}') depth--;
    if (depth === 0) return i + 1;
  }
  return undefined;
}

/** A statement in brackets has a template, outputs, inputs and clobbers, with colons between. */
function rewrite(tokens: readonly Token[]): string[] {
  const letters: string[] = [];
  const out: string[] = [];
  let depth = 0;
  let section = 0;
  let template: number | undefined;
  // NVRTC takes operands without a comma between them: `"r"(a) "l"(b)`.
  let isBehindOperand = false;
  const isSimple = !hasColon(tokens);
  for (const { kind, text } of tokens) {
    if (kind === 'other' && '([{'.includes(text)) depth++;
    else if (kind === 'other' && ')]}'.includes(text)) depth--;
    else if (depth === 1 && text === ':') section++;
    if (kind === 'string' && depth === 1 && section === 0 && !isSimple) {
      template ??= out.length;
      out.push(text.replace(/%%|%(?=[A-Za-z_])/g, '%%'));
    } else if (kind === 'string' && depth === 1 && (section === 1 || section === 2)) {
      out.push(isBehindOperand ? ', ' : '', plainConstraint(text, letters));
    } else out.push(text);
    if (kind !== 'space' && kind !== 'line') isBehindOperand = depth === 1 && text === ')';
  }
  if (template !== undefined && letters.length > 0) out.splice(template, 0, `"/*${letters.join(',')}*/" `);
  return out;
}

function hasColon(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const { kind, text } of tokens) {
    if (kind !== 'other') continue;
    if ('([{'.includes(text)) depth++;
    else if (')]}'.includes(text)) depth--;
    else if (depth === 1 && text === ':') return true;
  }
  return false;
}

function plainConstraint(text: string, letters: string[]): string {
  const [, way = '', early = '', letter] = CONSTRAINT.exec(text.slice(1, -1)) ?? [];
  letters.push(letter ?? '?');
  if (letter === undefined) return text;
  const plain = letter === 'C' ? 'i' : letter === 'n' ? 'n' : 'r';
  return `"${way}${early}${plain}"`;
}
