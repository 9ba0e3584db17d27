import { expect, it } from "vitest";
import { listActPage } from "../../../worker/console/act-log.ts";
import { NOW } from "../../payments/checkout-harness.ts";
import { ANA, BIA, openDesk } from "../desk.ts";

it("has each act once, the newest first and those of one instant by their ids, and a driver's alone", async () => {
  const at = openDesk();
  const acts = [
    ["a", NOW, ANA],
    ["b", NOW, BIA],
    ["c", NOW, ANA],
    ["d", NOW - 1, ANA],
    ["e", NOW + 1, ANA],
  ] as const;
  for (const act of acts)
    at.run(
      `INSERT INTO operator_acts (id, at, driver_id, operator, role, act, what, reason, before, after, worth_cents, attempt)
       VALUES (?, ?, ?, 'owner@example.com', 'owner', 'pause', '{}', '', '{}', '{}', 0, '')`,
      ...act,
    );
  const read = async (driver?: typeof ANA) => {
    const pages: string[][] = [];
    let cursor: string | undefined;
    // A page that repeats itself would never end.
    while (pages.length < acts.length) {
      const page = await listActPage(at.checkout.db, { cursor, driver }, 2);
      pages.push(page.acts.map(({ id }) => id));
      if (page.cursor === null) break;
      cursor = page.cursor;
    }
    return pages;
  };
  expect(await read()).toEqual([["e", "c"], ["b", "a"], ["d"]]);
  expect(await read(ANA)).toEqual([
    ["e", "c"],
    ["a", "d"],
  ]);
});
