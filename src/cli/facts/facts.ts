import { bytes } from '../table.ts';

/** One thing that is known of a device. */
export interface Fact {
  /** In JSON. */
  readonly key: string;
  /** For people. */
  readonly label: string;
  readonly value: unknown;
  readonly text: string;
}

/** The name of a device, and its facts. */
export interface Described {
  /** `cuda:0`, `opencl:1:0` */
  readonly id: string;
  readonly name: string;
  readonly facts: readonly Fact[];
}

/** Facts in a row; what a driver cannot tell is left out. */
export class FactList {
  readonly facts: Fact[] = [];

  /**
   * @param ask - gives the value; undefined, and an error, mean that it is not known
   * @param show - for people
   */
  add<T>(key: string, label: string, ask: () => T | undefined, show: (value: T) => string = plain): this {
    try {
      const value = ask();
      if (value !== undefined) this.facts.push({ key, label, value, text: show(value) });
    } catch {
      // The driver does not know it.
    }
    return this;
  }
}

/** Facts as an object. */
export function documentOf({ id, name, facts }: Described): Record<string, unknown> {
  return { id, name, ...Object.fromEntries(facts.map(({ key, value }) => [key, value])) };
}

/** `1024 x 1024 x 64` */
export const dims = (value: readonly number[]): string => value.join(' x ');

/** `yes`, `no` */
export const yesNo = (value: boolean): string => (value ? 'yes' : 'no');

/** `48 KiB` */
export const size = (value: number): string => bytes(value);

/** `1980 MHz` */
export const megahertz = (value: number): string => `${Math.round(value)} MHz`;

function plain(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
