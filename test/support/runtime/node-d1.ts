import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** How a statement's trip to the database goes. */
export type Trip = <Result>(work: () => Result) => Promise<Result>;

/** The most bytes of a value; a character has one or more (https://developers.cloudflare.com/d1/platform/limits/). */
const VALUE_BYTES = 2_000_000;
/** The most parameters of a statement. */
const PARAMETERS = 100;

type Prepared = { query: string; params: readonly SQLInputValue[] };

/**
 * As much of a D1 binding as drizzle uses, over a database in this process; every call makes a trip, of one statement
 * or several. A text that is too long for D1 is refused, and so are more parameters than it takes.
 */
export function bindD1(
  database: DatabaseSync,
  trip: Trip = async (work) => work(),
  onStatement: () => void = () => {},
  around: <Result>(query: string, run: () => Result) => Result = (_query, run) => run(),
) {
  const prepared = new Map<string, StatementSync>();
  const run = ({ query, params }: Prepared) => {
    onStatement();
    if (params.some((param) => typeof param === "string" && param.length > VALUE_BYTES))
      throw new Error("string or blob too big");
    if (params.length > PARAMETERS) throw new Error("too many SQL variables");
    const known = prepared.get(query) ?? database.prepare(query);
    prepared.set(query, known);
    return { success: true, results: around(query, () => known.all(...params)), meta: {} };
  };
  const statement = (one: Prepared) => ({
    prepared: one,
    bind: (...params: SQLInputValue[]) => statement({ query: one.query, params }),
    all: () => trip(() => run(one)),
    run: () => trip(() => run(one)),
    raw: () => trip(() => run(one).results.map((row) => Object.values(row))),
    first: (column?: string) =>
      trip(() => {
        const [row] = run(one).results;
        return (column === undefined ? row : row?.[column]) ?? null;
      }),
  });
  return {
    prepare: (query: string) => statement({ query, params: [] }),
    batch: (statements: readonly { prepared: Prepared }[]) =>
      trip(() => {
        database.exec("BEGIN");
        try {
          const results = statements.map((one) => run(one.prepared));
          database.exec("COMMIT");
          return results;
        } catch (error) {
          database.exec("ROLLBACK");
          throw error;
        }
      }),
  };
}
