/** What a table of statuses says of one: its number, whose fault it is, and what to do about it. */
export type StatusRow<Blame extends string = string> = readonly [status: number, blame: Blame, hint: string];

/** The statuses of a library, by their constants. */
export type StatusRows<Blame extends string = string> = Readonly<Record<string, StatusRow<Blame>>>;

/** A library's statuses by their numbers. */
export class StatusTable<Blame extends string = string> {
  readonly #rows: ReadonlyMap<number, readonly [name: string, row: StatusRow<Blame>]>;
  readonly #prefix: string;

  /** @param prefix - of the name that a status without a row gets: `'NVML_ERROR_'` */
  constructor(rows: StatusRows<Blame>, prefix: string) {
    this.#rows = new Map(Object.entries(rows).map(([name, row]) => [row[0], [name, row]]));
    this.#prefix = prefix;
  }

  /** Whether the table has this status; a library may be newer than it. */
  has(status: number): boolean {
    return this.#rows.has(status);
  }

  /** The constant: `'NVML_ERROR_NOT_SUPPORTED'`. */
  nameOf(status: number): string {
    return this.#rows.get(status)?.[0] ?? `${this.#prefix}${status}`;
  }

  /** Whose fault it is. Undefined for a status without a row. */
  blameOf(status: number): Blame | undefined {
    return this.#rows.get(status)?.[1][1];
  }

  /** What to do about it. Undefined for a status without a row. */
  hintOf(status: number): string | undefined {
    return this.#rows.get(status)?.[1][2];
  }
}
