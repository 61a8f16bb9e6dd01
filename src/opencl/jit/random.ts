import { randomStatesOf, type RandomStates } from '../../jit/random/states.ts';
import { array } from '../array/create.ts';

const states: RandomStates = randomStatesOf({ array });

/** {@link RandomStates.createXoroshiro128pStates} */
export const createXoroshiro128pStates: RandomStates['createXoroshiro128pStates'] = states.createXoroshiro128pStates;
/** {@link RandomStates.initXoroshiro128pStates} */
export const initXoroshiro128pStates: RandomStates['initXoroshiro128pStates'] = states.initXoroshiro128pStates;
