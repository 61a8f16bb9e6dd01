import type { Declaration, Expression, Loop, Statement } from '../tree.ts';
import { scalar, settled, type ArrayType, type KernelType, type ScalarType } from '../kernel-type.ts';
import { isWritten } from './array-text.ts';
import { cText, type CContext } from './c-expression.ts';

/** What statements need besides: names of types, and the lines of the function that they come from. */
export interface StatementContext extends CContext {
  /** The type of a variable in a declaration. */
  typeText(type: KernelType): string;
  /** `#line` before a statement where places are written; undefined where they are not. */
  lineOf(statement: Statement): string | undefined;
}

/** The lines of a list of statements. */
export function statementLines(context: StatementContext, statements: readonly Statement[], indent: string): string[] {
  return statements.flatMap((statement) => {
    const line = context.lineOf(statement);
    const lines = linesOf(context, statement, indent);
    return line !== undefined && lines.length > 0 ? [line, ...lines] : lines;
  });
}

function linesOf(context: StatementContext, statement: Statement, indent: string): string[] {
  switch (statement.kind) {
    case 'declaration':
      return declarationLines(context, statement, indent);
    case 'expression': {
      const text = cText(context, statement.expression);
      return isIdle(statement.expression) ? [] : [`${indent}${text};`];
    }
    case 'block':
      if (statement.body.length === 0) return [];
      return [`${indent}{`, ...statementLines(context, statement.body, `${indent}  `), `${indent}}`];
    case 'if':
      return ifLines(context, statement, indent);
    case 'loop':
      return loopLines(context, statement, indent);
    case 'return':
      return [`${indent}return${statement.value ? ` ${cText(context, statement.value)}` : ''};`];
    default:
      return [`${indent}${statement.kind};`];
  }
}

/** A value that nothing is done with. */
function isIdle({ kind }: Expression): boolean {
  return kind === 'constant' || kind === 'variable';
}

function declarationLines(context: StatementContext, statement: Declaration, indent: string): string[] {
  const { variable, value } = statement;
  if (variable.type.kind === 'array') return [`${indent}${arrayDeclaration(context, statement)}`];
  return [`${indent}${variableText(context, statement)}${value === undefined ? ` ${variable.text}` : ''};`];
}

/** `const int i = …`, without what ends it; `int i` alone has no value. */
function variableText(context: StatementContext, { variable, value }: Declaration): string {
  const type = context.typeText(settled(variable.type));
  if (value === undefined) return type;
  return `${variable.isAssigned ? '' : 'const '}${type} ${variable.text} = ${cText(context, value)}`;
}

function arrayDeclaration(context: StatementContext, { variable, value }: Declaration): string {
  const type = variable.type as ArrayType;
  const { words } = context;
  const element = context.typeText(elementType(type));
  if (value)
    return `${isWritten(variable) ? '' : 'const '}${words.spaces[type.space]}${element} *${variable.text} = ${cText(context, value)};`;
  const size = (variable.shape ?? []).reduce((a, b) => a * b, 1);
  const before = type.space === 'shared' ? `${words.shared} ` : '';
  if (size === 0) return `extern ${before}${element} ${variable.text}[];`;
  return `${before}${element} ${variable.text}[${size}];`;
}

/** Elements as a type that has a name: halves are stored as their bits. */
export function elementType({ element }: ArrayType): ScalarType {
  return scalar(element === 'f16' || element === 'bf16' ? 'u16' : element);
}

function isSimple(statement: Statement): boolean {
  return (
    statement.kind === 'expression' ||
    statement.kind === 'return' ||
    statement.kind === 'break' ||
    statement.kind === 'continue'
  );
}

/** A statement behind a head: on the same line where it is short, else in braces. */
function bodyLines(context: StatementContext, head: string, body: Statement, indent: string): string[] {
  const statements = body.kind === 'block' ? body.body : [body];
  const lines = statementLines(context, statements, `${indent}  `);
  const [only] = lines;
  if (only === undefined) return [`${indent}${head} {`, `${indent}}`];
  const isOne = lines.length === 1 && statements.length === 1 && isSimple(statements[0] as Statement);
  if (isOne && indent.length + head.length + only.trim().length < MAX_LINE) return [`${indent}${head} ${only.trim()}`];
  return [`${indent}${head} {`, ...lines, `${indent}}`];
}

const MAX_LINE = 90;

function ifLines(context: StatementContext, statement: Extract<Statement, { kind: 'if' }>, indent: string): string[] {
  const { test, then, otherwise } = statement;
  const head = bodyLines(context, `if (${cText(context, test)})`, then, indent);
  if (!otherwise) return head;
  const isBlock = head.at(-1) === `${indent}}`;
  // A dangling else belongs to the inner if: that one has braces, being no simple statement.
  const rest =
    otherwise.kind === 'if'
      ? ifLines(context, otherwise, indent).map((line, i) => (i === 0 ? `${indent}else ${line.trim()}` : line))
      : bodyLines(context, 'else', otherwise, indent);
  if (!isBlock) return [...head, ...rest];
  const [first = '', ...others] = rest;
  return [...head.slice(0, -1), `${indent}} ${first.trim()}`, ...others];
}

function loopLines(context: StatementContext, loop: Loop, indent: string): string[] {
  const { init, test, update, body, isPostTested } = loop;
  const testText = test ? cText(context, test) : '';
  if (isPostTested) {
    const lines = statementLines(context, body.kind === 'block' ? body.body : [body], `${indent}  `);
    return [`${indent}do {`, ...lines, `${indent}} while (${testText});`];
  }
  const updateText = update ? cText(context, update) : '';
  const first = initText(context, init);
  if (first === undefined) {
    const inner = loopLines(context, { ...loop, init: [] }, `${indent}  `);
    return [`${indent}{`, ...statementLines(context, init, `${indent}  `), ...inner, `${indent}}`];
  }
  const isWhile = first === '' && updateText === '' && test !== undefined;
  const head = isWhile
    ? `while (${testText})`
    : `for (${first};${testText ? ` ${testText}` : ''};${updateText ? ` ${updateText}` : ''})`;
  return bodyLines(context, head, body, indent);
}

/** What a loop begins with, where it is of one type; undefined where it needs lines of its own. */
function initText(context: StatementContext, init: readonly Statement[]): string | undefined {
  if (init.length === 0) return '';
  if (init.every((one) => one.kind === 'expression'))
    return init.map(({ expression }) => cText(context, expression)).join(', ');
  if (!init.every((one) => one.kind === 'declaration' && one.variable.type.kind !== 'array' && one.value))
    return undefined;
  const declarations = init as readonly Declaration[];
  const types = new Set(declarations.map(({ variable }) => context.typeText(settled(variable.type))));
  if (types.size > 1) return undefined;
  const list = declarations.map(({ variable, value }) => `${variable.text} = ${cText(context, value as Expression)}`);
  return `${[...types][0] ?? ''} ${list.join(', ')}`;
}
