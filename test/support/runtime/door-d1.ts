import type { openDb } from "../../../db/client.ts";

type Database = Parameters<typeof openDb>[0];
type Prepared = { query: string; params: readonly unknown[] };
type Result = { results: Record<string, unknown>[] };

/** As much of a D1 binding as drizzle uses, whose statements are run together by `run`. */
export function doorD1(run: (statements: readonly Prepared[]) => Promise<Result[]>): Database {
  const runOne = async (one: Prepared) => {
    const [result] = await run([one]);
    if (!result) throw new Error("D1 gave no result");
    return result;
  };
  const statement = (one: Prepared) => ({
    prepared: one,
    bind: (...params: unknown[]) => statement({ query: one.query, params }),
    all: () => runOne(one),
    run: () => runOne(one),
    raw: async () => (await runOne(one)).results.map((row) => Object.values(row)),
  });
  const database = {
    prepare: (query: string) => statement({ query, params: [] }),
    batch: (statements: readonly { prepared: Prepared }[]) => run(statements.map(({ prepared }) => prepared)),
  };
  // A stand-in is only as much of the binding as drizzle uses.
  return database as unknown as Database;
}
