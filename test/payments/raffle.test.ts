import { createCipheriv, createHash, scryptSync } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawWinners, readPrize, ticketOf } from "../../db/shapes/money/raffle.ts";
import { parsePromotion } from "../../worker/operators/arguments.ts";
import { isSealKnown, makeSeed, openSeed, sealSeed } from "../../db/shapes/money/sealed-seed.ts";
import { openEarlySeal } from "../../worker/operators/early-seal.ts";
import { makePassphrase } from "../../web/console/raffles/make-passphrase.ts";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
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
    expect(await drawWinners({ seed: "seed", tickets: given, winners: 3 })).toEqual(expected);
  });

  it("depends on neither the order of the entries nor on entries that are worse", async () => {
    await fc.assert(
      fc.asyncProperty(
        tickets,
        fc.string(),
        fc.integer({ min: 0, max: 10 }),
        async (given, seed, winners) => {
          const drawn = await drawWinners({ seed, tickets: given, winners });
          expect(await drawWinners({ seed, tickets: given.toReversed(), winners })).toEqual(drawn);
          const holders = drawn.map((entry) => given.find((ticket) => ticket.entry === entry)?.holder);
          expect(new Set(holders).size).toBe(drawn.length);
          expect(drawn.length).toBe(Math.min(winners, new Set(given.map(({ holder }) => holder)).size));
        },
      ),
    );
  });

  it("publishes of a payment what does not lead back to it", async () => {
    const of = (promotionId: string) => ticketOf({ promotionId, paymentId: "p", driverId: "d" });
    expect(await of("a")).toEqual(await of("a"));
    expect((await of("a")).holder).not.toBe((await of("b")).holder);
    expect((await of("a")).entry).toMatch(/^[0-9a-f]{24}$/);
  });
});

describe("a sealed seed", () => {
  const key = { passphrase: PASSPHRASE, id: "december" };
  const wrongKeys = [
    { ...key, passphrase: "wrong" },
    { ...key, id: "january" },
  ];

  it("opens with its passphrase, for its raffle, and with nothing else", async () => {
    const seed = makeSeed();
    expect(seed).toMatch(/^[0-9a-f]{64}$/);
    const sealed = await sealSeed(seed, key);
    expect([isSealKnown(sealed), sealed.includes(seed)]).toEqual([true, false]);
    expect(await openSeed(sealed, key)).toBe(seed);
    for (const wrong of wrongKeys) expect(await openSeed(sealed, wrong)).toBeNull();
    for (const text of ["", "v2.%.%.%", sealed.replace("v2", "v3")])
      expect(await openSeed(text, key)).toBeNull();
  });

  it("of the first release opens for the program, and the page says that it can't", () => {
    const salt = Buffer.alloc(16, 1);
    const cipher = createCipheriv("aes-256-gcm", scryptSync(PASSPHRASE, salt, 32), Buffer.alloc(12, 2));
    cipher.setAAD(Buffer.from("december"));
    const text = Buffer.concat([cipher.update("seed", "utf8"), cipher.final()]);
    const parts = [salt, Buffer.alloc(12, 2), cipher.getAuthTag(), text];
    const sealed = ["v1", ...parts.map((part) => part.toString("base64url"))].join(".");
    expect([openEarlySeal(sealed, key), isSealKnown(sealed)]).toEqual(["seed", false]);
    for (const wrong of wrongKeys) expect(openEarlySeal(sealed, wrong)).toBeNull();
    expect(openEarlySeal(sealed.replace("v1", "v2"), key)).toBeNull();
  });

  it("has a passphrase that is not guessed", () => {
    expect(makePassphrase()).toMatch(/^([a-hjkmnp-z2-9]{4}-){5}[a-hjkmnp-z2-9]{4}$/);
    expect(makePassphrase()).not.toBe(makePassphrase());
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

it("shows a prize only if it is there in every language", () => {
  expect(readPrize({ en: "A", es: "B", pt: "C" })).toEqual({ en: "A", es: "B", pt: "C" });
  expect([readPrize(undefined), readPrize({ en: "A" })]).toEqual([null, null]);
});
