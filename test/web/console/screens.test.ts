import { createElement } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ENTRIES_CLOSE_AFTER_MS } from "../../../db/shapes/money/raffle.ts";
import { sealSeed } from "../../../db/shapes/money/sealed-seed.ts";
import { sha256Hex } from "../../../db/shapes/sha256-hex.ts";
import { driverId, HOUR_MS } from "../../../db/shapes/units.ts";
import type { FleetResponse } from "../../../worker/contract/console/fleet.ts";
import type { OperatorRequest } from "../../../worker/contract/console/operators.ts";
import { RequestsScreen } from "../../../web/console/acts/requests-screen.tsx";
import { limitsQuery, meQuery, requestsQuery } from "../../../web/console/calls/acts.ts";
import { pricesQuery, raffleListQuery } from "../../../web/console/calls/deployment.ts";
import { cityHoursQuery, fleetQuery } from "../../../web/console/calls/fleet.ts";
import { FleetScreen } from "../../../web/console/fleet/fleet-screen.tsx";
import { PricesScreen } from "../../../web/console/prices/prices-screen.tsx";
import { describeDraw, DrawForm } from "../../../web/console/raffles/draw-form.tsx";
import { RafflesScreen } from "../../../web/console/raffles/raffles-screen.tsx";
import { ConsoleShell } from "../../../web/console/shell.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { clockAt, htmlOf, OWNER, readPart, SUPPORT, type Answered } from "../../support/console-part.ts";
import { rowsOf } from "../../support/html-text.ts";

const ANA = driverId.parse("driver-1");
const NAME = OWNER.operator.name;
beforeEach(() => void vi.stubGlobal("location", new URL("https://jornada.test/ops/fleet")));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("requests", () => {
  const request = (fields: Partial<OperatorRequest>): OperatorRequest => ({
    id: "request-1",
    act: "export_data",
    driverId: ANA,
    driverName: "Ana",
    what: {},
    worthCents: 0,
    reason: "she asked for it",
    operator: "sam@ops.test",
    role: "support",
    askedAt: NOON,
    expiresAt: NOON + HOUR_MS,
    status: "approved",
    decidedBy: NAME,
    decidedAt: NOON,
    ...fields,
  });
  const screen = (fields: Partial<OperatorRequest>, me = OWNER) =>
    readPart(
      createElement(RequestsScreen),
      [
        [requestsQuery.queryKey, { requests: [request(fields)] }],
        [
          limitsQuery.queryKey,
          { limits: [{ operator: "sam@ops.test", kind: "exports", acts: 3, at: NOON }] },
        ],
      ],
      me,
    );
  const FETCH = "Download the data";

  it("offer an approved export to the two who agreed on it, and to nobody else", () => {
    const isOffered = (fields: Partial<OperatorRequest>) => screen(fields).includes(FETCH);
    expect(isOffered({})).toBe(true);
    expect(isOffered({ operator: NAME, decidedBy: "uma@ops.test" })).toBe(true);
    expect(isOffered({ decidedBy: "uma@ops.test" })).toBe(false);
    expect(isOffered({ act: "erase" })).toBe(false);
    expect(isOffered({ status: "declined" })).toBe(false);
  });

  it("stand above the limits that operators reached, which owners see", () => {
    const reached = [
      "Limits reached in the last day",
      "sam@ops.test",
      "Made as many exports as a day allows: 3",
    ];
    expect(screen({})).toEqual(expect.arrayContaining(reached));
    expect(screen({}, SUPPORT)).not.toContain(reached[0]);
  });
});

const EMPTY_HOUR = {
  looking: 0,
  offers: 0,
  matches: 0,
  captures: 0,
  losses: 0,
  answered: 0,
  refused: 0,
  failed: 0,
  softBlocks: 0,
  usual: null,
};

