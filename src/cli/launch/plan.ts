import { randomBytes } from 'node:crypto';
import { UsageError, type IO } from '../output.ts';

/** The options of `rawkernel launch`. */
export interface LaunchOptions {
  readonly processes?: string;
  readonly devices?: string;
  readonly nnodes?: string;
  readonly nodeRank?: string;
  readonly rdzv?: string;
  readonly restarts: string;
  readonly timeOut?: string;
}

/** Where the launchers of several machines meet. */
export interface Rendezvous {
  readonly nodes: number;
  readonly node: number;
  readonly host: string;
  readonly port: number;
}

/** What is launched. */
export interface LaunchPlan {
  readonly program: string;
  readonly args: readonly string[];
  /** Processes on this machine. */
  readonly processes: number;
  /** `CUDA_VISIBLE_DEVICES` of all ranks. */
  readonly devices: string | undefined;
  readonly rendezvous: Rendezvous | undefined;
  readonly restarts: number;
  /** Undefined: without a limit. */
  readonly timeoutMs: number | undefined;
  readonly token: string;
}

const MAX_PROCESSES = 4096;
const MAX_NODES = 65536;
const MAX_SECONDS = 2_147_483;

/** Check the options of `rawkernel launch`. */
export function readPlan(
  [program = '', ...args]: readonly string[],
  options: LaunchOptions,
  env: IO['env'],
): LaunchPlan {
  const devices = readDevices(options.devices);
  const rendezvous = readRendezvous(options);
  return {
    program,
    args,
    processes: readProcesses(options, devices),
    devices: devices?.join(','),
    rendezvous,
    restarts: integer(options.restarts, '--restarts', 0, 1000),
    timeoutMs: readTimeout(options.timeOut),
    token: readToken(env['RAWKERNEL_JOB_TOKEN'] ?? '', rendezvous),
  };
}

function readProcesses({ processes }: LaunchOptions, devices: readonly string[] | undefined): number {
  if (processes === undefined && devices !== undefined) return devices.length;
  if (processes === undefined) throw new UsageError('How many processes? Give -n 4, or --devices 0,1,2,3');
  const count = integer(processes, '-n', 1, MAX_PROCESSES);
  if (devices === undefined || devices.length === count) return count;
  throw new UsageError(`-n ${count} and --devices with ${devices.length} devices: one of them is enough`);
}

function readDevices(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const devices = text.split(',').map((each) => each.trim());
  const wrong = devices.find((each) => !/^[\w/-]+$/.test(each));
  if (wrong !== undefined)
    throw new UsageError(`--devices ${text}: write ordinals or UUIDs of GPUs with commas between`);
  if (new Set(devices).size < devices.length) throw new UsageError(`--devices ${text}: a device is named twice`);
  return devices;
}

function readRendezvous({ nnodes, nodeRank, rdzv }: LaunchOptions): Rendezvous | undefined {
  const nodes = nnodes === undefined ? 1 : integer(nnodes, '--nnodes', 1, MAX_NODES);
  if (nodes === 1) {
    if (nodeRank !== undefined || rdzv !== undefined)
      throw new UsageError('--node-rank and --rdzv are for --nnodes 2 and more');
    return undefined;
  }
  if (nodeRank === undefined || rdzv === undefined) {
    throw new UsageError(
      `--nnodes ${nodes} needs --node-rank, 0 to ${nodes - 1}, and --rdzv HOST:PORT, an address of node 0`,
    );
  }
  const [, v6, name, port = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(rdzv) ?? [];
  const host = v6 ?? name;
  if (host === undefined) throw new UsageError(`--rdzv ${rdzv}: write HOST:PORT, such as node1:29400`);
  return {
    nodes,
    node: integer(nodeRank, '--node-rank', 0, nodes - 1),
    host,
    port: integer(port, '--rdzv port', 1, 65535),
  };
}

/** Launchers on several machines cannot draw the same token. */
function readToken(given: string, rendezvous: Rendezvous | undefined): string {
  if (given !== '') return given;
  if (rendezvous === undefined) return randomBytes(32).toString('hex');
  throw new UsageError(
    '--nnodes needs RAWKERNEL_JOB_TOKEN: the same secret of at least 16 characters on all nodes, such as the output of openssl rand -hex 16',
  );
}

function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds * 1000;
  throw new UsageError(`--time-out ${text}: write seconds, above 0 and up to ${MAX_SECONDS}`);
}

function integer(text: string, name: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`${name} ${text}: write a whole number from ${min} to ${max}`);
}
