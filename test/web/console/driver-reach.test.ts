import { createElement } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { textStatus, type TextDelivery, type TextStatus } from "../../../db/shapes/text-delivery.ts";
import { driverId, HOUR_MS } from "../../../db/shapes/units.ts";
import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import { liveQuery } from "../../../web/console/calls/drivers.ts";
import { DriverFilters } from "../../../web/console/drivers/driver-filters.tsx";
import { SentTexts, Sessions } from "../../../web/console/drivers/driver-reach.tsx";
import { makeFilters, makeWarehouse, makeWarehouseFilter, NOON, week, idOf } from "../../engine/fixtures.ts";
import { clockAt, htmlOf, readPart } from "../../support/console-part.ts";
import { rowsOf } from "../../support/html-text.ts";

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const ANA = driverId.parse("driver-1");
const pageOf = (fields: Partial<DriverPage>) =>
  ({ driver: { id: ANA }, cut: [] as string[], ...fields }) as DriverPage;

const WORDS: Record<TextStatus, string> = {
  accepted: "On its way",
  scheduled: "On its way",
  queued: "On its way",
  sending: "On its way",
  sent: "On its way",
  delivered: "Delivered",
  read: "Delivered",
  undelivered: "Not delivered",
  failed: "Not delivered",
  canceled: "Canceled",
  other: "On its way",
};

it("lists a driver's texts with how far each came, and offers to send again those that failed", () => {
  const sent = textStatus.options.map((status) => ({ id: status, phone: "+15550100144", status, at: NOON }));
  const page = pageOf({ texts: { delivery: { status: "ok" }, sent } });
  const [, ...rows] = rowsOf(htmlOf(createElement(SentTexts, { page, onAct: () => {} })), "Texts");
  expect(rows).toEqual(
    textStatus.options.map((status) => [
      clockAt(NOON),
      "+1 (555) 010-0144",
      WORDS[status],
      status === "failed" || status === "undelivered" ? "Send again" : "",
    ]),
  );
});

it.each([
  ["ok", "Texts reach this number."],
  ["failing", "The last text did not arrive."],
  ["paused", "No texts are tried: too many did not arrive."],
  ["stopped", "The driver replied STOP."],
  ["other", "Reload the console to see this"],
])("says whether a driver's texts arrive: %s", (status, words) => {
  const page = pageOf({ texts: { delivery: { status } as TextDelivery, sent: [] } });
  expect(readPart(createElement(SentTexts, { page, onAct: () => {} }))).toContain(words);
});

it("lists where a driver is signed in", () => {
  const session = { browser: "Chrome", system: "Android", country: "US", createdAt: 0, lastSeenAt: NOON };
  const sessions = [session, { ...session, browser: null, country: null, lastSeenAt: NOON - 2 * HOUR_MS }];
  const html = htmlOf(createElement(Sessions, { page: pageOf({ sessions }) }));
  expect(rowsOf(html, "Signed in on").slice(1)).toEqual([
    ["Chrome on Android", "United States", "now"],
    ["Android", "", "2 hr. ago"],
  ]);
});

it("has a driver's filters as they read them, with the names that their object knows", () => {
  const [known, unknown, off] = ["W0", "W1", "W2"].map((name) => idOf.warehouse(name));
  const filters = makeFilters({
    minHourlyCents: 2_000,
    schedule: week(1_080, 120, [1]),
    warehouses: [
      makeWarehouseFilter({ warehouseId: known, minPriceCents: 5_000 }),
      makeWarehouseFilter({ warehouseId: unknown, minPriceCents: 6_000 }),
      makeWarehouseFilter({ warehouseId: off, selected: false }),
    ],
  });
  const read = (fields: Partial<DriverPage["filters"]>) => {
    const part = createElement(DriverFilters, {
      page: pageOf({ filters: { version: 7, filters, isComplete: true, ...fields } }),
    });
    const snapshot = { warehouses: [makeWarehouse({ warehouseId: known, name: "Maspeth" })] };
    const live = [[liveQuery(ANA).queryKey, { snapshot, failure: null }]] as [readonly unknown[], unknown][];
    return { texts: readPart(part, live), rows: rowsOf(htmlOf(part, live), "Filters").slice(1) };
  };
  const { texts, rows } = read({});
  expect(rows).toEqual([
    ["Maspeth", expect.stringMatching(/^At least \$50, /u)],
    [unknown, expect.stringMatching(/^At least \$60, /u)],
  ]);
  const days = texts.slice(texts.indexOf("Mon"), texts.indexOf("Mon") + 4);
  expect([texts.includes("$20/hr"), days]).toEqual([true, ["Mon", "6:00 PM to 2:00 AM", "Tue", "Off"]]);
  const none = read({ isComplete: false, filters: makeFilters({ warehouses: [] }) });
  const whole = read({ filters: makeFilters({ schedule: week(300, 300, [2]) }) }).texts;
  expect(whole.slice(whole.indexOf("Mon"), whole.indexOf("Mon") + 4)).toEqual([
    "Mon",
    "Off",
    "Tue",
    "All 24 hours",
  ]);
  expect(none.rows).toEqual([]);
  expect([texts[1], none.texts[1]]).toEqual(["Complete, version 7", "Not complete, version 7"]);
});
