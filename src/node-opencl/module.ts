import { nodeOpenCLVariable } from '../core/environment.ts';
import { checkOptions, nameOf } from '../core/check.ts';
import * as later from './constants/opencl-2.ts';
import { exactContextFromType } from './context.ts';
import * as flat from './flat.ts';
import * as wrappers from './wrapper.ts';

/** A version of OpenCL, for the behaviour of node-opencl's build for it. */
export type StrictVersion = '1.2' | '2.0';

/** The options of {@link withOptions}. */
export interface NodeOpenCLOptions {
  /**
   * Offer only the members of node-opencl's build for that version. Default: the value of `RAWKERNEL_NODE_OPENCL_STRICT`,
   * else the members of every version.
   */
  readonly strict?: StrictVersion | undefined;
  /** Put the nine `WebCL…` constructors on the global object, as node-opencl does. Default: false */
  readonly globals?: boolean;
  /** End the process on SIGINT with a line, and call `releaseAll` at its exit, as node-opencl does. Default: false */
  readonly signals?: boolean;
}

/** node-opencl's module: functions, constants, and errors whose messages programs compare. */
export type NodeOpenCL = typeof flat & {
  /** The same module with other options. */
  readonly withOptions: typeof withOptions;
};

const ONLY_1_1 = ['createImage2D', 'enqueueBarrier', 'enqueueMarker', 'enqueueWaitForEvents', 'unloadCompiler'];
const ONLY_1_X = ['createCommandQueue', 'createSampler', 'enqueueTask'];
const ONLY_2_X = [
  'createCommandQueueWithProperties',
  'createPipe',
  'createSamplerWithProperties',
  'getPipeInfo',
  'setKernelArgSVMPointer',
];

/** The members that builds for a version lack. */
const LACKS: Readonly<Record<StrictVersion, (name: string) => boolean>> = {
  '1.2': (name) =>
    ONLY_1_1.includes(name) || ONLY_2_X.includes(name) || name in later || /^(?:enqueue)?SVM[A-Z]/.test(name),
  '2.0': (name) => ONLY_1_1.includes(name) || ONLY_1_X.includes(name),
};

/**
 * node-opencl's module with options.
 *
 * @throws TypeError an unknown option, or a version that is neither 1.2 nor 2.0
 * @example
 * ```js
 * const cl = require('rawkernel/node-opencl').withOptions({ strict: '1.2' });
 *
 * console.log(cl.createCommandQueueWithProperties); // undefined
 * ```
 */
export function withOptions(options: NodeOpenCLOptions = {}): NodeOpenCL {
  checkOptions(options, ['strict', 'globals', 'signals'], 'withOptions');
  const strict = checkVersion(options.strict);
  if (options.globals) Object.assign(globalThis, wrappers);
  if (options.signals) handleSignals();
  return made(strict);
}

/** The module by the environment variables. */
export const nodeOpenCL: NodeOpenCL = made(nodeOpenCLVariable());

function made(strict: StrictVersion | undefined): NodeOpenCL {
  const lacks = strict === undefined ? () => false : LACKS[strict];
  const has = Object.entries(flat).filter(([name]) => !lacks(name));
  const two = strict !== '1.2';
  const own = strict === undefined ? {} : { createContextFromType: exactContextFromType };
  return { ...Object.fromEntries(has), ...own, CL_VERSION_2_0: two, v20: two, withOptions } as unknown as NodeOpenCL;
}

function checkVersion(version: unknown): StrictVersion | undefined {
  if (version === undefined || version === '1.2' || version === '2.0') return version;
  throw new TypeError(`strict must be '1.2' or '2.0', got ${nameOf(version)}`);
}

let handles = false;

function handleSignals(): void {
  if (handles) return;
  handles = true;
  process.on('SIGINT', () => {
    process.stdout.write('\nShutting down\n');
    process.exit();
  });
  process.on('exit', flat.releaseAll);
}
