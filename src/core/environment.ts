/** A variable whose value is not one of those that it may have. */
function refuse(name: string, expectation: string, value: string, Kind: ErrorConstructor = TypeError): never {
  const shown = value.length > 40 ? `${value.slice(0, 40)}…` : value;
  throw new Kind(`${name} must be ${expectation}, got '${shown}'; unset ${name} for the default`);
}

/** An empty variable counts as unset, as shells mean it. */
function textOf(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

function integerOf(name: string, value: string | undefined, min: number, max: number): number | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const expectation = max === Number.MAX_SAFE_INTEGER ? `an integer >= ${min}` : `an integer from ${min} to ${max}`;
  if (!/^[+-]?\d+$/.test(text)) return refuse(name, expectation, text);
  const number = Number(text);
  return number >= min && number <= max ? number : refuse(name, expectation, text, RangeError);
}

function choiceOf<const Choice extends string>(
  name: string,
  value: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  const choice = choices.find((one) => one === text);
  if (choice !== undefined) return choice;
  const names = choices.map((one) => `'${one}'`);
  return refuse(name, `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`, text);
}

const MAX_MS = 2 ** 31 - 1;

/**
 * `RAWKERNEL_DEVICE`: what programs run on.
 *
 * @throws TypeError it has another value
 */
export function deviceVariable(): 'auto' | 'cpu' | 'gpu' {
  return choiceOf('RAWKERNEL_DEVICE', process.env['RAWKERNEL_DEVICE'], ['auto', 'cpu', 'gpu']) ?? 'auto';
}

/**
 * `RAWKERNEL_CUDA_DEVICE`: a device number, or a PCI bus id.
 *
 * @throws TypeError it is neither
 */
export function cudaDeviceVariable(): number | string | undefined {
  const name = 'RAWKERNEL_CUDA_DEVICE';
  const text = textOf(process.env['RAWKERNEL_CUDA_DEVICE']);
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text)) return Number(text);
  return /^[\da-f]+:[\da-f:.]+$/i.test(text) ? text : refuse(name, 'a device number or a PCI bus id', text);
}

/** `RAWKERNEL_CTX`: the OpenCL device, in parts; empty where it is not set. */
export function contextVariable(): readonly string[] {
  const text = process.env['RAWKERNEL_CTX']?.trim() ?? '';
  return text === '' ? [] : text.split(':');
}

/**
 * `RAWKERNEL_CPU_WORKERS`: threads of the embedded device.
 *
 * @param max - as many as it can have
 * @throws TypeError it is not an integer
 * @throws RangeError it is out of range
 */
export function cpuWorkersVariable(max: number): number | undefined {
  return integerOf('RAWKERNEL_CPU_WORKERS', process.env['RAWKERNEL_CPU_WORKERS'], 1, max);
}

/**
 * `RAWKERNEL_CPU_TIMEOUT_MS`: how long a kernel of the embedded device may run; 0: without a limit.
 *
 * @throws TypeError it is not an integer
 * @throws RangeError it is out of range
 */
export function cpuTimeoutVariable(): number {
  return integerOf('RAWKERNEL_CPU_TIMEOUT_MS', process.env['RAWKERNEL_CPU_TIMEOUT_MS'], 0, MAX_MS) ?? 0;
}

/**
 * `RAWKERNEL_NCCL_TIMEOUT_MS`: the longest time limit of communicators and their calls; undefined: what the program says.
 *
 * @throws TypeError it is not an integer
 * @throws RangeError it is out of range
 */
export function ncclTimeoutVariable(): number | undefined {
  return integerOf('RAWKERNEL_NCCL_TIMEOUT_MS', process.env['RAWKERNEL_NCCL_TIMEOUT_MS'], 1, MAX_MS);
}

/** CUDA devices that the embedded device can count, at most. */
const MAX_CPU_DEVICES = 16;

/**
 * `RAWKERNEL_CPU_DEVICES`: how many devices the embedded device counts.
 *
 * @throws TypeError it is not an integer
 * @throws RangeError it is out of range
 */
export function cpuDevicesVariable(): number {
  return integerOf('RAWKERNEL_CPU_DEVICES', process.env['RAWKERNEL_CPU_DEVICES'], 1, MAX_CPU_DEVICES) ?? 1;
}

/** `RAWKERNEL_CPU_CHECK`: the mode, still to be read. */
export function cpuCheckVariable(): string {
  return process.env['RAWKERNEL_CPU_CHECK'] ?? '';
}

/**
 * `RAWKERNEL_CPU_ORDER`: `random` or a seed; undefined where threads and blocks run one after another.
 *
 * @throws TypeError it is neither
 * @throws RangeError the seed is out of range
 */
export function cpuOrderVariable(): 'random' | number | undefined {
  const name = 'RAWKERNEL_CPU_ORDER';
  const text = textOf(process.env['RAWKERNEL_CPU_ORDER']);
  if (text === undefined || text === 'random') return text;
  const seed = /^random:(\d+)$/.exec(text)?.[1];
  if (seed === undefined) return refuse(name, "'random' or 'random:SEED'", text);
  return Number(seed) < 2 ** 32
    ? Number(seed)
    : refuse(name, "'random:SEED', a seed from 0 to 4294967295", text, RangeError);
}

