import type { Declaration, Expression, Jump, Label, Loop, Statement, Switch } from '../tree.ts';
import { scalar, settled, type ArrayType, type KernelType, type ScalarType } from '../kernel-type.ts';
import { isWritten } from './array-text.ts';
import { literalText } from './literal.ts';
import { cEffect, cItem, cText, type CContext } from './c-expression.ts';

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
      const text = cEffect(context, statement.expression);
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
    case 'switch':
      return switchLines(context, statement, indent);
    case 'labelled': {
      const { label, body } = statement;
      return [...linesOf(context, body, indent), ...endLines(label, indent)];
    }
    default:
      return [`${indent}${jumpText(statement)};`];
  }
}

/** C has no labels for loops: a jump over several of them goes to the end of a round, or behind the loop. */
function jumpText({ kind, label }: Jump): string {
  if (label === undefined) return kind;
  return `goto ${kind === 'break' ? endOf(label) : nextOf(label)}`;
}

function endOf({ text }: Label): string {
  return `${text}_end`;
}

function nextOf({ text }: Label): string {
  return `${text}_next`;
}

function endLines(label: Label | undefined, indent: string): string[] {
  return label?.isBroken === true ? [`${indent}${endOf(label)}:;`] : [];
}

/** Variables of all cases are declared before: C++ does not jump over what a declaration begins with. */
function switchLines(context: StatementContext, statement: Switch, indent: string): string[] {
  const declared = statement.cases.flatMap(({ body }) => body.filter((one) => one.kind === 'declaration'));
  const deeper = declared.length > 0 ? `${indent}  ` : indent;
  const cases = statement.cases.flatMap((one, i) => {
    const head = one.isDefault
      ? ['default:']
      : one.value === undefined
        ? []
        : [`case ${caseText(context, statement, one.value)}:`];
    const body = one.body.flatMap((inner) => (inner.kind === 'declaration' ? assignmentOf(inner) : [inner]));
    const lines = statementLines(context, body, `${deeper}    `);
    const isLast = i === statement.cases.length - 1;
    const end = isLast && lines.length === 0 ? [`${deeper}    break;`] : [];
    return [...head.map((text) => `${deeper}  ${text}`), ...lines, ...end];
  });
  const lines = [`${deeper}switch (${cText(context, statement.value)}) {`, ...cases, `${deeper}}`];
  if (declared.length === 0) return lines;
  const first = declared.map((one) => emptyDeclaration(context, one)).filter((text) => text !== '');
  return [`${indent}{`, ...first.map((text) => `${deeper}${text};`), ...lines, `${indent}}`];
}

function caseText({ words }: StatementContext, { value }: Switch, constant: number | bigint): string {
  return literalText(constant, settled(value.type) as ScalarType, words);
}

/** A declaration without its value; arrays of their own have none. */
function emptyDeclaration(context: StatementContext, statement: Declaration): string {
  const { variable, value } = statement;
  if (variable.type.kind !== 'array') return `${context.typeText(settled(variable.type))} ${variable.text}`;
  if (value === undefined) return arrayDeclaration(context, statement).slice(0, -1);
  return `${pointerType(context, statement)}${variable.text}`;
}

function assignmentOf({ variable, value, start, end }: Declaration): readonly Statement[] {
  if (value === undefined) return [];
  const type = variable.type;
  const target = { kind: 'variable', variable, type, start, end } as const;
  const expression = { kind: 'assignment', target, value, type, start, end } as const;
  return [{ kind: 'expression', expression, start, end }];
}

function pointerType(context: StatementContext, { variable }: Declaration): string {
  const type = variable.type as ArrayType;
  const element = context.typeText(elementType(type));
  return `${isWritten(variable) ? '' : 'const '}${context.words.spaces[type.space]}${element} *`;
}

/** A value that nothing is done with. */
function isIdle({ kind }: Expression): boolean {
  return kind === 'constant' || kind === 'variable';
}

function declarationLines(context: StatementContext, statement: Declaration, indent: string): string[] {
  const { variable, value } = statement;
  if (variable.type.kind === 'array') {
    const text = arrayDeclaration(context, statement);
    return text === '' ? [] : [`${indent}${text}`];
  }
  return [`${indent}${variableText(context, statement)}${value === undefined ? ` ${variable.text}` : ''};`];
}

