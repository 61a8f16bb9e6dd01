import { PtxError } from './ptx-error.ts';
import type { PtxOperand } from './statements.ts';
import { bitsType, typeOf, type PtxType } from './ptx-type.ts';
import { specialRegister } from './special-registers.ts';

/** A register: a variable that LLVM's passes turn into values. */
export interface Register {
  readonly slot: string;
  readonly type: PtxType;
  /** In LLVM's text, where the operand's type there is another: a pointer. */
  readonly ir: string;
  readonly told: string;
}

/** Writes the function that stands for one statement. */
export class Writer {
  readonly lines: string[] = [];
  readonly #variables: string[] = [];
  readonly carry: string;
  /** Whether the instruction may name special registers. */
  takesSpecial = false;
  /** Whether the statement wants the carry flag of one before it. */
  wantsCarry = false;
  #arguments: readonly Register[] = [];
  /** Of constant arguments, which are not registers. */
  #constants: ReadonlyMap<number, bigint> = new Map();
  #hasCarry = false;
  readonly #scopes: Map<string, Register>[] = [];
  readonly #labels: Map<string, string>[] = [];
  /** Functions of the library that are called, with their declarations. */
  readonly called: Map<string, string> = new Map();
  #count = 0;

  /**
   * @param carry - where the carry flag is
   */
  constructor(carry: string) {
    this.carry = carry;
  }

  /** The operands of the statement, by their numbers. */
  take(args: readonly Register[], constants: ReadonlyMap<number, bigint>): void {
    this.#arguments = args;
    this.#constants = constants;
  }

  /** The variables' definitions, which belong to the start of the function. */
  get variables(): readonly string[] {
    return this.#variables;
  }

  /** Begin a scope with its labels. */
  open(labels: readonly string[]): void {
    this.#scopes.push(new Map());
    this.#labels.push(new Map(labels.map((name) => [name, this.block()])));
  }

  close(): void {
    this.#scopes.pop();
    this.#labels.pop();
  }

  /** A name that nothing else has. */
  fresh(): string {
    return `%t${this.#count++}`;
  }

  /** A value: an instruction's result. */
  value(instruction: string): string {
    const name = this.fresh();
    this.lines.push(`  ${name} = ${instruction}`);
    return name;
  }

  line(text: string): void {
    this.lines.push(`  ${text}`);
  }

  variable(ir: string): string {
    const name = `%v${this.#variables.length}`;
    this.#variables.push(`  ${name} = alloca ${ir}`);
    return name;
  }

  declare(type: string, names: readonly string[]): void {
    const kind = typeOf(type);
    const scope = this.#scopes.at(-1);
    for (const name of names) {
      if (scope?.has(name)) throw new PtxError(`register '${name}' is declared twice`);
      scope?.set(name, { slot: this.variable(kind.ir), type: kind, ir: kind.ir, told: name });
    }
  }

  /** The label of a block that a branch names; it may come later. */
  label(name: string): string {
    const scope = this.#labels.findLast((one) => one.has(name));
    const label = scope?.get(name);
    if (label === undefined) throw new PtxError(`label '${name}' is not in the statement`);
    return label;
  }

  /** A block that nothing else has. */
  block(): string {
    return `L${this.#count++}`;
  }

  /** Go on in a block, which the code before it enters, too. */
  enter(block: string): void {
    this.line(`br label %${block}`);
    this.lines.push(`${block}:`);
  }

