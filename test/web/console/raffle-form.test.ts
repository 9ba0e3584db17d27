import { expect, it } from "vitest";
import { ENTRIES_CLOSE_AFTER_MS } from "../../../db/shapes/money/raffle.ts";
import { describeDraw } from "../../../web/console/raffles/draw-form.tsx";
import { raffleState } from "../../../web/console/raffles/raffle-state.ts";
import {
  makePassphrase,
  parseRaffle,
  sealOnce,
  sealRaffle,
  type RaffleInput,
} from "../../../web/console/raffles/raffle-form.tsx";
import { openSeed, sealSeed } from "../../../db/shapes/money/sealed-seed.ts";
import { sha256Hex } from "../../../db/shapes/sha256-hex.ts";

const input: RaffleInput = {
  raffle: " december ",
  plan: "14days",
  from: "2026-12-01T00:00",
  to: "2027-01-01T00:00",
  winners: "10",
  en: "A bike",
  es: "Una bici",
  pt: "Uma bicicleta",
  passphrase: "correct horse battery",
  isKept: true,
  reason: "a cold month",
};

it("describes a raffle, with a prize in all languages or none", () => {
  expect(parseRaffle(input)).toMatchObject({
    draft: { act: "raffle", raffle: "december", winners: 10, prize: { en: "A bike" } },
  });
  expect(parseRaffle({ ...input, en: "", es: " ", pt: "" })).toMatchObject({
    draft: { prize: null },
  });
});

it.each<[Partial<RaffleInput>, ...string[]]>([
  [{ raffle: "a/b" }, "raffle"],
  [{ from: "" }, "from"],
  [{ to: "2026-11-01T00:00" }, "to"],
  [{ winners: "0" }, "winners"],
  [{ winners: "1001" }, "winners"],
  [{ winners: "many" }, "winners"],
  [{ es: "", pt: "" }, "en", "es", "pt"],
  [{ passphrase: "short" }, "passphrase"],
  [{ passphrase: "short          " }, "passphrase"],
  [{ isKept: false }, "isKept"],
  [{ reason: "  x " }, "reason"],
])("says what is wrong with %o", (change, ...fields) => {
  expect(parseRaffle({ ...input, ...change })).toEqual({
    issues: Object.fromEntries(fields.map((field) => [field, true])),
  });
});

it("sends a seed sealed, with its fingerprint, and nothing that opens it", async () => {
  const parsed = parseRaffle(input);
  if (!("draft" in parsed)) throw new Error("not a raffle");
  const act = await sealRaffle(parsed.draft, input.passphrase);
  if (act.act !== "raffle") throw new Error("not a raffle");
  const seed = await openSeed(act.sealedSeed ?? "", { passphrase: input.passphrase, id: "december" });
  expect(await sha256Hex(seed ?? "")).toBe(act.seedHash);
  expect(JSON.stringify(act)).not.toContain(seed);
  expect(JSON.stringify(act)).not.toContain(input.passphrase);
});

it("is drawn with the passphrase as it was typed, whatever spaces a paste left around it", async () => {
  const parsed = parseRaffle(input);
  if (!("draft" in parsed)) throw new Error("not a raffle");
  const opened = async (sealedWith: string, secret: string) => {
    const act = await sealRaffle(parsed.draft, sealedWith);
    if (act.act !== "raffle") throw new Error("not a raffle");
    const { sealedSeed, seedHash } = act;
    const raffle = { id: "december", sealedSeed, seedHash } as Parameters<typeof describeDraw>[0];
    return "act" in (await describeDraw(raffle, { secret, signature: "", reason: "drawn today" }));
  };
  const typed = " correct horse battery\t";
  expect(await opened(typed, typed)).toBe(true);
  expect(await opened(typed, typed.trim())).toBe(true);
  expect(await opened(typed.trim(), typed)).toBe(true);
  expect(await opened(typed, "another passphrase")).toBe(false);
});

it("opens what was sealed with spaces around its passphrase before those were left out", async () => {
  const sealedSeed = await sealSeed("a seed", { passphrase: " correct horse battery ", id: "december" });
  const seedHash = await sha256Hex("a seed");
  const raffle = { id: "december", sealedSeed, seedHash } as Parameters<typeof describeDraw>[0];
  const typed = { secret: " correct horse battery ", signature: "", reason: "drawn today" };
  expect(await describeDraw(raffle, typed)).toMatchObject({ act: { act: "draw", seed: "a seed" } });
});

it("waits for the entries to close and for the beacon's round before a draw, if there is a beacon", () => {
  const over = {
    status: "over",
    isCompensated: false,
    hasBeacon: true,
    closing: null,
    endsAt: 1000,
  } as const;
  const closing = { at: 2000, entriesHash: "", round: 1, roundAt: 5000, publicKey: "" };
  const at = (raffle: Parameters<typeof raffleState>[0], now: number) => {
    const { next, waitsUntil } = raffleState(raffle, now);
    return [next, waitsUntil];
  };
  expect(at(over, 1500)).toEqual(["draw", 1000 + ENTRIES_CLOSE_AFTER_MS]);
  expect(at({ ...over, closing }, 4999)).toEqual(["draw", 5000]);
  expect(at({ ...over, closing }, 5000)).toEqual(["draw", null]);
  expect(at({ ...over, hasBeacon: false }, 1500)).toEqual(["draw", null]);
  expect(at({ ...over, isCompensated: true }, 1500)).toEqual([null, null]);
  expect(at({ ...over, status: "running" }, 500)).toEqual(["end", null]);
  expect(at({ ...over, closing, status: "drawn" }, 6000)).toEqual(["check", null]);
});

it("seals what was typed once, so that it is the same act when it is sent again", async () => {
  const parsed = parseRaffle(input);
  if ("issues" in parsed) throw new Error("the raffle has faults");
  const first = await sealOnce(null, parsed.draft, input.passphrase);
  expect(await sealOnce(first, { ...parsed.draft }, input.passphrase)).toBe(first);
  const others = [
    await sealOnce(first, parsed.draft, "another passphrase"),
    await sealOnce(first, { ...parsed.draft, winners: 11 }, input.passphrase),
  ];
  const hashOf = ({ act }: typeof first) => (act.act === "raffle" ? act.seedHash : null);
  expect(new Set([first, ...others].map(hashOf)).size).toBe(3);
});

it("proposes a passphrase that is not guessed", () => {
  expect(makePassphrase()).toMatch(/^([a-hjkmnp-z2-9]{4}-){5}[a-hjkmnp-z2-9]{4}$/);
  expect(makePassphrase()).not.toBe(makePassphrase());
});
