/** How many round trips a call makes one after the other: what it costs whoever is far from the store. */
export type TripCount = {
  /** Starts a new count. */
  reset(): void;
  /** The trips that waited for each other since; those that were under way together count as one. */
  inARow(): number;
  /** The queries of each trip, by its place in the row. */
  log(): readonly string[];
};

let computing = 0;

/** Counts what is being computed outside of the event loop, such as hashes. */
function watchCrypto(): void {
  const subtle: object = Object.getPrototypeOf(crypto.subtle);
  for (const name of Object.getOwnPropertyNames(subtle)) {
    const original: unknown = Reflect.get(subtle, name);
    if (name === "constructor" || typeof original !== "function") continue;
    Object.defineProperty(subtle, name, {
      configurable: true,
      async value(...given: unknown[]) {
        computing += 1;
        try {
          return await Reflect.apply(original, this, given);
        } finally {
          computing -= 1;
        }
      },
    });
  }
}
watchCrypto();

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
/** Turns of the event loop without anything new, after which all that was to be sent together is on its way. */
const QUIET_TURNS = 3;

/** A D1 binding whose trips are counted. Several statements of a batch make one trip. */
export function countTrips(database: D1Database): { database: D1Database; trips: TripCount } {
  let finished = 0;
  let total = 0;
  let epoch = 0;
  let log: string[] = [];

  async function trip<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    const own = epoch;
    const depth = finished + 1;
    total += 1;
    log.push(`${depth} ${what.replaceAll(/\s+/g, " ").slice(0, 90)}`);
    try {
      return await work();
    } finally {
      // A far store responds later than whatever is computed meanwhile: all that doesn't wait for it is sent before.
      for (let quiet = 0, sent = total; quiet < QUIET_TURNS; quiet += 1) {
        await turn();
        if (computing > 0 || sent !== total) quiet = -1;
        sent = total;
      }
      if (own === epoch) finished = Math.max(finished, depth);
    }
  }

  const originals = new WeakMap<object, { statement: D1PreparedStatement; query: string }>();
  function wrapStatement(query: string, statement: D1PreparedStatement): D1PreparedStatement {
    const counted = {
      bind: (...values: unknown[]) => wrapStatement(query, statement.bind(...values)),
      first: (...column: [string]) => trip(query, () => statement.first(...column)),
      run: () => trip(query, () => statement.run()),
      all: () => trip(query, () => statement.all()),
      raw: (...options: []) => trip(query, () => statement.raw(...options)),
    } as unknown as D1PreparedStatement;
    originals.set(counted, { statement, query });
    return counted;
  }
  function wrap(target: D1Database | D1DatabaseSession) {
    return {
      prepare: (query: string) => wrapStatement(query, target.prepare(query)),
      batch: (statements: D1PreparedStatement[]) =>
        trip(statements.map((one) => (originals.get(one)?.query ?? "").slice(0, 30)).join("; "), () =>
          target.batch(statements.map((one) => originals.get(one)?.statement ?? one)),
        ),
    };
  }

  const counted = {
    ...wrap(database),
    exec: (query: string) => trip(query, () => database.exec(query)),
    withSession: (start?: D1SessionBookmark | D1SessionConstraint) => {
      const session = database.withSession(start);
      return { ...wrap(session), getBookmark: () => session.getBookmark() };
    },
  };
  return {
    database: counted as unknown as D1Database,
    trips: {
      reset() {
        epoch += 1;
        finished = 0;
        total = 0;
        log = [];
      },
      inARow: () => finished,
      log: () => log,
    },
  };
}