it("asks for the hours of the cities in the span that is shown, a week at most", () => {
  vi.stubGlobal("document", { documentElement: { dataset: {} }, cookie: "" });
  const counts = [
    "on",
    "looking",
    "waiting",
    "asleep",
    "signedOut",
    "notLinked",
    "verification",
    "noService",
  ];
  const fleet: FleetResponse = {
    at: NOON,
    attention: [],
    drivers: Object.fromEntries(
      [...counts, "stale", "failing", "off"].map((name) => [name, 0]),
    ) as FleetResponse["drivers"],
    hours: [],
    states: [],
    answers: {},
    lateness: { polls: 0, bins: [], p50Ms: null, p95Ms: null, p99Ms: null },
  };
  const answered = (["day", "week"] as const).map((span): Answered => {
    const hours = [{ ...EMPTY_HOUR, at: NOON }];
    return [
      cityHoursQuery(span).queryKey,
      {
        at: NOON,
        cities: [
          { city: `a ${span}`, silence: null, cause: null, lastOfferAt: null, lastCaptureAt: null, hours },
        ],
      },
    ];
  });
  const screen = (span: "day" | "week" | "month") =>
    readPart(createElement(FleetScreen, { list: null, span }), [
      [fleetQuery(span).queryKey, fleet],
      ...answered,
    ]);
  expect(screen("day")).toContain("a day");
  expect(screen("week")).toContain("a week");
  expect(screen("month")).toContain("a week");
});

it("opens no form of prices before an operator does", () => {
  const prices = { prices: [], ahead: [], sales: [] };
  expect(readPart(createElement(PricesScreen), [[pricesQuery.queryKey, prices]])).toContain("Prices");
});

const raffle = {
  id: "december",
  plan: "14days" as const,
  startsAt: NOON - 2 * HOUR_MS,
  endsAt: NOON - HOUR_MS,
  winners: 10,
  prize: null,
  seedHash: "0".repeat(64),
  hasBeacon: true,
  closing: null,
  entries: 12,
  status: "over" as const,
  isCompensated: false,
};

it("draws what this release sealed or an operator keeps, and says how to draw what an earlier one sealed", () => {
  const form = (sealedSeed: string | null) =>
    readPart(
      createElement(DrawForm, { raffle: { ...raffle, sealedSeed }, onClose: () => {}, onDrawn: () => {} }),
    );
  expect(form("v1.salt.nonce.cipher")).toEqual([
    "This seed was sealed by an earlier release: draw it with npm run ops -- draw --id december.",
  ]);
  expect(form("v2.salt.nonce.cipher")).toContain("Passphrase");
  expect(form(null)).toContain("Why");
});

it("asks for the signature of a round where one is fixed, in fields that are empty", () => {
  const fixed = { at: NOON, round: 7, roundAt: NOON, entriesHash: "0".repeat(64), publicKey: "key" };
  const form = (closing: typeof fixed | null) => {
    const open = { ...raffle, sealedSeed: null, closing };
    return htmlOf(createElement(DrawForm, { raffle: open, onClose: () => {}, onDrawn: () => {} }));
  };
  const fieldsIn = (html: string) => [
    ...html.matchAll(/<input[^>]* name="(?<name>secret|signature)"[^>]* value="(?<value>[^"]*)"/gu),
  ];
  const typed = (html: string) => fieldsIn(html).map(({ groups }) => [groups?.["name"], groups?.["value"]]);
  expect(typed(form(fixed))).toEqual([
    ["secret", ""],
    ["signature", ""],
  ]);
  expect(form(fixed)).toContain("Signature of round 7");
  expect(typed(form(null))).toEqual([["secret", ""]]);
});

it("lists raffles with where each is, and offers what comes next: to owners, and the check to everybody", () => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  const closing = { round: 1, roundAt: NOON + HOUR_MS, entriesHash: "0".repeat(64) };
  const raffles = [
    { ...raffle, id: "ahead", status: "ahead" as const },
    { ...raffle, id: "running", status: "running" as const },
    { ...raffle, id: "closing", entries: 1_200 },
    { ...raffle, id: "waiting", closing },
    { ...raffle, id: "over", closing: { ...closing, roundAt: NOON } },
    { ...raffle, id: "drawn", status: "drawn" as const },
  ].map((one) => ({ ...one, sealedSeed: null }));
  const rows = (me: typeof OWNER) =>
    rowsOf(
      htmlOf(createElement(RafflesScreen), [[raffleListQuery.queryKey, { raffles }]], me),
      "Raffles",
    ).slice(1);
  const row = (id: string, state: string, next: string, entries = "12") => [
    id,
    "14 days",
    clockAt(NOON - 2 * HOUR_MS),
    clockAt(NOON - HOUR_MS),
    entries,
    "10",
    state,
    next,
  ];
  const closed = clockAt(NOON - HOUR_MS + ENTRIES_CLOSE_AFTER_MS);
  expect(rows(OWNER)).toEqual([
    row("ahead", "Begins later", "End"),
    row("running", "Running", "End"),
    row("closing", `Over, entries close: ${closed}`, "", "1,200"),
    row("waiting", `Waits for the beacon: ${clockAt(NOON + HOUR_MS)}`, ""),
    row("over", "Over, not drawn", "Draw"),
    row("drawn", "Drawn", "Check"),
  ]);
  expect(rows(SUPPORT).map((cells) => cells.at(-1))).toEqual(["", "", "", "", "", "Check"]);
});

