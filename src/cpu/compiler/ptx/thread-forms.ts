import type { FormTable } from './forms.ts';

/** Instructions at which threads of a warp wait for each other. */
export const WARP_FORMS: FormTable = {
  'shfl.sync.{up,down,bfly,idx}.b32': 'b32|pred b32 b32 b32 b32',
  'vote.sync.ballot.b32': 'b32 pred b32',
  'vote.sync.{all,any,uni}.pred': 'pred pred b32',
  'match.any.sync.{b32,b64}': 'b32 T b32',
  'match.all.sync.{b32,b64}': 'b32|pred T b32',
  'redux.sync.{add,min,max}.{u32,s32}': 'T T b32',
  'redux.sync.{and,or,xor}.b32': 'T T b32',
  'activemask.b32': 'b32',
  'bar.warp.sync': 'void b32',
};

/** Other instructions of a thread. */
export const THREAD_FORMS: FormTable = {
  'nanosleep.u32': 'void u32',
  trap: 'void',
  brkpt: 'void',
};

/** Atomic operations, without their space, order and scope. */
export const ATOMIC_FORMS: FormTable = {
  'atom.{add,min,max}.{u32,s32,u64}': 'T addr T',
  'atom.{min,max}.s64': 'T addr T',
  'atom.add.{f32,f64}': 'T addr T',
  'atom.add.noftz.{f16,bf16,f16x2,bf16x2}': 'T addr T',
  'atom.{and,or,xor,exch}.{b32,b64}': 'T addr T',
  'atom.{inc,dec}.u32': 'T addr T',
  'atom.cas.{b16,b32,b64}': 'T addr T T',
};
