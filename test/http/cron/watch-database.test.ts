import { expect, it } from "vitest";
import { findDatabaseTrouble } from "../../../worker/cron/watch-service.ts";

type WatchDeps = Parameters<typeof findDatabaseTrouble>[0];

/** A database that says its size after so long. */
const ask = (size: number | undefined, tookMs: number) => {
  let at = 0;
  const run = async () => {
    at += tookMs;
    return { meta: { size_after: size } };
  };
  return findDatabaseTrouble({ db: { run }, now: () => at } as unknown as WatchDeps);
};

it.each([
  [5_999_999_999, 1_999, null],
  [6_000_000_000, 0, "full"],
  [6_000_000_000, 2_000, "full"],
  [1, 2_000, "slow"],
  [undefined, 0, null],
])("of a database of %s bytes that answers in %s ms says %s", async (size, tookMs, trouble) => {
  expect(await ask(size, tookMs)).toBe(trouble);
});