it("lists prices and sales, which owners end", () => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  const sale = { plan: "7days" as const, priceCents: 4_499, startsAt: NOON, endsAt: NOON + HOUR_MS };
  const sales = [
    { ...sale, id: "now" },
    { ...sale, id: "later", startsAt: NOON + 1 },
  ];
  const prices = {
    prices: [{ plan: "7days" as const, priceCents: 4_999 }],
    ahead: [{ plan: "14days" as const, priceCents: 8_999, startsAt: NOON + HOUR_MS }],
    sales,
  };
  const html = (me: typeof OWNER) =>
    htmlOf(createElement(PricesScreen), [[pricesQuery.queryKey, prices]], me);
  expect(rowsOf(html(OWNER), "List prices")).toEqual([
    ["Plan", "Price", "From"],
    ["7 days", "$49.99", "Now"],
    ["14 days", "$89.99", clockAt(NOON + HOUR_MS)],
  ]);
  const row = ["7 days", "$44.99", clockAt(NOON), clockAt(NOON + HOUR_MS)];
  expect(rowsOf(html(OWNER), "Sales").slice(1)).toEqual([
    [...row, "End"],
    [...row, "End"],
  ]);
  expect(rowsOf(html(SUPPORT), "Sales").slice(1)).toEqual([
    [...row, "Holds now"],
    [...row, "Ahead"],
  ]);
  for (const words of ["Change a list price", "Make a sale"])
    expect([html(OWNER).includes(words), html(SUPPORT).includes(words)]).toEqual([true, false]);
});

it("draws with the seed that fits the fingerprint, typed or opened, and says what else is wrong", async () => {
  const seed = "a seed";
  const kept = { ...raffle, seedHash: await sha256Hex(seed), sealedSeed: null };
  const sealed = {
    ...kept,
    sealedSeed: await sealSeed(seed, { passphrase: "ten words", id: kept.id }),
  };
  const typed = { secret: seed, signature: "", reason: "it is over" };
  const act = { act: "draw", raffle: "december", seed, reason: "it is over" };
  const signature = "ab".repeat(48);
  expect(await describeDraw(kept, typed)).toEqual({ act });
  expect(await describeDraw(kept, { ...typed, signature: ` ${signature.toUpperCase()} ` })).toEqual({
    act: { ...act, signature },
  });
  expect(await describeDraw(sealed, { ...typed, secret: " ten words " })).toEqual({ act });
  const wrongSeed = "This doesn't fit the fingerprint.";
  for (const [of, secret] of [
    [kept, "another seed"],
    [sealed, "nine words"],
    [{ ...sealed, seedHash: raffle.seedHash }, "ten words"],
  ] as const)
    expect(await describeDraw(of, { ...typed, secret })).toEqual({ issues: { secret: wrongSeed } });
  expect(await describeDraw(kept, { ...typed, signature: "ab" })).toEqual({
    issues: { signature: expect.any(String) },
  });
  expect(await describeDraw(kept, { ...typed, reason: "" })).toEqual({
    issues: { reason: expect.any(String) },
  });
});

it("names the screen that is open in its navigation", () => {
  const current = (path: string) => {
    vi.stubGlobal("location", new URL(`https://jornada.test/ops/${path}`));
    const shell = createElement(ConsoleShell);
    const html = htmlOf(
      shell,
      [
        [meQuery.queryKey, OWNER],
        [pricesQuery.queryKey, { prices: [], ahead: [], sales: [] }],
      ],
      OWNER,
    );
    return [...html.matchAll(/aria-current="page"[^>]*>([^<]*)/gu)].map(([, name]) => name);
  };
  expect([current("fleet"), current("drivers"), current("prices")]).toEqual([
    ["Fleet"],
    ["Drivers"],
    ["Prices"],
  ]);
});

it("marks the language that it speaks among those that it has", () => {
  const html = htmlOf(createElement(ConsoleShell), [[meQuery.queryKey, OWNER]], OWNER);
  const languages = [...html.matchAll(/aria-pressed="(true|false)"[^>]*>([^<]*)/gu)];
  expect(languages.map(([, isPressed, name]) => [name, isPressed])).toEqual([
    ["EN", "true"],
    ["ES", "false"],
    ["PT", "false"],
  ]);
});
