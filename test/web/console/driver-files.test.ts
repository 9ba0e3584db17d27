import { expect, it } from "vitest";
import { driverId, HOUR_MS } from "../../../db/shapes/units.ts";
import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import { DRIVER_CSV } from "../../../web/console/drivers/driver-csv.tsx";
import type { CsvColumn } from "../../../web/ui/csv.ts";

const AT = Date.UTC(2026, 10, 22, 9, 5);
const at = "2026-11-22 09:05:00";
const LATER = AT + HOUR_MS;
const later = "2026-11-22 10:05:00";

/** A row of each of a driver's tables. */
const ROWS = {
  payments: {
    id: "payment-1",
    plan: "7days",
    status: "partly_refunded",
    totalCents: 5_499,
    refundedCents: 1_000,
    currency: "USD",
    receiptNumber: 7,
    canCheck: false,
    at: AT,
  },
  service: { source: "payment", appliedMs: 36 * HOUR_MS, at: AT },
  points: { kind: "earned", reward: null, points: 50, at: AT },
  texts: { id: "text-1", phone: "+15550100144", status: "delivered", at: AT },
  prices: { id: "price-1", plan: "14days", priceCents: 8_999, startsAt: AT, endsAt: LATER },
  sessions: { browser: "Chrome", system: "Android", country: "US", createdAt: AT, lastSeenAt: LATER },
  security: { event: "sign_in", browser: null, system: "Android", lastAt: AT },
  invitations: {
    id: "invitation-1",
    phone: "•••144",
    friendId: driverId.parse("driver-2"),
    status: "completed",
    withheld: "same_card",
    at: AT,
  },
} as const;

const FILES: Record<keyof typeof DRIVER_CSV, Record<string, unknown>> = {
  payments: {
    "When (UTC)": at,
    ID: "payment-1",
    Plan: "7 days",
    Status: "Partially refunded",
    Currency: "USD",
    Amount: 54.99,
    Refunded: 10,
    Receipt: 7,
  },
  service: { "When (UTC)": at, What: "payment", "Days of service": 1.5 },
  points: { "When (UTC)": at, What: "Days you paid for", Points: 50 },
  texts: { "When (UTC)": at, Phone: "+15550100144", Status: "delivered" },
  prices: { Plan: "14 days", Price: 89.99, "From (UTC)": at, "Until (UTC)": later },
  sessions: { What: "Chrome on Android", Region: "US", "Signed in (UTC)": at, "Last used (UTC)": later },
  security: { "When (UTC)": at, What: "Signed in", Device: "Android" },
  invitations: { "When (UTC)": at, Friend: "•••144", Status: "completed", Withheld: "same_card" },
};

const partNames = Object.keys(FILES) as (keyof typeof DRIVER_CSV)[];

/** The cells of a row of a file, by the titles of their columns. */
function cellsOf(part: keyof typeof DRIVER_CSV, row: object): Record<string, unknown> {
  const columns = DRIVER_CSV[part]() as readonly CsvColumn<object>[];
  return Object.fromEntries(columns.map(({ title, value }) => [title, value(row)]));
}

it.each(partNames)("a driver's own table as a file has each figure under its title: %s", (part) => {
  expect(cellsOf(part, ROWS[part])).toEqual(FILES[part]);
});

it("names a friend who came by a link by their id", () => {
  const friend: DriverPage["invitations"][number] = { ...ROWS.invitations, phone: null, withheld: null };
  expect(cellsOf("invitations", friend)).toMatchObject({ Friend: "driver-2", Withheld: null });
});
