import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawWinners, readPrize, ticketOf } from "../../db/shapes/raffle.ts";
import { parsePromotion } from "../../worker/operators/arguments.ts";
import { drawRaffle, makePromotion } from "../../worker/operators/raffles.ts";
import { openSeed, sealSeed } from "../../worker/operators/sealed-seed.ts";
import { migratedDatabase } from "../support/migrated-database.ts";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const sha256 = async (text: string) => hashOf(text);
const DAY_MS = 86_400_000;
const END = Date.UTC(2027, 0, 1);
const PASSPHRASE = "correct horse battery";

const tickets = fc
  .uniqueArray(fc.integer({ min: 0, max: 10_000 }), { maxLength: 40 })
  .map((numbers) => numbers.map((number) => ({ entry: `e${number}`, holder: `h${number % 7}` })));

describe("drawing winners", () => {
  it("takes the smallest numbers first, and each holder once", async () => {
    const given = Array.from({ length: 12 }, (_, at) => ({ entry: `e${at}`, holder: `h${at % 5}` }));
    const expected = given
      .toSorted((a, b) => hashOf(`seed:${a.entry}`).localeCompare(hashOf(`seed:${b.entry}`)))
      .filter(({ holder }, at, all) => all.findIndex((other) => other.holder === holder) === at)
      .slice(0, 3)
      .map(({ entry }) => entry);
    expect(await drawWinners({ seed: "seed", tickets: given, winners: 3 }, sha256)).toEqual(expected);
  });

  it("depends on neither the order of the entries nor on entries that are worse", async () => {
    await fc.assert(
      fc.asyncProperty(
        tickets,
        fc.string(),
        fc.integer({ min: 0, max: 10 }),
        async (given, seed, winners) => {
          const drawn = await drawWinners({ seed, tickets: given, winners }, sha256);
          expect(await drawWinners({ seed, tickets: given.toReversed(), winners }, sha256)).toEqual(drawn);
          const holders = drawn.map((entry) => given.find((ticket) => ticket.entry === entry)?.holder);
          expect(new Set(holders).size).toBe(drawn.length);
          expect(drawn.length).toBe(Math.min(winners, new Set(given.map(({ holder }) => holder)).size));
        },
      ),
    );
  });

  it("publishes of a payment what does not lead back to it", async () => {
    const of = (promotionId: string) => ticketOf({ promotionId, paymentId: "p", driverId: "d" }, sha256);
    expect(await of("a")).toEqual(await of("a"));
    expect((await of("a")).holder).not.toBe((await of("b")).holder);
    expect((await of("a")).entry).toMatch(/^[0-9a-f]{24}$/);
  });
});

describe("a sealed seed", () => {
  it("opens with its passphrase, for its raffle, and with nothing else", () => {
    const sealed = sealSeed("seed", { passphrase: PASSPHRASE, id: "december" });
    expect(sealed).not.toContain("seed");
    expect(openSeed(sealed, { passphrase: PASSPHRASE, id: "december" })).toBe("seed");
    expect(openSeed(sealed, { passphrase: "wrong", id: "december" })).toBeNull();
    expect(openSeed(sealed, { passphrase: PASSPHRASE, id: "january" })).toBeNull();
    expect(openSeed("", { passphrase: PASSPHRASE, id: "december" })).toBeNull();
  });
});

describe("the operator's arguments", () => {
  const given = { id: "december", plan: "14days", from: "2026-12-01", to: "2026-12-31", winners: "10" };

  it.each([
    ["without a prize", given, { id: "december", endsAt: END, winners: 10, prize: null }],
    [
      "with a prize",
      { ...given, "prize-en": "A bike", "prize-es": "Una bici", "prize-pt": "Uma bicicleta" },
      { prize: { en: "A bike", es: "Una bici", pt: "Uma bicicleta" } },
    ],
  ])("make a promotion %s", (_name, values, expected) => {
    expect(parsePromotion(values)).toMatchObject(expected);
  });

  it.each([
    ["no winners", { ...given, winners: "0" }],
    ["days that end before they begin", { ...given, to: "2026-11-01" }],
    ["a prize in one language", { ...given, "prize-en": "A bike" }],
    ["an unknown plan", { ...given, plan: "1day" }],
    ["an id that is no path", { ...given, id: "a/b" }],
  ])("make none with %s", (_name, values) => {
    expect(parsePromotion(values)).toBeNull();
  });
});

