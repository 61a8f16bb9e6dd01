import { SymbolNotFoundError } from '../../src/core/errors.ts';
import { bytesAt } from '../../src/ffi/pointer.ts';
import { entriesOf } from '../../src/ffi/prototype.ts';
import { numberOf, sinceOf, whoHas } from '../../src/opencl/older/since.ts';
import type { OpenCLTable } from '../../src/opencl/sys/tables.ts';
import { PlatformInfo } from '../../src/opencl/sys/enums.ts';
import { functions } from '../../src/opencl/sys/opencl.ts';

/** Who is old, and how old: a loader lacks the functions, a platform has nothing behind them. */
export interface Age {
  readonly version: '1.0' | '1.1' | '1.2';
  readonly missing: 'loader' | 'platform';
}

/** Rows of `describe.each`. */
export const AGES: readonly (readonly [name: string, age: Age])[] = (['1.0', '1.1', '1.2'] as const).flatMap(
  (version) =>
    (['loader', 'platform'] as const).map((missing) => [`a ${missing} of ${version}`, { version, missing }] as const),
);

/** A table as of an older loader, or of newer loader over older platforms. */
export function oldTable(table: OpenCLTable, { version, missing }: Age): OpenCLTable {
  const old: Partial<Record<string, unknown>> = {};
  for (const [name] of entriesOf(functions)) {
    const isThere = sinceOf(name) <= numberOf(version);
    Object.defineProperty(old, name, {
      configurable: true,
      enumerable: true,
      get: () => {
        if (isThere) return table[name as keyof OpenCLTable];
        if (missing === 'loader')
          throw new SymbolNotFoundError(name, 'the OpenCL loader', 'old', undefined, undefined, whoHas(name));
        return () => {
          throw new Error(`${name} is called on a platform of ${version}, which has nothing there`);
        };
      },
    });
  }
  if (missing === 'platform') {
    const text = new TextEncoder().encode(`OpenCL ${version} Old\0`);
    const tell: OpenCLTable['clGetPlatformInfo'] = (platform, param, size, value, sizeOut) => {
      if (param !== PlatformInfo.VERSION[0]) return table.clGetPlatformInfo(platform, param, size, value, sizeOut);
      if (value !== 0n) bytesAt(value, text.length).set(text);
      if (sizeOut !== 0n) (sizeOut as BigUint64Array)[0] = BigInt(text.length);
      return 0;
    };
    Object.defineProperty(old, 'clGetPlatformInfo', { enumerable: true, value: tell });
  }
  return old as unknown as OpenCLTable;
}