/**
 * `RAWKERNEL_CPU_PROGRESS`: whether the embedded device tells a terminal of a compilation that takes long.
 *
 * @throws TypeError it is neither yes nor no
 */
export function cpuProgressVariable(): boolean {
  const text = textOf(process.env['RAWKERNEL_CPU_PROGRESS']);
  if (text === undefined || /^(?:1|true|yes)$/i.test(text)) return true;
  return !/^(?:0|false|no)$/i.test(text) && refuse('RAWKERNEL_CPU_PROGRESS', '1 or 0', text);
}

/**
 * `RAWKERNEL_COMPILE_TIMEOUT_MS`: how long a compilation may take; 0: without a limit.
 *
 * @throws TypeError it is not an integer
 * @throws RangeError it is out of range
 */
export function compileTimeoutVariable(): number | undefined {
  return integerOf('RAWKERNEL_COMPILE_TIMEOUT_MS', process.env['RAWKERNEL_COMPILE_TIMEOUT_MS'], 0, MAX_MS);
}

/** `RAWKERNEL_CACHE_DIR`: the folder of compiled kernels. */
export function cacheFolderVariable(): string | undefined {
  return textOf(process.env['RAWKERNEL_CACHE_DIR']);
}

/**
 * `RAWKERNEL_NO_CACHE`: whether compiled kernels are neither kept nor looked for.
 *
 * @throws TypeError it is neither yes nor no
 */
export function noCacheVariable(): boolean {
  const text = textOf(process.env['RAWKERNEL_NO_CACHE']);
  if (text === undefined || /^(?:0|false|no)$/i.test(text)) return false;
  return /^(?:1|true|yes)$/i.test(text) || refuse('RAWKERNEL_NO_CACHE', '1 or 0', text);
}

/**
 * `RAWKERNEL_CACHE_MAX_BYTES`: the size that the compile cache may have.
 *
 * @throws TypeError it is not an integer
 * @throws RangeError it is out of range
 */
export function cacheMaxBytesVariable(): number | undefined {
  const text = process.env['RAWKERNEL_CACHE_MAX_BYTES'];
  return integerOf('RAWKERNEL_CACHE_MAX_BYTES', text, 0, Number.MAX_SAFE_INTEGER);
}

/**
 * `RAWKERNEL_NODE_OPENCL_STRICT`: the version whose build of node-opencl is imitated.
 *
 * @throws TypeError the build does not exist
 */
export function nodeOpenCLVariable(): '1.2' | '2.0' | undefined {
  return choiceOf('RAWKERNEL_NODE_OPENCL_STRICT', process.env['RAWKERNEL_NODE_OPENCL_STRICT'], ['1.2', '2.0']);
}

const TOPICS = /^(?:|0|1|calls|leaks|reports|timeline(?::.*)?)$/;

/** `RAWKERNEL_TRACE`: what is to be told, and a sentence where some of it is unknown. It is read on import, which must not throw. */
export function traceVariable(): { readonly topics: readonly string[]; readonly complaint: string | undefined } {
  const topics = (process.env['RAWKERNEL_TRACE'] ?? '').split(',').map((topic) => topic.trim());
  const unknown = topics.find((topic) => !TOPICS.test(topic));
  const complaint =
    unknown === undefined
      ? undefined
      : `RAWKERNEL_TRACE must be calls, leaks, reports, timeline:FILE or some of them with commas between, got '${unknown}'`;
  return { topics, complaint };
}

/**
 * `RAWKERNEL_JIT`: whether kernels in TypeScript run in JavaScript, where a debugger stops inside of them.
 *
 * @throws TypeError it has another value
 */
export function jitVariable(): 'js' | undefined {
  return choiceOf('RAWKERNEL_JIT', process.env['RAWKERNEL_JIT'], ['js', 'device']) === 'js' ? 'js' : undefined;
}

/** `RAWKERNEL_JOB_TOKEN`: the secret of a job's processes; undefined where there is none. */
export function jobTokenVariable(): string | undefined {
  return textOf(process.env['RAWKERNEL_JOB_TOKEN']);
}

/** What launchers call the number of a rank among those of its machine. */
const LOCAL_RANKS = [
  ...['LOCAL_RANK', 'OMPI_COMM_WORLD_LOCAL_RANK', 'MPI_LOCALRANKID', 'PALS_LOCAL_RANKID', 'PMI_LOCAL_RANK'],
  'SLURM_LOCALID',
];

/** The number of this process among the ranks of its machine, as far as a launcher has said it. */
export function localRankVariable(): number | undefined {
  const text = LOCAL_RANKS.map((name) => process.env[name]).find((value) => value !== undefined && /^\d+$/.test(value));
  return text === undefined ? undefined : Number(text);
}

/** `NCCL_HOSTID`: ranks with different ones count as those of different machines, whose devices are never the same. */
export function ncclHostId(): string | undefined {
  return textOf(process.env['NCCL_HOSTID']);
}

/** Whether `RAWKERNEL_CPU_DEVICES` says how many devices of the embedded device the machine has. */
export function countsCpuDevices(): boolean {
  return textOf(process.env['RAWKERNEL_CPU_DEVICES']) !== undefined;
}
