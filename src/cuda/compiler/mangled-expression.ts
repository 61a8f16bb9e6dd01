import type { TypeNode } from '../../core/c-type.ts';
import { namedType, spell, Unreadable } from '../../core/c-type.ts';
import type { MangledText } from './mangled-text.ts';
import type { Argument, Type, TypeBuilder } from './mangled-type.ts';
import { single } from './mangled-type.ts';
import { BINARY, own, UNARY } from './mangling-codes.ts';

/** What an expression needs of the reader of the whole symbol. */
export interface TypeReader {
  readonly text: MangledText;
  readonly build: TypeBuilder;
  type(): Type;
  templateParameter(): Type;
  templateArguments(): readonly Argument[];
  /** The name of a function or a variable, without its `_Z`. */
  entity(): string;
  nest<T>(read: () => T): T;
}

/** A template argument or an array bound; in parentheses where it has parts. */
export function readExpression(reader: TypeReader): Type {
  return reader.nest(() => readOperand(reader));
}

/** `Li4E`; integers have no suffix, as in source text. */
export function readLiteral(reader: TypeReader): TypeNode {
  const { text } = reader;
  text.expect('L');
  if (text.take('_Z')) {
    const name = reader.entity();
    text.expect('E');
    return namedType(name);
  }
  const type = single(reader.type());
  const spelled = spell(type);
  const value = (text.match(/n?\d{0,40}/y) ?? '').replace('n', '-');
  text.expect('E');
  if (spelled === 'std::nullptr_t') return namedType('nullptr');
  if (!/\d$/.test(value) || type.plain?.kind === 'float') throw new Unreadable('literal');
  if (spelled === 'bool' && /^[01]$/.test(value)) return namedType(value === '1' ? 'true' : 'false');
  return namedType(type.plain?.kind === 'int' && !spelled.includes('char') ? value : `(${spelled})${value}`);
}

function readOperand(reader: TypeReader): Type {
  const { text, build } = reader;
  const next = text.peek();
  if (next === 'L') return readLiteral(reader);
  if (next === 'T') return reader.templateParameter();
  const code = text.read(2);
  const binary = own(BINARY, code);
  if (binary !== undefined) {
    const left = readExpression(reader);
    return build.map2(left, readExpression(reader), (a, b) => namedType(`(${spell(a)}${binary}${spell(b)})`));
  }
  const unary = own(UNARY, code);
  if (unary !== undefined) return build.map(readExpression(reader), (a) => namedType(`${unary}${spell(a)}`));
  if (code === 'st') return build.map(reader.type(), (a) => namedType(`sizeof(${spell(a)})`));
  if (code !== 'sr') throw new Unreadable('expression');
  const scope = /\d/.test(text.peek()) ? readLevels(reader) : reader.type();
  return readMember(reader, scope);
}

/** `3std11is_integralIT_EE`: scopes that are not candidates for substitution. */
function readLevels(reader: TypeReader): Type {
  let scope: Type = readMember(reader, undefined);
  while (!reader.text.take('E')) scope = readMember(reader, scope);
  return scope;
}

function readMember(reader: TypeReader, scope: Type | undefined): Type {
  const { text, build } = reader;
  const name = text.sourceName();
  const member = scope ? build.map(scope, (node) => namedType(`${spell(node)}::${name}`)) : namedType(name);
  return text.peek() === 'I' ? build.apply(member, reader.templateArguments()) : member;
}
