import type { Launcher } from './launcher.ts';
import { Variables, type Environment } from './variables.ts';

/** torchrun and `npx rawkernel launch`: RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR, MASTER_PORT. */
export function readTorchrun(env: Environment): Launcher | undefined {
  const variables = new Variables(env, 'torchrun or rawkernel launch');
  if (!variables.some('RANK', 'WORLD_SIZE')) return undefined;
  for (const name of ['RANK', 'WORLD_SIZE', 'LOCAL_RANK', 'MASTER_ADDR', 'MASTER_PORT']) {
    variables.required(name, 'start the program with npx rawkernel launch or torchrun, or set it');
  }
  const size = variables.size('WORLD_SIZE');
  const port = variables.port('MASTER_PORT');
  return {
    launcher: 'torchrun',
    rank: variables.rank('RANK', 'WORLD_SIZE', size),
    size,
    ...variables.local('LOCAL_RANK', 'LOCAL_WORLD_SIZE', size),
    address: variables.required('MASTER_ADDR', ''),
    port: hasTorchStore(env) ? nextPort(port) : port,
    hosted: env['RAWKERNEL_JOB_STORE'] === 'launcher',
    restart: restartOf(variables),
  };
}

/** torchrun's agent may have a store of its own at MASTER_PORT. Its protocol is another one, so ours has the next port. */
function hasTorchStore(env: Environment): boolean {
  return env['RAWKERNEL_JOB_STORE'] !== 'launcher' && env['TORCHELASTIC_USE_AGENT_STORE']?.toLowerCase() === 'true';
}

function nextPort(port: number): number {
  return port === 65535 ? port - 1 : port + 1;
}

function restartOf(variables: Variables): number {
  const name = variables.nameOf('RAWKERNEL_RESTART', 'TORCHELASTIC_RESTART_COUNT');
  return variables.some(name) ? variables.integer(name, 0, 2 ** 31 - 1) : 0;
}
