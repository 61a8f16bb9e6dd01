/**
 * A name of another library, which says what it is called here when it is used.
 *
 * @param from - the library that has the name
 */
export function renamed(name: string, ours: string, from: string): never {
  const refuse = (): never => {
    throw new TypeError(`${name} is ${from}'s name: write ${ours}`);
  };
  // Functions are called, classes made, constants read: each use is an error. Properties that probes read are not.
  return new Proxy(refuse, {
    construct: refuse,
    get: (target, key) =>
      typeof key === 'string' && /^[A-Z][A-Z0-9_]+$/.test(key) ? refuse() : (Reflect.get(target, key) as unknown),
  }) as never;
}

/**
 * Have the snake_case form of each member of a class say the member's name: `module.get_function`. Types do not show it;
 * TypeScript proposes the right name by itself.
 */
export function nameInCamelCase(constructor: { readonly prototype: object; readonly name: string }): void {
  const { prototype } = constructor;
  for (const owner of [prototype, constructor]) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      const snake = name.replace(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`);
      if (snake === name || snake.startsWith('_') || snake in owner) continue;
      Object.defineProperty(owner, snake, {
        configurable: true,
        get: () => {
          throw new TypeError(`${snake} is not a member of ${constructor.name}: write ${name}`);
        },
      });
    }
  }
}
