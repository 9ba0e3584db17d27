import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { loadAlerts, raiseAlert } from "../../db/queries/fleet/alerts.ts";
import { HOUR_MS } from "../../db/shapes/units.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const NOW = 1_800_000_000_000;

it("says since when an alert stands, and of one that was over, since when it stands again", async () => {
  const db = openDb(bindD1(migratedDatabase()));
  const raise = (at: number, reason = "ceiling_by_hour") =>
    raiseAlert(db, { name: "texts.to_new_numbers", reason, since: at, until: at + HOUR_MS });
  const since = async (at: number) => (await loadAlerts(db, at)).map((alert) => alert.since);
  expect([await raise(NOW), await since(NOW)]).toEqual([true, [NOW]]);
  const renewed = NOW + HOUR_MS / 2;
  expect([await raise(renewed), await since(renewed)]).toEqual([false, [NOW]]);
  expect([await raise(renewed, "ceiling_by_day"), await since(renewed)]).toEqual([true, [NOW]]);
  // It ended before the hour's cron deleted it.
  const again = renewed + HOUR_MS;
  expect(await since(again)).toEqual([]);
  expect([await raise(again), await since(again)]).toEqual([true, [again]]);
});
