import { Callable } from '../../core/callable.ts';
import { checkInteger, checkOptions, nameOf } from '../../core/check.ts';
import { applied } from '../applied.ts';
import { empty } from '../apply.ts';
import { readDType, type ArrayDType } from '../dtype.ts';
import type { ArrayKernel, Engine, LaneOptions, LaunchArgument } from '../engine.ts';
import { concat } from '../function/join.ts';
import { compress, flatnonzero } from '../function/mask.ts';
import { cumsum } from '../function/scan.ts';
import { fill } from '../function/transfer.ts';
import { Kernels } from '../kernel-cache.ts';
import { lanesOf } from '../lane-options.ts';
import { storageType, type Parameter } from '../kernel/dialect.ts';
import { sourceOf, type KernelText } from '../kernel/source.ts';
import { memoryOf, NDArray, viewOf } from '../ndarray.ts';
import { asList } from '../shape.ts';
import { narrow } from '../view.ts';
import type { Language } from './element.ts';
import { KernelArguments } from './kernel-arguments.ts';
import { checkText, checkUserOptions, kernelName, userText, type UserTextOptions } from './user-text.ts';

/** The options of {@link ListOfLists}. */
export interface ListOfListsOptions extends UserTextOptions {
  /** The name of kernels, `list_builder` by default. */
  readonly name?: string | undefined;
  /** Lists that always have as many elements as another one: `{ second: 'first' }`. */
  readonly countSharing?: Readonly<Record<string, string>> | undefined;
  /** Lists of which those without elements are left out. */
  readonly eliminateEmptyOutputLists?: readonly string[] | undefined;
}

/** The options of a call of {@link ListOfLists}. */
export interface ListOfListsCallOptions extends LaneOptions {
  /** Lists that are not made this time. */
  readonly omitLists?: readonly string[] | undefined;
}

/** The lists of one name. */
export interface BuiltList {
  /** How many elements all lists have. */
  readonly count: number;
  /** Where each list begins among the elements, and behind them the end of the last one. */
  readonly starts: NDArray<'i64'>;
  /** The elements, list by list. */
  readonly lists: NDArray;
  /** Where lists without elements are left out: how many there are, and the objects of those. */
  readonly nonemptyIndices: NDArray<'i64'> | undefined;
}

interface NamedList {
  readonly name: string;
  readonly dtype: ArrayDType;
}

const WHAT = 'ListOfListsBuilder';

/** Call it with the number of objects, the arguments that it declares, and options. Host: blocks until the lengths are known. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is called
export interface ListOfLists {
  (objectCount: number, ...args: readonly unknown[]): Record<string, BuiltList>;
}

/** What `ListOfListsBuilder` is of in both halves. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- an instance is called
export abstract class ListOfLists extends Callable {
  readonly #builder: Builder;

  /** @internal */
  constructor(
    engine: () => Engine,
    lists: readonly (readonly [name: string, dtype: string])[],
    generate: string,
    parameters: string | readonly string[] = '',
    options: ListOfListsOptions = {},
  ) {
    const builder = new Builder(lists, generate, parameters, options);
    super((objectCount: number, ...args: readonly unknown[]) => builder.build(engine, objectCount, args), builder.name);
    this.#builder = builder;
  }

  /** The source of the kernel that writes the lists, as it was compiled last; undefined before the first call. */
  get source(): string | undefined {
    return this.#builder.source;
  }
}

class Builder {
  readonly name: string;
  source: string | undefined;
  readonly #lists: readonly NamedList[];
  readonly #parameters: KernelArguments;
  readonly #generate: string;
  readonly #options: ListOfListsOptions;
  readonly #kernels: Kernels;

