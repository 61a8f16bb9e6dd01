/** A value as the log has it: JSON, from which the child makes the value itself. */
export type Spec =
  | { readonly t: 'json'; readonly v: string | number | boolean | null }
  | { readonly t: 'number' | 'bigint'; readonly v: string }
  | { readonly t: 'undefined' | 'symbol' | 'map' | 'date' | 'regexp' | 'hole' | 'promise' | 'iterator' | 'cycle' }
  | { readonly t: 'text'; readonly v: string; readonly times: number }
  | { readonly t: 'fn'; readonly kind: 'nothing' | 'throws' | 'async' | 'class' | 'number' }
  | { readonly t: 'object'; readonly proto: boolean; readonly props: Readonly<Record<string, Spec>> }
  | { readonly t: 'list'; readonly of: readonly Spec[] }
  | { readonly t: 'view'; readonly name: string; readonly length: number; readonly kind: ViewKind }
  | { readonly t: 'proxy'; readonly kind: 'revoked' | 'plain' | 'throws'; readonly of: Spec }
  | { readonly t: 'evil'; readonly kind: EvilKind; readonly of: Spec }
  | { readonly t: 'signal'; readonly aborted: boolean }
  | { readonly t: 'source'; readonly name: string }
  | { readonly t: 'ref'; readonly call: number; readonly path: readonly string[] }
  | { readonly t: 'export'; readonly path: string };

/** What a typed array is of. `guarded` has bytes before and behind it that nobody may touch. */
export type ViewKind = 'guarded' | 'shared' | 'resizable' | 'shrunk' | 'detached' | 'lies' | 'growable';

/** What is wrong with an object. */
export type EvilKind = 'getter' | 'string' | 'primitive' | 'frozen' | 'inherits' | 'length';

/** One call: of what, and with what. */
export interface Call {
  /** The number of its sequence. */
  readonly sequence: number;
  readonly id: number;
  readonly op: 'call' | 'new' | 'get' | 'set';
  /** The receiver, or for an export itself where it is found. */
  readonly on: Spec;
  /** A member of the receiver; none for the receiver itself. */
  readonly key: string | undefined;
  /** How the tables call it: `Context.prototype.close`. */
  readonly name: string;
  readonly args: readonly Spec[];
}

/** As a line of JavaScript. */
export function showCall(call: Call): string {
  const on = showSpec(call.on);
  const member = call.key === undefined ? on : `${on}${showKey(call.key)}`;
  const args = call.args.map(showSpec).join(', ');
  const id = `v${call.id}`;
  if (call.op === 'get') return `${id} = ${member}`;
  if (call.op === 'set') return `${member} = ${args}`;
  return `${id} = ${call.op === 'new' ? 'new ' : ''}${member}(${args}) // ${call.name}`;
}

function showKey(key: string): string {
  if (key.startsWith('@@')) return `[Symbol.${key.slice(2)}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** As JavaScript, or nearly. */
function showSpec(spec: Spec): string {
  switch (spec.t) {
    case 'json':
      return JSON.stringify(spec.v);
    case 'number':
      return spec.v;
    case 'bigint':
      return `${spec.v}n`;
    case 'text':
      return `${JSON.stringify(spec.v)}.repeat(${spec.times})`;
    case 'fn':
      return `<function ${spec.kind}>`;
    case 'object': {
      const props = Object.entries(spec.props).map(([key, value]) => `${JSON.stringify(key)}: ${showSpec(value)}`);
      return `${spec.proto ? '' : '<null prototype> '}{ ${props.join(', ')} }`;
    }
    case 'list':
      return `[${spec.of.map(showSpec).join(', ')}]`;
    case 'view':
      return `<${spec.kind} ${spec.name}(${spec.length})>`;
    case 'proxy':
      return `<${spec.kind} proxy of ${showSpec(spec.of)}>`;
    case 'evil':
      return `<${spec.kind}: ${showSpec(spec.of)}>`;
    case 'signal':
      return `<${spec.aborted ? 'aborted ' : ''}signal>`;
    case 'source':
      return `<source ${spec.name}>`;
    case 'ref':
      return `v${spec.call}${spec.path.map(showKey).join('')}`;
    case 'export':
      return spec.path;
    default:
      return `<${spec.t}>`;
  }
}

/** The calls whose results a value is made of. */
export function refsOf(spec: Spec): number[] {
  switch (spec.t) {
    case 'ref':
      return [spec.call];
    case 'object':
      return Object.values(spec.props).flatMap(refsOf);
    case 'list':
      return spec.of.flatMap(refsOf);
    case 'proxy':
    case 'evil':
      return refsOf(spec.of);
    default:
      return [];
  }
}