  /** Note a use of the carry flag. */
  carries(reads: boolean): string {
    if (reads && !this.#hasCarry) this.wantsCarry = true;
    this.#hasCarry = true;
    return this.carry;
  }

  /** Whether an operand is a register rather than a number. */
  registerOf(operand: PtxOperand): Register | undefined {
    if (operand.kind === 'argument') {
      if (this.#constants.has(operand.index)) return undefined;
      const found = this.#arguments[operand.index];
      if (!found)
        throw new PtxError(
          `%${operand.index} must be an operand of the statement, which has ${this.#arguments.length}`,
        );
      return found;
    }
    if (operand.kind !== 'name' || operand.component !== undefined) return undefined;
    return this.#scopes.findLast((scope) => scope.has(operand.name))?.get(operand.name);
  }

  /** The number that an operand is, if it is one. */
  constantOf(operand: PtxOperand): bigint | undefined {
    if (operand.kind === 'integer') return operand.value;
    return operand.kind === 'argument' ? this.#constants.get(operand.index) : undefined;
  }

  /**
   * The value of an operand as a type.
   *
   * @param cut - whether a wider register may be read, as by st and cvt
   */
  read(operand: PtxOperand, type: PtxType, cut = false): string {
    const constant = this.constantOf(operand);
    if (constant !== undefined) return this.#integer(constant, type);
    if (operand.kind === 'float') return this.#float(operand, type);
    if (operand.kind === 'not') {
      return this.value(`xor ${type.ir} ${this.read(operand.of, type)}, ${type.kind === 'p' ? 'true' : '-1'}`);
    }
    const register = this.registerOf(operand);
    if (register) return this.#as(this.value(`load ${register.ir}, ptr ${register.slot}`), register, type, cut);
    if (operand.kind === 'name') {
      const special = specialRegister(this, operand.name, operand.component);
      if (special && !this.takesSpecial) {
        throw new PtxError(`special register '${operand.name}' must be read by mov or cvt`);
      }
      if (special) return this.#as(special.value, { ...special, told: operand.name, slot: '' }, type, cut);
      const told = operand.component === undefined ? operand.name : `${operand.name}.${operand.component}`;
      if (operand.name.startsWith('%')) {
        throw new PtxError(`PTX special register '${told}' is not translated by the CPU device`);
      }
      throw new PtxError(`register '${told}' is not declared`);
    }
    throw new PtxError(`a ${operand.kind} cannot be read as .${type.kind}${type.bits}`);
  }

  /** Put a value of a type into an operand; `_` takes none. */
  write(operand: PtxOperand, type: PtxType, value: string, wide = false): void {
    if (operand.kind === 'nothing') return;
    const register = this.registerOf(operand);
    if (!register) {
      const told = operand.kind === 'name' ? `'${operand.name}' is not declared` : 'is not a register';
      throw new PtxError(`the destination ${told}`);
    }
    let stored = value;
    if (register.ir !== type.ir) stored = this.#converted(value, type, register, wide);
    this.line(`store ${register.ir} ${stored}, ptr ${register.slot}`);
  }

  /** Call a function of the library. */
  call(name: string, result: string, args: readonly string[]): string {
    const types = args.map((arg) => arg.slice(0, arg.indexOf(' ')));
    this.called.set(name, `declare ${result} @${name}(${types.join(', ')})`);
    const text = `call ${result} @${name}(${args.join(', ')})`;
    if (result !== 'void') return this.value(text);
    this.line(text);
    return '';
  }

  /** The pointer that an operand in brackets is; a register of 32 bits has an address in shared memory. */
  address(operand: PtxOperand): string {
    if (operand.kind !== 'address') throw new PtxError('an address in brackets must be here');
    const { base, offset } = operand;
    const register = this.registerOf(base);
    let pointer: string;
    if (register?.ir === 'ptr') pointer = this.value(`load ptr, ptr ${register.slot}`);
    else {
      const narrow = register?.type.bits === 32;
      const raw = this.read(base, typeOf(narrow ? 'b32' : 'b64'));
      const wide = narrow ? this.value(`zext i32 ${raw} to i64`) : raw;
      pointer = this.value(`inttoptr i64 ${wide} to ptr`);
    }
    return offset === 0n ? pointer : this.value(`getelementptr i8, ptr ${pointer}, i64 ${offset}`);
  }

  #integer(value: bigint, type: PtxType): string {
    if (type.kind === 'p') throw new PtxError(`a predicate must be here, got ${value}`);
    if (type.ir === 'float' || type.ir === 'double') {
      throw new PtxError(
        `a number of .${type.kind}${type.bits} must have a point or begin with 0f or 0d, got ${value}`,
      );
    }
    return String(BigInt.asIntN(type.bits, value));
  }

  #float({ bits, width }: PtxOperand & { kind: 'float' }, type: PtxType): string {
    const view = new DataView(new ArrayBuffer(8));
    if (type.bits === 32 && width === 64) {
      view.setBigUint64(0, bits);
      view.setFloat32(0, view.getFloat64(0));
      return this.#fromBits(BigInt(view.getUint32(0)), type);
    }
    if (type.bits === 64 && width === 32) {
      view.setUint32(0, Number(bits));
      view.setFloat64(0, view.getFloat32(0));
      return this.#fromBits(view.getBigUint64(0), type);
    }
    if (type.bits !== width) throw new PtxError(`a number of ${type.bits} bits must be here, got one of ${width}`);
    return this.#fromBits(bits, type);
  }

  #fromBits(bits: bigint, type: PtxType): string {
    const ir = bitsType(type);
    return type.ir === ir ? String(bits) : this.value(`bitcast ${ir} ${BigInt.asIntN(type.bits, bits)} to ${type.ir}`);
  }

  #as(value: string, from: Register, type: PtxType, cut: boolean): string {
    if (from.ir === type.ir) return value;
    if ((from.type.kind === 'p') !== (type.kind === 'p')) {
      throw new PtxError(
        `'${from.told}' is ${from.type.kind === 'p' ? 'a' : 'not a'} predicate, and the instruction wants .${type.kind}${type.bits}`,
      );
    }
    const { bits } = from.type;
    const raw = from.ir === 'ptr' ? this.value(`ptrtoint ptr ${value} to i64`) : value;
    const isInteger = from.ir === 'ptr' || from.ir === bitsType(from.type);
    const whole = isInteger ? raw : this.value(`bitcast ${from.ir} ${raw} to i${bits}`);
    if (bits < type.bits || (bits > type.bits && !cut)) throw mismatch(from, type);
    const fit = bits === type.bits ? whole : this.value(`trunc i${bits} ${whole} to i${type.bits}`);
    return type.ir === bitsType(type) ? fit : this.value(`bitcast i${type.bits} ${fit} to ${type.ir}`);
  }

  #converted(value: string, type: PtxType, register: Register, wide: boolean): string {
    if ((register.type.kind === 'p') !== (type.kind === 'p')) throw mismatch(register, type);
    const { bits } = register.type;
    const whole = type.ir === bitsType(type) ? value : this.value(`bitcast ${type.ir} ${value} to i${type.bits}`);
    if (bits < type.bits || (bits > type.bits && !wide)) throw mismatch(register, type);
    const extend = type.kind === 's' ? 'sext' : 'zext';
    const fit = bits === type.bits ? whole : this.value(`${extend} i${type.bits} ${whole} to i${bits}`);
    if (register.ir === 'ptr') return this.value(`inttoptr i64 ${fit} to ptr`);
    return register.ir === bitsType(register.type) ? fit : this.value(`bitcast i${bits} ${fit} to ${register.ir}`);
  }
}

function mismatch({ told, type: { bits } }: Register, type: PtxType): PtxError {
  return new PtxError(`'${told}' has ${bits} bits, and the instruction wants .${type.kind}${type.bits}`);
}