  constructor(
    lists: readonly (readonly [name: string, dtype: string])[],
    generate: string,
    parameters: string | readonly string[],
    options: ListOfListsOptions,
  ) {
    checkOptions(options, ['name', 'countSharing', 'eliminateEmptyOutputLists', 'preamble', 'options', 'types'], WHAT);
    checkUserOptions(options, WHAT);
    checkText(generate, `${WHAT}: the text of generate()`);
    if (!/\bvoid\s+generate\s*\(/.test(generate)) {
      throw new TypeError(
        `${WHAT}: the text must have a function 'void generate(LIST_ARG_DECL USER_ARG_DECL index_type i)'`,
      );
    }
    this.name = kernelName(options.name, 'list_builder', WHAT);
    this.#lists = readLists(lists);
    const names = this.#lists.map(({ name }) => name);
    const { countSharing = {}, eliminateEmptyOutputLists = [] } = options;
    for (const name of [...Object.keys(countSharing), ...Object.values(countSharing), ...eliminateEmptyOutputLists]) {
      if (names.includes(name)) continue;
      throw new TypeError(`${WHAT}: a list must be one of ${names.join(', ')}, got ${nameOf(name)}`);
    }
    this.#parameters = new KernelArguments(parameters, this.name, { types: options.types, reserved: ['i'] });
    this.#generate = generate;
    this.#options = options;
    this.#kernels = new Kernels(options.options);
  }

  build(engineOf: () => Engine, objectCount: number, args: readonly unknown[]): Record<string, BuiltList> {
    const what = this.name;
    const n = checkInteger(objectCount, `${what}: the number of objects`, 0);
    const arity = this.#parameters.list.length;
    const given = (args.length > arity ? args[arity] : undefined) as ListOfListsCallOptions | undefined;
    if (given !== undefined) checkOptions(given, ['omitLists', 'stream', 'queue'], what);
    const lanes = lanesOf(given);
    const omitted = given?.omitLists ?? [];
    const made: NDArray[] = [];
    const keep = <D extends ArrayDType>(array: NDArray<D>): NDArray<D> => {
      made.push(array);
      return array;
    };
    // Where numbers alone are passed, an array says where the lists are to be.
    const place = args.some((arg) => arg instanceof NDArray)
      ? undefined
      : empty(engineOf(), [1], 'u8', engineOf().defaultLane);
    try {
      const bound = this.#parameters.bind(args.length > arity ? args.slice(0, arity) : args, {
        options: lanes,
        anyLength: true,
        out: place,
      });
      const { engine, lane } = bound;
      const counted = this.#lists.filter(({ name }) => this.#sharedWith(name) === undefined);
      const starts = new Map<string, NDArray<'i64'>>();
      for (const { name } of counted) {
        const array = keep(empty(engine, [n + 1], 'i64', lane));
        fill(array, 0, lane);
        starts.set(name, array);
      }
      const own = [...bound.memories];
      const run = (mode: Mode, outputs: readonly NDArray[], inputs: readonly NDArray[]): void => {
        if (n === 0) return;
        const { written, memories } = this.#parameters;
        const width = engine.facts.packBytes === 0 ? 16 : engine.facts.groupSize;
        const launched: LaunchArgument[] = [
          ...outputs.map((array) => memoryOf(array)),
          ...own.slice(0, written),
          ...inputs.map((array) => memoryOf(array)),
          ...own.slice(written, memories.length),
          n,
          ...own.slice(memories.length),
          ...bound.scalars,
        ];
        this.#kernel(engine, mode, omitted).launch(
          lane,
          Math.ceil(n / width),
          width,
          1,
          launched,
          outputs.length + written,
        );
      };
      run(
        'count',
        counted.map(({ name }) => starts.get(name) as unknown as NDArray),
        [],
      );
      const totals = new Map<string, number>();
      for (const [name, array] of starts) {
        const sums = keep(cumsum(array, lanes));
        starts.set(name, sums);
        totals.set(name, Number(sums.item(n)));
      }
      const startsOf = (name: string): NDArray<'i64'> => starts.get(this.#sharedWith(name) ?? name) as NDArray<'i64'>;
      const wanted = this.#lists.filter(({ name }) => !omitted.includes(name));
      const elements = wanted.map(({ name, dtype }) => {
        return keep(empty(engine, [totals.get(this.#sharedWith(name) ?? name) ?? 0], dtype, lane));
      });
      run(
        'write',
        elements,
        wanted.map(({ name }) => startsOf(name) as unknown as NDArray),
      );
      const results: [string, BuiltList][] = [];
      for (const [i, { name }] of wanted.entries()) {
        const lists = elements[i] as NDArray;
        results.push([name, this.#result(name, lists, startsOf(name), lanes, keep)]);
      }
      const kept = new Set<NDArray>(
        results.flatMap(([, { lists, starts: begins, nonemptyIndices }]) => {
          return [lists, begins, nonemptyIndices] as unknown as NDArray[];
        }),
      );
      for (const array of made) if (!kept.has(array)) array.close();
      return Object.fromEntries(results);
    } catch (error) {
      for (const array of made) array.close();
      throw error;
    } finally {
      place?.close();
    }
  }

  #sharedWith(name: string): string | undefined {
    return this.#options.countSharing?.[name];
  }

  #result(
    name: string,
    lists: NDArray,
    starts: NDArray<'i64'>,
    lanes: LaneOptions,
    keep: <D extends ArrayDType>(array: NDArray<D>) => NDArray<D>,
  ): BuiltList {
    if (this.#options.eliminateEmptyOutputLists?.includes(name) !== true) {
      // Each list has starts of its own to close, though the memory may be another one's too.
      return { count: lists.size, starts: keep(viewOf(starts, starts)), lists, nonemptyIndices: undefined };
    }
    const n = starts.size - 1;
    using begins = viewOf(starts, narrow(starts, 0, 0, n));
    using ends = viewOf(starts, narrow(starts, 0, 1, n));
    using end = viewOf(starts, narrow(starts, 0, n, 1));
    using isLong = applied.greater.run([ends, begins], lanes);
    const nonemptyIndices = keep(flatnonzero(isLong, lanes));
    using first = compress(isLong, begins);
    return { count: lists.size, starts: keep(concat([first, end], lanes)), lists, nonemptyIndices } as BuiltList;
  }

  #kernel(engine: Engine, mode: Mode, omitted: readonly string[]): ArrayKernel {
    const key = [mode, ...omitted].join(' ');
    return this.#kernels.of(engine, key, () => {
      const text = this.#text(mode, engine.dialect.name, omitted);
      this.source = sourceOf([text], engine.dialect);
      return text;
    });
  }

