import { expect, it } from "vitest";
import { driverId, HOUR_MS } from "../../../db/shapes/units.ts";
import type {
  DisputeInList,
  PaymentInList,
  RefundInList,
} from "../../../worker/contract/console/operator-money.ts";
import { CSV_COLUMNS } from "../../../web/console/tables/csv-columns.ts";
import type { CsvColumn } from "../../../web/ui/csv.ts";

const AT = Date.UTC(2026, 10, 22, 9, 5);
const at = "2026-11-22 09:05:00";
const LATER = AT + HOUR_MS;
const later = "2026-11-22 10:05:00";
const ANA = driverId.parse("driver-1");

/** The cells of a row of a file, by the titles of their columns. */
function cellsOf<Row>(columns: readonly CsvColumn<Row>[], row: Row): Record<string, unknown> {
  return Object.fromEntries(columns.map(({ title, value }) => [title, value(row)]));
}

const whose = { driverId: ANA, name: "Ana", plan: "7days" as const, currency: "USD", at: AT };
const whoseCells = { "When (UTC)": at, Driver: "Ana", Plan: "7 days", Currency: "USD" };

it("has the money of each payment, refund and dispute to the cent", () => {
  const payment: PaymentInList = {
    ...whose,
    id: "payment-1",
    status: "partly_refunded",
    totalCents: 5_499,
    refundedCents: 1_000,
    processorFeeCents: 190,
    method: "card",
    receiptNumber: 7,
  };
  expect(cellsOf(CSV_COLUMNS.payments(), payment)).toEqual({
    ...whoseCells,
    ID: "payment-1",
    Status: "Partially refunded",
    Amount: 54.99,
    Refunded: 10,
    "Stripe's fee": 1.9,
    Receipt: 7,
  });
  const refund: RefundInList = {
    ...whose,
    id: "back-1",
    kind: "refund",
    cents: 1_000,
    totalCents: 5_499,
    isEffective: true,
  };
  expect(cellsOf(CSV_COLUMNS.refunds(), refund)).toEqual({
    ...whoseCells,
    ID: "back-1",
    What: "Refund",
    Amount: 10,
    Of: 54.99,
  });
  const dispute: DisputeInList = {
    ...whose,
    id: "dispute-1",
    paymentId: "payment-1",
    status: "needs_response",
    reason: "fraudulent",
    cents: 5_499,
    feeCents: 1_500,
    dueAt: LATER,
  };
  const cells = {
    ...whoseCells,
    "Answer by (UTC)": later,
    ID: "dispute-1",
    Amount: 54.99,
    "Stripe's fee": 15,
    "The bank's reason": "fraudulent",
    "What to do": "Send evidence in Stripe's dashboard.",
  };
  expect(cellsOf(CSV_COLUMNS.disputes(LATER), dispute)).toEqual(cells);
  expect(cellsOf(CSV_COLUMNS.disputes(LATER + 1), dispute)).toEqual({
    ...cells,
    "What to do": "The deadline has passed. See Stripe's dashboard.",
  });
  const line = { day: "2026-11-22", plan: "14days" as const, payments: 2 };
  const sums = { grossCents: 17_998, refundedCents: 1_000, disputedCents: 8_999 };
  expect(cellsOf(CSV_COLUMNS.revenue(), { ...line, ...sums })).toEqual({
    Day: "2026-11-22",
    Plan: "14 days",
    Payments: 2,
    Paid: 179.98,
    Refunded: 10,
    "Lost in disputes": 89.99,
    Net: 79.99,
  });
});

it("has what is for sale, at which price and from when", () => {
  const sale = { id: "s", plan: "7days" as const, priceCents: 4_999, startsAt: AT, endsAt: LATER };
  const cells = { Plan: "7 days", Price: 49.99, "From (UTC)": at };
  expect(cellsOf(CSV_COLUMNS.sales(), sale)).toEqual({ ...cells, "Until (UTC)": later });
  expect(cellsOf(CSV_COLUMNS.prices(), sale)).toEqual(cells);
  expect(cellsOf(CSV_COLUMNS.prices(), { ...sale, startsAt: null })).toEqual({
    ...cells,
    "From (UTC)": null,
  });
});

