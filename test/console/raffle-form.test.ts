import { expect, it } from "vitest";
import { parseRaffle, sealRaffle, type RaffleInput } from "../../web/console/raffles/parse-raffle.ts";
import { openSeed } from "../../db/shapes/money/sealed-seed.ts";
import { sha256Hex } from "../../db/shapes/sha256-hex.ts";

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
