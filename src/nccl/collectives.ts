import type { Buffer } from './buffer.ts';
import { checkOverlap, type CallArguments } from './call-arguments.ts';
import type { OperationParts } from './checked-call.ts';
import { readReduction } from './reduction.ts';

/** allReduce: each rank gets the reduction of all ranks' elements. In place without `out`. */
export function allReduceParts(args: CallArguments, x: unknown): OperationParts {
  const send = args.buffer(x, 'x');
  const recv = outOr(args, send);
  const element = args.element(send, recv);
  const count = args.count(send, 1, element);
  check(args, send, recv, count, count, element, { of: 'recv', offset: 0, rule: 'out is x itself' });
  const reduction = readReduction(args, element);
  return { send, recv, count, element, reduction };
}

/** reduce: the root gets the reduction of all ranks' elements; in place without `out`, which other ranks do not need. */
export function reduceParts(args: CallArguments, x: unknown): OperationParts {
  const send = args.buffer(x, 'x');
  const peer = args.root();
  const isRoot = peer === args.rank;
  const recv = isRoot ? outOr(args, send) : undefined;
  const element = args.element(send, recv);
  const count = args.count(send, 1, element);
  args.checkRoom(send, count, element);
  if (recv) check(args, send, recv, count, count, element, { of: 'recv', offset: 0, rule: 'out is x itself' });
  const reduction = readReduction(args, element);
  return { send, recv, count, element, reduction, peer };
}

/** broadcast: each rank gets the root's elements; in place without `out`. */
export function broadcastParts(args: CallArguments, x: unknown): OperationParts {
  const peer = args.root();
  const given = args.buffer(x, 'x');
  const recv = outOr(args, given);
  const send = peer === args.rank ? given : undefined;
  const element = args.element(given, recv);
  const count = args.count(given, 1, element);
  if (send) check(args, send, recv, count, count, element, { of: 'recv', offset: 0, rule: 'out is x itself' });
  else args.checkRoom(recv, count, element);
  return { send, recv, count, element, peer };
}

/** allGather: each rank gets the elements of all ranks, in their order. */
export function allGatherParts(args: CallArguments, x: unknown): OperationParts {
  const send = args.buffer(x, 'x');
  const recv = out(args, `it gets ${args.size} times the elements of x`);
  const element = args.element(send, recv);
  const count = args.count(send, 1, element);
  const offset = args.rank * count * element.size;
  const rule = `x is the part of out that begins at element ${args.rank * count} (rank x count)`;
  check(args, send, recv, count, count * args.size, element, { of: 'recv', offset, rule });
  return { send, recv, count, element };
}

/** reduceScatter: each rank gets its part of the reduction of all ranks' elements. */
export function reduceScatterParts(args: CallArguments, x: unknown): OperationParts {
  const send = args.buffer(x, 'x');
  const recv = out(args, `it gets the elements of x divided by the ${args.size} ranks`);
  const element = args.element(send, recv);
  const count = args.count(send, args.size, element);
  const offset = args.rank * count * element.size;
  const rule = `out is the part of x that begins at element ${args.rank * count} (rank x count)`;
  check(args, send, recv, count * args.size, count, element, { of: 'send', offset, rule });
  const reduction = readReduction(args, element);
  return { send, recv, count, element, reduction };
}

/** allToAll: each rank sends a part to each rank, and gets a part of each. */
export function allToAllParts(args: CallArguments, x: unknown): OperationParts {
  const send = args.buffer(x, 'x');
  const recv = out(args, 'NCCL does not do this in place');
  const element = args.element(send, recv);
  const count = args.count(send, args.size, element);
  check(args, send, recv, count * args.size, count * args.size, element, undefined);
  return { send, recv, count, element };
}

/** gather: the root gets the elements of all ranks, in their order. */
export function gatherParts(args: CallArguments, x: unknown): OperationParts {
  const send = args.buffer(x, 'x');
  const peer = args.root();
  const recv = peer === args.rank ? out(args, `the root gets ${args.size} times the elements of x`) : undefined;
  const element = args.element(send, recv);
  const count = args.count(send, 1, element);
  const rule = `x is the part of out that begins at element ${peer * count} (root x count)`;
  if (recv) {
    check(args, send, recv, count, count * args.size, element, {
      of: 'recv',
      offset: peer * count * element.size,
      rule,
    });
  } else args.checkRoom(send, count, element);
  return { send, recv, count, element, peer };
}

/** scatter: each rank gets its part of the root's elements; other ranks give none. */
export function scatterParts(args: CallArguments, x: unknown): OperationParts {
  const peer = args.root();
  const recv = out(args, 'each rank gets a part');
  const send = peer === args.rank ? args.buffer(x, 'x') : undefined;
  const element = args.element(send, recv);
  const count = args.count(recv, 1, element);
  const rule = `out is the part of x that begins at element ${peer * count} (root x count)`;
  if (send) {
    check(args, send, recv, count * args.size, count, element, {
      of: 'send',
      offset: peer * count * element.size,
      rule,
    });
  } else args.checkRoom(recv, count, element);
  return { send, recv, count, element, peer };
}

/** send: the peer gets elements by its recv. */
export function sendParts(args: CallArguments, x: unknown, to: unknown, isGrouped: boolean): OperationParts {
  const peer = otherPeer(args, to, 'to', isGrouped);
  const send = args.buffer(x, 'x');
  const element = args.element(send);
  const count = args.count(send, 1, element);
  args.checkRoom(send, count, element);
  return { send, recv: undefined, count, element, peer };
}

/** recv: elements of the peer's send. */
export function recvParts(args: CallArguments, x: unknown, from: unknown, isGrouped: boolean): OperationParts {
  const peer = otherPeer(args, from, 'from', isGrouped);
  const recv = args.buffer(x, 'x');
  const element = args.element(recv);
  const count = args.count(recv, 1, element);
  args.checkRoom(recv, count, element);
  return { send: undefined, recv, count, element, peer };
}

/** A send to itself waits for its recv, which is never called behind it. */
function otherPeer(args: CallArguments, value: unknown, name: string, isGrouped: boolean): number {
  const peer = args.peer(value, name);
  if (peer !== args.rank || isGrouped) return peer;
  throw new RangeError(
    `${args.what}: ${name} must be another rank than ${peer}, this one, unless send and recv are in one group(): they wait for each other`,
  );
}

function outOr(args: CallArguments, x: Buffer): Buffer {
  const given = args.options['out'];
  return given === undefined ? x : args.buffer(given, 'out');
}

function out(args: CallArguments, why: string): Buffer {
  const given = args.options['out'];
  if (given === undefined) throw args.missing('out', why);
  return args.buffer(given, 'out');
}

function check(
  args: CallArguments,
  send: Buffer,
  recv: Buffer,
  sent: number,
  got: number,
  element: OperationParts['element'],
  inPlace: Parameters<typeof checkOverlap>[4],
): void {
  args.checkRoom(send, sent, element);
  args.checkRoom(recv, got, element);
  if (send !== recv) checkOverlap(send, sent * element.size, recv, got * element.size, inPlace);
}
