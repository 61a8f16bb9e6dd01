import type { QuantileMethod } from '../method-options.ts';

/** Between which elements of a line in order a quantile is: as much of the way from one to the other as `share` says. */
export interface QuantilePlace {
  readonly low: number;
  readonly high: number;
  readonly share: number;
}

/** The rules that have two constants, by the names of the paper: the place of q is n q + a + q (1 - a - b), counted from 1. */
const CONSTANTS: Readonly<Partial<Record<QuantileMethod, readonly [a: number, b: number]>>> = {
  interpolated_inverted_cdf: [0, 1],
  hazen: [1 / 2, 1 / 2],
  weibull: [0, 0],
  median_unbiased: [1 / 3, 1 / 3],
  normal_unbiased: [3 / 8, 3 / 8],
};

type Rule = (n: number, q: number) => QuantilePlace;

const RULES: Readonly<Record<string, Rule>> = {
  linear: (n, q) => between(n, (n - 1) * q),
  lower: (n, q) => at(n, Math.floor((n - 1) * q)),
  higher: (n, q) => at(n, Math.ceil((n - 1) * q)),
  midpoint: (n, q) => between(n, (Math.floor((n - 1) * q) + Math.ceil((n - 1) * q)) / 2),
  nearest: (n, q) => at(n, nearest((n - 1) * q)),
  inverted_cdf: (n, q) => at(n, Math.ceil(n * q) - 1),
  averaged_inverted_cdf: (n, q) => {
    const place = n * q - 1;
    const low = Math.floor(place);
    return between(n, place, place === low ? 1 / 2 : 1);
  },
  // Of two that are as near, the one whose number, counted from 1, is even.
  closest_observation: (n, q) => {
    const place = n * q - 3 / 2;
    const low = Math.floor(place);
    return at(n, place === low && Math.abs(low % 2) === 1 ? low : low + 1);
  },
};

/** The names of all rules. */
export const quantileMethods: readonly string[] = [...Object.keys(RULES), ...Object.keys(CONSTANTS)];

/** Where a quantile is in a line of `n` elements; `q` is in 0 to 1. */
export function quantilePlace(method: QuantileMethod, n: number, q: number): QuantilePlace {
  const constants = CONSTANTS[method];
  if (constants === undefined) return (RULES[method] as Rule)(n, q);
  const [a, b] = constants;
  return between(n, n * q + (a + q * (1 - a - b)) - 1);
}

function at(n: number, place: number): QuantilePlace {
  const index = Math.min(Math.max(place, 0), n - 1);
  return { low: index, high: index, share: 0 };
}

function between(n: number, place: number, share: number = place - Math.floor(place)): QuantilePlace {
  if (place < 0) return at(n, 0);
  if (place >= n - 1) return at(n, n - 1);
  const low = Math.floor(place);
  if (share === 0 || share === 1) return at(n, low + share);
  return { low, high: low + 1, share };
}

/** The nearest integer; of two the even one. */
function nearest(x: number): number {
  const low = Math.floor(x);
  if (x - low !== 1 / 2) return Math.round(x);
  return low % 2 === 0 ? low : low + 1;
}
