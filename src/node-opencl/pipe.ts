import { MAKER } from '../core/maker.ts';
import { context, uint } from './argument.ts';
import { cl } from './call.ts';
import { expectArguments, failure } from './failure.ts';
import { asking, type GetInfo } from './info.ts';
import { CLMem, type CLContext } from './objects.ts';

const PipeInfo = {
  PACKET_SIZE: [0x1120, 'uint'],
  MAX_PACKETS: [0x1121, 'uint'],
} as const;

/** A pipe of packets between kernels. OpenCL has no properties for it: pass null. */
export function createPipe(
  ...args: [context: CLContext, flags: number, packetBytes: number, maxPackets: number, properties: null]
): CLMem {
  expectArguments(args, 5);
  const [owner, flags, packet, most] = [context(args[0], 0), uint(args[1], 1), uint(args[2], 2), uint(args[3], 3)];
  const properties = args[4] as unknown;
  if (properties !== null && properties !== undefined) throw failure('CL_INVALID_VALUE');
  return new CLMem(MAKER, cl.clCreatePipe(owner, flags, packet, most, 0n));
}

/** A property of a pipe: `cl.PIPE_PACKET_SIZE`. */
export const getPipeInfo: GetInfo<CLMem> = asking('CLMem', 'clGetPipeInfo', [PipeInfo]);