  #text(mode: Mode, language: Language, omitted: readonly string[]): KernelText {
    const parameters = this.#parameters;
    const formals = parameters.formals(language);
    const names = parameters.list.map(({ name }) => name).join(', ');
    const isCount = mode === 'count';
    const isThere = ({ name }: NamedList): boolean => {
      return isCount ? this.#sharedWith(name) === undefined : !omitted.includes(name);
    };
    const lists = this.#lists.filter(isThere);
    const declared = lists.map(({ name, dtype }) => {
      return isCount ? `i64 *rk_at_${name}` : `GLOBAL ${storageType(dtype)} *rk_list_${name}, i64 *rk_at_${name}`;
    });
    const passed = lists.map(({ name }) => (isCount ? `rk_at_${name}` : `rk_list_${name}, rk_at_${name}`));
    const comma = (text: string): string => (text === '' ? '' : `${text},`);
    const appends = this.#lists.map((list) => {
      const { name } = list;
      const step = isCount ? `++*rk_at_${name};` : `rk_list_${name}[(*rk_at_${name})++] = (value);`;
      return `#define APPEND_${name}(value) { ${isThere(list) ? step : ''} }\n`;
    });
    const user = userText(language, this.#options, [formals, this.#generate]);
    const preamble = `${user.preamble}typedef i64 index_type;
#define LIST_ARG_DECL ${comma(declared.join(', '))}
#define LIST_ARGS ${comma(passed.join(', '))}
#define USER_ARG_DECL ${comma(formals)}
#define USER_ARGS ${comma(names)}
${appends.join('')}${this.#generate.replace(/\bvoid\s+generate\s*\(/, 'FN void generate(')}
`;
    const begin = lists.map(({ name }) => `i64 at_${name} = ${isCount ? '0' : `starts_${name}[i]`};`);
    const given = lists.map(({ name }) => (isCount ? `&at_${name}` : `list_${name}, &at_${name}`));
    const end = isCount ? lists.map(({ name }) => `starts_${name}[i + 1] = at_${name};`) : [];
    const actuals = parameters.actuals(language);
    const body = `
const i64 i = (i64)GROUP_ID(x) * LOCAL_SIZE(x) + LOCAL_ID(x);
if (i >= objects) return;
${begin.join('\n')}
generate(${[...given, ...(actuals === '' ? [] : [actuals]), 'i'].join(', ')});
${end.join('\n')}`;
    const memory = (name: string, dtype: ArrayDType, kind: 'output' | 'input'): Parameter => ({ name, dtype, kind });
    const starts = lists.map(({ name }) => memory(`starts_${name}`, 'i64', isCount ? 'output' : 'input'));
    const elements = isCount ? [] : lists.map(({ name, dtype }) => memory(`list_${name}`, dtype, 'output'));
    const { memories, written } = parameters;
    return {
      name: `${this.name}_${mode}`,
      head: user.head,
      preamble,
      body,
      parameters: [
        ...(isCount ? starts : elements),
        ...memories.slice(0, written),
        ...(isCount ? [] : starts),
        ...memories.slice(written),
        { name: 'objects', dtype: 'i64', kind: 'number' },
        ...parameters.offsets,
        ...parameters.scalars,
      ],
    };
  }
}

type Mode = 'count' | 'write';

function readLists(given: unknown): NamedList[] {
  const list = asList(given);
  if (!list || list.length === 0) {
    throw new TypeError(`${WHAT}: lists must be a list of one or more [name, dtype], got ${nameOf(given)}`);
  }
  return Array.from(list, (each) => {
    const [name, dtype] = (asList(each) ?? []) as [unknown, unknown];
    if (typeof name !== 'string' || !/^[A-Za-z_]\w*$/.test(name)) {
      throw new TypeError(`${WHAT}: a list must have a name in C, got ${nameOf(name)}`);
    }
    return { name, dtype: readDType(dtype, `${WHAT}: ${name}`) };
  });
}
