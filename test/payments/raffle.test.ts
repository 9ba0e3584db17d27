import { createCipheriv, createHash, scryptSync } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawWinners, entriesHashOf, readPrize, ticketOf } from "../../db/shapes/money/raffle.ts";
import { parsePromotion } from "../../worker/operators/arguments.ts";
import { isSealKnown, makeSeed, openSeed, sealSeed } from "../../db/shapes/money/sealed-seed.ts";
import { openEarlySeal } from "../../worker/operators/raffles.ts";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const END = Date.UTC(2027, 0, 1);
const PASSPHRASE = "correct horse battery";
/** Of quicknet's round 1000, as drand publishes it. */
const SIGNATURE =
  "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";
const RANDOMNESS = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd";

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
    expect(await drawWinners({ seed: "seed", signature: null, tickets: given, winners: 3 })).toEqual(
      expected,
    );
  });

  it("mixes the beacon's randomness into each number", async () => {
    const given = Array.from({ length: 12 }, (_, at) => ({ entry: `e${at}`, holder: `h${at}` }));
    const number = ({ entry }: { entry: string }) => hashOf(`seed:${RANDOMNESS}:${entry}`);
    const expected = given.toSorted((a, b) => number(a).localeCompare(number(b))).map(({ entry }) => entry);
    expect(await drawWinners({ seed: "seed", signature: SIGNATURE, tickets: given, winners: 12 })).toEqual(
      expected,
    );
  });

  it("gives an insider who knows the seed and prepares payments until one would win no more than a fair share", async () => {
    const others = Array.from({ length: 9 }, (_, at) => ({ entry: `other${at}`, holder: `h${at}` }));
    const wins = { bySeed: 0, byBeacon: 0 };
    for (let draw = 0; draw < 200; draw += 1) {
      const seed = hashOf(`seed ${draw}`);
      // The insider keeps the prepared payment with the smallest number of a hundred, and cancels the others.
      const [entry = ""] = Array.from({ length: 100 }, (_, at) => `mine${draw}-${at}`).toSorted((a, b) =>
        hashOf(`${seed}:${a}`).localeCompare(hashOf(`${seed}:${b}`)),
      );
      const given = [...others, { entry, holder: "insider" }];
      const signature = (hashOf(`beacon ${draw}`) + hashOf(`more ${draw}`)).slice(0, 96);
      const bySeed = await drawWinners({ seed, signature: null, tickets: given, winners: 1 });
      const byBeacon = await drawWinners({ seed, signature, tickets: given, winners: 1 });
      if (bySeed[0] === entry) wins.bySeed += 1;
      if (byBeacon[0] === entry) wins.byBeacon += 1;
    }
    expect(wins.bySeed).toBeGreaterThan(150);
    // One in ten of 200, within three standard deviations.
    expect(wins.byBeacon).toBeGreaterThan(7);
    expect(wins.byBeacon).toBeLessThan(33);
  });

  it("has a fingerprint of its entries that says which they are, in any order", async () => {
    const given = [
      { entry: "e2", holder: "h1" },
      { entry: "e1", holder: "h2" },
    ];
    expect(await entriesHashOf(given)).toBe(hashOf("e1:h2\ne2:h1"));
    expect(await entriesHashOf(given.toReversed())).toBe(await entriesHashOf(given));
    expect(await entriesHashOf(given.slice(1))).not.toBe(await entriesHashOf(given));
  });

  it("depends on neither the order of the entries nor on entries that are worse", async () => {
    await fc.assert(
      fc.asyncProperty(
        tickets,
        fc.string(),
        fc.integer({ min: 0, max: 10 }),
        fc.option(fc.constantFrom(SIGNATURE)),
        async (given, seed, winners, signature) => {
          const drawn = await drawWinners({ seed, signature, tickets: given, winners });
          expect(await drawWinners({ seed, signature, tickets: given.toReversed(), winners })).toEqual(drawn);
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
