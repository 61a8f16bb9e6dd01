import { readTokens, type PtxToken } from './lexer.ts';
import { PtxError } from './ptx-error.ts';
import type { Guard, PtxOperand, PtxStatement } from './statements.ts';

/** Read a template: instructions, labels, declarations of registers, blocks. */
export function parseTemplate(template: string): readonly PtxStatement[] {
  return new Parser(readTokens(template)).read();
}

class Parser {
  readonly #tokens: readonly PtxToken[];
  #at = 0;

  constructor(tokens: readonly PtxToken[]) {
    this.#tokens = tokens;
  }

  read(): PtxStatement[] {
    const body = this.#body();
    if (this.#at < this.#tokens.length) throw new PtxError("'}' without a '{' before it");
    return body;
  }

  #body(): PtxStatement[] {
    const body: PtxStatement[] = [];
    while (this.#at < this.#tokens.length && !this.#is('}')) {
      if (this.#take(';')) continue;
      if (this.#take('{')) {
        body.push({ kind: 'block', body: this.#body() });
        this.#expect('}');
      } else body.push(this.#statement());
    }
    return body;
  }

  #statement(): PtxStatement {
    const token = this.#tokens[this.#at];
    if (token?.kind === 'suffix') return this.#directive();
    const after = this.#tokens[this.#at + 1];
    if (token?.kind === 'word' && after?.text === ':') {
      this.#at += 2;
      return { kind: 'label', name: token.text };
    }
    const guard = this.#guard();
    const name = this.#next();
    if (name?.kind !== 'word') throw new PtxError(`an instruction must be here, got '${name?.text ?? 'the end'}'`);
    const opcode = [name.text];
    while (this.#tokens[this.#at]?.kind === 'suffix') opcode.push(this.#next()?.text ?? '');
    const operands: PtxOperand[] = [];
    if (!this.#is(';')) {
      do operands.push(this.#operand());
      while (this.#take(','));
    }
    this.#expect(';', `after '${opcode.join('.')}'`);
    return { kind: 'instruction', opcode, operands, guard };
  }

  #directive(): PtxStatement {
    const name = this.#next()?.text ?? '';
    if (name !== 'reg') throw new PtxError(`PTX directive '.${name}' is not translated by the CPU device`);
    const type = this.#next();
    if (type?.kind !== 'suffix') throw new PtxError(`.reg must have a type, got '${type?.text ?? 'the end'}'`);
    if (/^v[248]$/.test(type.text)) throw new PtxError(`vector registers ('.reg .${type.text}') are not translated`);
    const names: string[] = [];
    do names.push(...this.#declared());
    while (this.#take(','));
    this.#expect(';', `after '.reg .${type.text}'`);
    return { kind: 'registers', type: type.text, names };
  }

  /** `t`, or `t<4>` for t0 to t3. */
  #declared(): string[] {
    const name = this.#next();
    if (name?.kind !== 'word') throw new PtxError(`a register's name must be here, got '${name?.text ?? 'the end'}'`);
    if (!this.#take('<')) return [name.text];
    const count = Number(this.#next()?.text);
    this.#expect('>');
    if (!(count > 0 && count <= 4096))
      throw new PtxError(`${name.text}<n> must have 1 to 4096 registers, got ${count}`);
    return Array.from({ length: count }, (_, i) => `${name.text}${i}`);
  }

  #guard(): Guard | undefined {
    if (!this.#take('@')) return undefined;
    const negated = this.#take('!');
    return { predicate: this.#value(), negated };
  }

  #operand(): PtxOperand {
    if (this.#take('[')) return this.#address();
    if (this.#take('{')) {
      const parts: PtxOperand[] = [];
      do parts.push(this.#operand());
      while (this.#take(','));
      this.#expect('}');
      return { kind: 'vector', parts };
    }
    if (this.#take('!')) return { kind: 'not', of: this.#value() };
    const first = this.#value();
    return this.#take('|') ? { kind: 'pair', first, second: this.#value() } : first;
  }

  #address(): PtxOperand {
    const base = this.#value();
    let offset = 0n;
    while (this.#is('+') || this.#is('-')) {
      const sign = this.#next()?.text === '-' ? -1n : 1n;
      const value = this.#value();
      if (value.kind !== 'integer') throw new PtxError('the offset of an address must be a number');
      offset += sign * value.value;
    }
    this.#expect(']');
    return { kind: 'address', base, offset };
  }

  #value(): PtxOperand {
    if (this.#take('-')) {
      const value = this.#value();
      if (value.kind === 'integer') return { kind: 'integer', value: -value.value };
      if (value.kind === 'float') return { ...value, bits: value.bits ^ (1n << BigInt(value.width - 1)) };
      throw new PtxError("'-' must be before a number; neg negates a register");
    }
    const token = this.#next();
    switch (token?.kind) {
      case 'operand':
        return { kind: 'argument', index: Number(token.text), ...this.#component() };
      case 'number':
        return numberOf(token.text);
      case 'word':
        if (token.text === '_') return { kind: 'nothing' };
        if (token.text === 'WARP_SZ') return { kind: 'integer', value: 32n };
        return { kind: 'name', name: token.text, ...this.#component() };
      default:
        throw new PtxError(`an operand must be here, got '${token?.text ?? 'the end'}'`);
    }
  }

  #component(): { component?: string } {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'suffix') return {};
    this.#at++;
    return { component: token.text };
  }

  #next(): PtxToken | undefined {
    return this.#tokens[this.#at++];
  }

  #is(sign: string): boolean {
    const token = this.#tokens[this.#at];
    return token?.kind === 'sign' && token.text === sign;
  }

  #take(sign: string): boolean {
    const is = this.#is(sign);
    if (is) this.#at++;
    return is;
  }

  #expect(sign: string, where = ''): void {
    if (this.#take(sign)) return;
    const got = this.#tokens[this.#at]?.text;
    throw new PtxError(
      `'${sign}' must be here${where && ` ${where}`}, got ${got === undefined ? 'the end' : `'${got}'`}`,
    );
  }
}

function numberOf(text: string): PtxOperand {
  const bits = /^0[fFdD]([\da-fA-F]+)$/.exec(text)?.[1];
  if (bits !== undefined) return { kind: 'float', bits: BigInt(`0x${bits}`), width: bits.length === 8 ? 32 : 64 };
  if (/^\d+(?:\.|[eE])/.test(text)) {
    const [wide = 0n] = new BigUint64Array(Float64Array.of(Number(text)).buffer);
    return { kind: 'float', bits: wide, width: 64 };
  }
  const plain = text.replace(/U$/, '');
  // An octal number begins with 0, as in C.
  return { kind: 'integer', value: BigInt(/^0[0-7]+$/.test(plain) ? `0o${plain.slice(1)}` : plain) };
}