it("has each raffle with its state", () => {
  const raffle = {
    id: "december",
    plan: "14days" as const,
    startsAt: AT,
    endsAt: LATER,
    winners: 10,
    prize: null,
    seedHash: "0".repeat(64),
    sealedSeed: null,
    hasBeacon: true,
    closing: null,
    entries: 12,
    isCompensated: false,
  };
  const statuses = ["ahead", "running", "over", "drawn"] as const;
  const rows = statuses.map((status) => cellsOf(CSV_COLUMNS.raffles(), { ...raffle, status }));
  expect(rows[0]).toEqual({
    Raffle: "december",
    Plan: "14 days",
    "From (UTC)": at,
    "Until (UTC)": later,
    Entries: 12,
    Winners: 10,
    State: "Begins later",
  });
  expect(rows.map(({ State }) => State)).toEqual(["Begins later", "Running", "Over, not drawn", "Drawn"]);
  const compensated = { ...raffle, status: "over", isCompensated: true } as const;
  expect(cellsOf(CSV_COLUMNS.raffles(), compensated)["State"]).toBe("Over, drivers compensated");
});

it("has each driver's state, and since when the fleet has them in it", () => {
  const driver = {
    id: ANA,
    name: "Ana",
    phone: "••• 0100",
    flexEmail: "ana@example.com",
    humanRegion: "Boise",
    isLinked: true,
    isSwitchedOn: true,
    createdAt: AT,
  };
  const stateOf = (fields: Partial<typeof driver>) =>
    cellsOf(CSV_COLUMNS.drivers(), { ...driver, ...fields })["State"];
  expect(cellsOf(CSV_COLUMNS.drivers(), driver)).toEqual({
    ID: ANA,
    Name: "Ana",
    Phone: "••• 0100",
    "Platform email": "ana@example.com",
    Region: "Boise",
    State: "On",
    "Registered (UTC)": at,
  });
  expect([stateOf({ isSwitchedOn: false }), stateOf({ isLinked: false })]).toEqual(["Off", "Not linked"]);
  const fleet = {
    id: ANA,
    name: "Ana",
    phone: "••• 0100",
    state: "polling" as const,
    since: AT,
    reportedAt: LATER,
    failure: null,
  };
  const cells = {
    ID: ANA,
    Name: "Ana",
    Phone: "••• 0100",
    State: "Looking for blocks",
    "Since (UTC)": at,
    "Last report (UTC)": later,
  };
  expect(cellsOf(CSV_COLUMNS.fleet(), fleet)).toEqual(cells);
  expect(cellsOf(CSV_COLUMNS.fleet(), { ...fleet, state: null, reportedAt: null })).toEqual({
    ...cells,
    State: null,
    "Last report (UTC)": null,
  });
});

it("has each hour of the fleet and of a city beside its usual figures", () => {
  const usual = { looking: 1, offers: 21, matches: 2, captures: 22, losses: 3, answered: 23, errors: 4 };
  const hour = { at: AT, captures: 1, losses: 2, answers: 3, refusals: 4, errors: 5, usual };
  const fleet = {
    "Hour (UTC)": at,
    Captured: 1,
    "Tried, not won": 2,
    "Answered (2xx, or the offer is gone)": 3,
    "Refused or slowed (401, 403, 429)": 4,
    "Failed calls": 5,
    "Usual for this hour": 22,
  };
  expect(cellsOf(CSV_COLUMNS.fleetHours(), hour)).toEqual(fleet);
  expect(cellsOf(CSV_COLUMNS.fleetHours(), { ...hour, usual: null })).toEqual({
    ...fleet,
    "Usual for this hour": null,
  });
  const ofCity = {
    city: "Boise",
    at: AT,
    looking: 1.5,
    offers: 11,
    matches: 12,
    captures: 13,
    losses: 14,
    answered: 15,
    refused: 16,
    failed: 17,
    softBlocks: 18,
    usual,
  };
  const city = {
    City: "Boise",
    "Hour (UTC)": at,
    "Looking for blocks": 1.5,
    "Offers seen": 11,
    "Wanted by filters": 12,
    Captured: 13,
    "Tried, not won": 14,
    "Answered (2xx, or the offer is gone)": 15,
    "Refused or slowed (401, 403, 429)": 16,
    "Failed calls": 17,
    "Suspected soft blocks": 18,
  };
  expect(cellsOf(CSV_COLUMNS.cityHours(), ofCity)).toEqual({
    ...city,
    "Offers seen, usual": 21,
    "Captured, usual": 22,
    "Answered (2xx, or the offer is gone), usual": 23,
  });
  expect(cellsOf(CSV_COLUMNS.cityHours(), { ...ofCity, usual: null })).toEqual({
    ...city,
    "Offers seen, usual": null,
    "Captured, usual": null,
    "Answered (2xx, or the offer is gone), usual": null,
  });
});

