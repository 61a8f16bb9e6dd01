import { creationOf, type Creation } from '../../array/creation/creation.ts';
import { loadingOf, type Loading } from '../../array-file/load.ts';
import { currentEngine } from './engine.ts';

export type { Creation, Loading };

const creation = creationOf(currentEngine);
const loading = loadingOf(currentEngine);

/** {@link Creation.array} */
export const array: Creation['array'] = creation.array;
/** {@link Creation.asarray} */
export const asarray: Creation['asarray'] = creation.asarray;
/** {@link Creation.empty} */
export const empty: Creation['empty'] = creation.empty;
/** {@link Creation.zeros} */
export const zeros: Creation['zeros'] = creation.zeros;
/** {@link Creation.ones} */
export const ones: Creation['ones'] = creation.ones;
/** {@link Creation.full} */
export const full: Creation['full'] = creation.full;
/** {@link Creation.arange} */
export const arange: Creation['arange'] = creation.arange;
/** {@link Creation.linspace} */
export const linspace: Creation['linspace'] = creation.linspace;
/** {@link Creation.logspace} */
export const logspace: Creation['logspace'] = creation.logspace;
/** {@link Creation.geomspace} */
export const geomspace: Creation['geomspace'] = creation.geomspace;
/** {@link Creation.eye} */
export const eye: Creation['eye'] = creation.eye;
/** {@link Creation.identity} */
export const identity: Creation['identity'] = creation.identity;
/** {@link Creation.tri} */
export const tri: Creation['tri'] = creation.tri;
/** {@link Creation.fromFunction} */
export const fromFunction: Creation['fromFunction'] = creation.fromFunction;
/** {@link Creation.fromNpy} */
export const fromNpy: Creation['fromNpy'] = creation.fromNpy;
/** {@link Creation.fromNpz} */
export const fromNpz: Creation['fromNpz'] = creation.fromNpz;
/** {@link Loading.load} */
export const load: Loading['load'] = loading.load;
/** {@link Loading.loadz} */
export const loadz: Loading['loadz'] = loading.loadz;
