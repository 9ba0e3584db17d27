/** Lets at most `size` works run at once. The others wait in line. */
export class Lane {
  readonly #size: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(size: number) {
    this.#size = size;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#size) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place is handed on, so that nobody who comes later gets in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

/**
 * The connections of an object, of which the runtime lets six wait for their headers at once: the seventh would
 * wait for any of them. Texts and pushes share the accepts' places, one at a time; so does the end of a session.
 */
export type Lanes = { poll: Lane; accept: Lane; other: Lane; news: Lane };

export function createLanes(): Lanes {
  return { poll: new Lane(1), accept: new Lane(4), other: new Lane(1), news: new Lane(1) };
}