it("has each city's spots, and who is next", () => {
  const city = { city: "Boise", spots: 10, taken: 9, waiting: 2, next: { id: ANA, name: "Ana", since: AT } };
  const cells = { City: "Boise", Spots: 10, Taken: 9, Waiting: 2, "Next in line": "Ana" };
  expect(cellsOf(CSV_COLUMNS.cities(), city)).toEqual(cells);
  expect(cellsOf(CSV_COLUMNS.cities(), { ...city, spots: null, next: null })).toEqual({
    ...cells,
    Spots: "No limit",
    "Next in line": null,
  });
});

it("has each line of the log with what it changed", () => {
  const act = {
    id: "act-1",
    at: AT,
    operator: "olga@ops.test",
    role: "owner" as const,
    act: "days" as const,
    driverId: ANA,
    what: { days: 3 },
    reason: "a gift",
    before: { days: 0 },
    after: { days: 3 },
  };
  expect(cellsOf(CSV_COLUMNS.acts(), act)).toEqual({
    "When (UTC)": at,
    Who: "olga@ops.test",
    What: "Give or take days",
    Driver: ANA,
    Change: '{"days":3}',
    Before: '{"days":0}',
    After: '{"days":3}',
    Why: "a gift",
  });
});

it("has what drivers think and write", () => {
  const week = { at: AT, answers: 3, skipped: 1, average: 8.666, net: -12 };
  expect(cellsOf(CSV_COLUMNS.feedback(), week)).toEqual({
    "Week of (UTC)": at,
    Scores: 3,
    Average: 8.666,
    Balance: -12,
    Skipped: 1,
  });
  const comment = {
    id: "c",
    at: AT,
    score: 9,
    comment: "It finds blocks",
    driverId: ANA,
    name: "Ana",
    phone: "••• 0100",
  };
  const cells = {
    "When (UTC)": at,
    Score: 9,
    Comment: "It finds blocks",
    Driver: "Ana",
    Phone: "••• 0100",
  };
  expect(cellsOf(CSV_COLUMNS.comments(), comment)).toEqual(cells);
  expect(cellsOf(CSV_COLUMNS.comments(), { ...comment, name: null })).toEqual({ ...cells, Driver: ANA });
});

it("has each error of a page and each announcement", () => {
  const error = {
    id: "e",
    caller: "error_page",
    name: "TypeError",
    message: "x is undefined",
    place: "/offers",
    reports: 5,
    drivers: 2,
    firstSeenAt: AT,
    lastSeenAt: LATER,
    requestId: "r",
    stack: null,
    versions: ["1.2.0", "1.1.0"].map((version) => ({ version, reports: 1 })),
    status: "back" as const,
  };
  const cells = {
    ID: "e",
    Error: "TypeError: x is undefined",
    What: "error_page, /offers",
    Reports: 5,
    Drivers: 2,
    "First (UTC)": at,
    "Last (UTC)": later,
    Versions: "1.2.0 1.1.0",
    Status: "Resolved, and back",
  };
  expect(cellsOf(CSV_COLUMNS.errors(), error)).toEqual(cells);
  expect(cellsOf(CSV_COLUMNS.errors(), { ...error, message: null, place: null })).toEqual({
    ...cells,
    Error: "TypeError",
    What: "error_page",
  });
  const announcement = {
    id: "a",
    text: { en: "Rain", es: "Lluvia", pt: "Chuva" },
    audience: { kind: "city" as const, city: "Boise" },
    startsAt: AT,
    endsAt: LATER,
    told: 4,
    isTold: true,
    pushes: { sent: 1, failed: 2, pending: 3 },
  };
  expect(cellsOf(CSV_COLUMNS.announcements(), announcement)).toEqual({
    English: "Rain",
    Español: "Lluvia",
    Português: "Chuva",
    For: "Boise",
    "From (UTC)": at,
    "Until (UTC)": later,
    Told: 4,
    "Pushes sent": 1,
    "Pushes failed": 2,
    "Pushes still going": 3,
  });
});
