import { BuiltInWriter, vectorOf, type BuiltIn, type Definition } from './built-in.ts';
import { builtinType } from './builtin-types.ts';
import type { MangledType } from './mangling.ts';

const LOAD = /^vload(\d+)$/;
const STORE = /^vstore(\d+)$/;
const LOAD_HALF = /^vload(a?)_half(\d*)$/;
const STORE_HALF = /^vstore(a?)_half(\d*)((?:_rt[ezpn])?)$/;
const INDEX: MangledType = { kind: 'scalar', code: 'm' };

/** `vload` and `vstore`, with halves and without. */
export function memoryForms(of: BuiltIn): Definition | undefined {
  return load(of) ?? store(of) ?? loadHalf(of) ?? storeHalf(of);
}

/** The type that a function's pointer leads to. */
function pointee(of: BuiltIn): ReturnType<typeof builtinType> {
  const type = of.parameters.find(({ kind }) => kind === 'pointer');
  return type?.kind === 'pointer' && type.to.kind === 'scalar' ? builtinType(type.to.code) : undefined;
}

function load(of: BuiltIn): Definition | undefined {
  const count = Number(LOAD.exec(of.name)?.[1] ?? 0);
  const element = pointee(of);
  if (count === 0 || !element) return undefined;
  const writer = new BuiltInWriter(of);
  const start = writer.address(element.ir, '%a1', writer.make(`mul i64 %a0, ${count}`));
  // Three elements one by one: as a vector they would count as four.
  if (count !== 3) return writer.finish(writer.make(`load ${of.result}, ptr ${start}, align ${element.bytes}`));
  const elements = [0, 1, 2].map((i) =>
    writer.make(`load ${element.ir}, ptr ${writer.address(element.ir, start, i)}, align ${element.bytes}`),
  );
  return writer.finish(writer.gather(of.result, elements));
}

function store(of: BuiltIn): Definition | undefined {
  const count = Number(STORE.exec(of.name)?.[1] ?? 0);
  const element = pointee(of);
  const [type = ''] = of.types;
  if (count === 0 || !element) return undefined;
  const writer = new BuiltInWriter(of);
  const start = writer.address(element.ir, '%a2', writer.make(`mul i64 %a1, ${count}`));
  if (count !== 3) writer.line(`store ${type} %a0, ptr ${start}, align ${element.bytes}`);
  else {
    for (const i of [0, 1, 2]) {
      const value = writer.extract(type, '%a0', i);
      writer.line(`store ${element.ir} ${value}, ptr ${writer.address(element.ir, start, i)}, align ${element.bytes}`);
    }
  }
  return writer.finish('');
}

/** Elements from one vector to the next: in the aligned form three take the place of four. */
function strideOf(aligned: string | undefined, count: number): number {
  return aligned === 'a' && count === 3 ? 4 : count;
}

function loadHalf(of: BuiltIn): Definition | undefined {
  const [, aligned, width = ''] = LOAD_HALF.exec(of.name) ?? [];
  const pointer = of.parameters[1];
  if (aligned === undefined || width === '' || !pointer) return undefined;
  const writer = new BuiltInWriter(of);
  const count = Number(width);
  const start = writer.make(`mul i64 %a0, ${strideOf(aligned, count)}`);
  const element = vectorOf(of.result)?.element ?? '';
  const elements = Array.from({ length: count }, (_, i) =>
    writer.call('vload_half', [INDEX, pointer], [writer.make(`add i64 ${start}, ${i}`), '%a1'], element),
  );
  return writer.finish(writer.gather(of.result, elements));
}

function storeHalf(of: BuiltIn): Definition | undefined {
  const [, aligned, width = '', rounding = ''] = STORE_HALF.exec(of.name) ?? [];
  const [value, , pointer] = of.parameters;
  if (aligned === undefined || width === '' || value?.kind !== 'vector' || !pointer) return undefined;
  const writer = new BuiltInWriter(of);
  const count = Number(width);
  const start = writer.make(`mul i64 %a1, ${strideOf(aligned, count)}`);
  const element: MangledType = { kind: 'scalar', code: value.element };
  for (let i = 0; i < count; i++) {
    const one = writer.extract(of.types[0] ?? '', '%a0', i);
    const at = writer.make(`add i64 ${start}, ${i}`);
    writer.call(`vstore_half${rounding}`, [element, INDEX, pointer], [one, at, '%a2'], 'void');
  }
  return writer.finish('');
}
