/**
 * What is told of each array that is made: the innermost open scope, if there is one. It is a field, not a call, as arrays are
 * made on the shortest paths.
 */
export const openScope: { add: ((array: object) => void) | undefined } = { add: undefined };