/** A raffle that is over, with payments by status, and what runs statements on it. */
async function endedRaffle(statuses: readonly string[]) {
  const database = migratedDatabase();
  const query = async (sql: string) => database.prepare(sql).all();
  const promotion = {
    id: "december",
    plan: "14days" as const,
    startsAt: END - 31 * DAY_MS,
    endsAt: END,
    winners: 2,
    prize: null,
  };
  const seedHash = await makePromotion(query, promotion, PASSPHRASE);
  statuses.forEach((status, at) => {
    database
      .prepare(
        `INSERT INTO payments (id, driver_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, revision, created_at)
         VALUES (?1, ?2, '14days', ?3, 'USD', 8999, 0, 0, 0, 63, 9062, 0, 1, 1)`,
      )
      .run(`p${at}`, `d${at}`, status);
    database
      .prepare(
        `INSERT INTO raffle_entries (promotion_id, payment_id, driver_id, at) VALUES ('december', ?, ?, 1)`,
      )
      .run(`p${at}`, `d${at}`);
  });
  return { database, query, seedHash };
}

const rowOf = (database: DatabaseSync) => database.prepare(`SELECT * FROM promotions`).get();

describe("the draw", () => {
  it("keeps the seed from everybody until it is drawn, and then fits the fingerprint", async () => {
    const { database, query, seedHash } = await endedRaffle([
      "settled",
      "settled",
      "refunded",
      "dispute_lost",
    ]);
    const before = rowOf(database);
    expect([before?.["seed"], before?.["seed_hash"]]).toEqual([null, seedHash]);
    const source = { passphrase: PASSPHRASE };
    const drawn = await drawRaffle(query, { id: "december", source, now: END });
    expect(drawn).toMatchObject({ ok: true, entries: 2, winners: [{}, {}] });
    expect(hashOf(String(rowOf(database)?.["seed"]))).toBe(seedHash);
    const seed = String(rowOf(database)?.["seed"]);
    const shown = database.prepare(`SELECT entry, holder, rank FROM raffle_tickets ORDER BY entry`).all();
    const again = await drawWinners(
      {
        seed,
        winners: 2,
        tickets: shown.map((row) => ({ entry: String(row["entry"]), holder: String(row["holder"]) })),
      },
      sha256,
    );
    const winners = shown.filter((row) => row["rank"] !== null);
    expect(again).toEqual(
      winners.toSorted((a, b) => Number(a["rank"]) - Number(b["rank"])).map((row) => row["entry"]),
    );
    expect(
      database.prepare(`SELECT driver_id, kind, subject FROM driver_news ORDER BY driver_id`).all(),
    ).toMatchObject([
      { driver_id: "d0", kind: "raffle_won", subject: "december" },
      { driver_id: "d1", kind: "raffle_won", subject: "december" },
    ]);
    expect(await drawRaffle(query, { id: "december", source, now: END })).toEqual({
      ok: false,
      error: "drawn",
    });
  });

  it.each([
    [
      "before the raffle is over",
      { id: "december", source: { passphrase: PASSPHRASE }, now: END - 1 },
      "not_over",
    ],
    [
      "with another passphrase",
      { id: "december", source: { passphrase: "x" }, now: END },
      "wrong_passphrase",
    ],
    ["with another seed", { id: "december", source: { seed: "x" }, now: END }, "wrong_seed"],
    ["of a raffle that does not exist", { id: "none", source: { seed: "x" }, now: END }, "unknown"],
  ])("changes nothing %s", async (_name, request, error) => {
    const { database, query } = await endedRaffle(["settled"]);
    expect(await drawRaffle(query, request)).toEqual({ ok: false, error });
    expect(rowOf(database)?.["closed_at"]).toBeNull();
  });

  it("writes more tickets than one statement holds", async () => {
    const { database, query } = await endedRaffle(Array.from({ length: 900 }, () => "settled"));
    await drawRaffle(query, { id: "december", source: { passphrase: PASSPHRASE }, now: END });
    expect(
      database.prepare(`SELECT count(*) AS rows, count(rank) AS won FROM raffle_tickets`).get(),
    ).toMatchObject({ rows: 900, won: 2 });
  });
});

it("shows a prize only if it is there in every language", () => {
  expect(readPrize({ en: "A", es: "B", pt: "C" })).toEqual({ en: "A", es: "B", pt: "C" });
  expect([readPrize(undefined), readPrize({ en: "A" })]).toEqual([null, null]);
});