/** `const int i = …`, without what ends it; `int i` alone has no value. */
function variableText(context: StatementContext, { variable, value }: Declaration): string {
  const type = context.typeText(settled(variable.type));
  if (value === undefined) return type;
  return `${variable.isAssigned ? '' : 'const '}${type} ${variable.text} = ${cItem(context, value)}`;
}

function arrayDeclaration(context: StatementContext, statement: Declaration): string {
  const { variable, value } = statement;
  const type = variable.type as ArrayType;
  const { words } = context;
  const element = context.typeText(elementType(type));
  if (value) return `${pointerType(context, statement)}${variable.text} = ${cItem(context, value)};`;
  // Those of OpenCL's kernels are declared where the kernel begins: see `c-source.ts`.
  if (type.space === 'shared' && words.name === 'opencl') return '';
  const size = (variable.shape ?? []).reduce((a, b) => a * b, 1);
  const before = type.space === 'shared' ? `${words.shared} ` : '';
  if (size === 0) return `extern ${before}${element} ${variable.text}[];`;
  return `${before}${element} ${variable.text}[${size}];`;
}

/** Elements as a type that has a name: halves are stored as their bits. */
export function elementType({ element }: ArrayType): KernelType {
  if (typeof element !== 'string') return element;
  return scalar(element === 'f16' || element === 'bf16' ? 'u16' : element);
}

function isSimple(statement: Statement): boolean {
  return (
    statement.kind === 'expression' ||
    statement.kind === 'return' ||
    ((statement.kind === 'break' || statement.kind === 'continue') && statement.label === undefined)
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
  const lines = roundLines(context, loop, indent);
  return [...lines, ...endLines(loop.label, indent)];
}

/** In a block of its own, so that no jump to its end goes over a declaration. */
function withNext(loop: Loop): Loop {
  const { label, body } = loop;
  if (label?.isContinued !== true) return loop;
  const { start, end } = body;
  const inner: Statement = {
    kind: 'block',
    body: [body.kind === 'block' ? body : { kind: 'block', body: [body], start, end }],
    start,
    end,
  };
  return { ...loop, body: inner };
}

function nextLines(label: Label | undefined, indent: string): string[] {
  return label?.isContinued === true ? [`${indent}${nextOf(label)}:;`] : [];
}

function roundLines(context: StatementContext, whole: Loop, indent: string): string[] {
  const loop = withNext(whole);
  const { init, test, update, body, isPostTested, label } = loop;
  const testText = test ? cText(context, test) : '';
  if (isPostTested) {
    const lines = statementLines(context, body.kind === 'block' ? body.body : [body], `${indent}  `);
    return [`${indent}do {`, ...lines, ...nextLines(label, `${indent}  `), `${indent}} while (${testText});`];
  }
  const updateText = update ? cEffect(context, update) : '';
  const first = initText(context, init);
  if (first === undefined) {
    const inner = roundLines(context, { ...whole, init: [] }, `${indent}  `);
    return [`${indent}{`, ...statementLines(context, init, `${indent}  `), ...inner, `${indent}}`];
  }
  const isWhile = first === '' && updateText === '' && test !== undefined;
  const head = isWhile
    ? `while (${testText})`
    : `for (${first};${testText ? ` ${testText}` : ''};${updateText ? ` ${updateText}` : ''})`;
  const lines = bodyLines(context, head, body, indent);
  return label?.isContinued === true
    ? [...lines.slice(0, -1), ...nextLines(label, `${indent}  `), ...lines.slice(-1)]
    : lines;
}

/** What a loop begins with, where it is of one type; undefined where it needs lines of its own. */
function initText(context: StatementContext, init: readonly Statement[]): string | undefined {
  if (init.length === 0) return '';
  if (init.every((one) => one.kind === 'expression'))
    return init.map(({ expression }) => cEffect(context, expression)).join(', ');
  if (!init.every((one) => one.kind === 'declaration' && one.variable.type.kind !== 'array' && one.value))
    return undefined;
  const declarations = init as readonly Declaration[];
  const types = new Set(declarations.map(({ variable }) => context.typeText(settled(variable.type))));
  if (types.size > 1) return undefined;
  const list = declarations.map(({ variable, value }) => `${variable.text} = ${cItem(context, value as Expression)}`);
  return `${[...types][0] ?? ''} ${list.join(', ')}`;
}
