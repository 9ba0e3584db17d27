import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../db/shapes/units.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import type { Store } from "../../durable/driver/storage/store.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../support/sandbox-client.ts";
import { makeDriverPast, warehousesOf } from "./driver-past.ts";
import { objectFile, readObjectStorage, writeObjectStorage } from "./object-file.ts";

const REGION = "newyorkcity";
const profile: Profile = {
  revision: 1,
  switchedOn: true,
  mode: "lucrative",
  specialMode: null,
  filters: permissiveFilters(
    warehousesOf(REGION).map(({ warehouseId }) =>
      permissiveWarehouseFilter(warehouseId, { minPriceCents: 4_500 }),
    ),
  ),
  filtersVersion: 1,
  serviceUntil: null,
  waitingForSpot: false,
};

it.each(["2026-11-22T05:00:00Z", "2027-02-03T17:30:00Z", "2027-07-15T23:59:00Z"])(
  "has three weeks of offers, captures, misses and worked blocks before %s, and none in its future",
  (day) => {
    const now = Date.parse(day);
    const { events, won } = makeDriverPast(profile, { region: REGION, now });
    const times = events.map(({ at }) => at);
    expect(Math.min(...times)).toBeGreaterThan(now - 21 * DAY_MS);
    expect(Math.min(...times)).toBeLessThan(now - 19 * DAY_MS);
    expect(Math.max(...times)).toBeLessThan(now);
    expect(won.filter(({ block }) => block.endsAt < now).length).toBeGreaterThan(6);
    const kinds = new Set(
      events.flatMap((event) => {
        if (event.kind === "offer_judged") return event.reasons.length > 0 ? ["passed over"] : [];
        return event.kind === "attempt_settled" ? [event.attempt.outcome.status] : [];
      }),
    );
    expect([...kinds].toSorted()).toEqual(["lost", "passed over", "won"]);
    // So that the platform's limit of 40 hours a week leaves room for what is captured from now on.
    const ahead = won.filter(({ block }) => Math.abs(block.startsAt - now) < 7 * DAY_MS);
    const worked = ahead.reduce((sum, { block }) => sum + block.endsAt - block.startsAt, 0);
    expect(worked).toBeLessThan(36 * HOUR_MS);
  },
);

it("becomes the log of an object that was never started, once", () => {
  const folder = mkdtempSync(join(tmpdir(), "jornada-"));
  const file = objectFile(folder, "enam:demo");
  const now = Date.parse("2026-11-22T05:00:00Z");
  const { events } = makeDriverPast(profile, { region: REGION, now });
  const write = (store: Store) => store.events.append(events);
  expect(writeObjectStorage(file, write, () => now)).toBe(true);
  expect(writeObjectStorage(file, write, () => now)).toBe(false);
  const log = readObjectStorage(
    file,
    (store) => store.events.page({ after: 0, limit: 10_000 }),
    () => now,
  );
  expect(log.map(({ event }) => event)).toEqual(events);
  rmSync(folder, { recursive: true });
});

it("finds the file of an object as the runtime names it", () => {
  expect(objectFile("state", "enam:abc")).toBe(
    "state/v3/do/jornada-Driver/65d690b20cd7b43d6c42eeb7697354db6d2a94bf9d928db21493bddc96933376.sqlite",
  );
});
