import { createElement } from "react";
import { describe, expect, it } from "vitest";
import type { Raffle, RaffleDraw } from "../../worker/contract/money/raffles.ts";
import type { DrawCheck } from "../../web/features/raffle/check-draw.ts";
import { CheckResult } from "../../web/features/raffle/check-result.tsx";
import { textsIn } from "../support/html-text.ts";
import { htmlOfPart } from "../support/page-part.ts";

const raffle = { id: "raffle", closing: { round: 1000 } } as unknown as Raffle;
const draw = { tickets: Array.from({ length: 3 }) } as unknown as RaffleDraw;
const BEACON = { areEntriesRight: true, isRoundRight: true, isChainPublic: true };
const FAIR: DrawCheck = { isSeedRight: true, beacon: BEACON, areWinnersRight: true };

/** The lines of the result, each with its mark. */
async function linesOf(check: DrawCheck): Promise<[mark: "good" | "bad", text: string][]> {
  const html = await htmlOfPart(createElement(CheckResult, { raffle, draw }), {
    answered: [[["raffle-check", raffle.id, draw], check]],
  });
  const marks = [...html.matchAll(/text-(good|bad)/g)].map(([, mark]) => (mark === "good" ? mark : "bad"));
  return textsIn(html).map((text, index) => [marks[index] ?? "bad", text]);
}

const SEED = "The seed fits the fingerprint that was published before the draw.";
const LIST = "The entries fit the fingerprint that was published before the beacon's round.";
const ROUND = "The signature is that of round 1000, by drand's public key.";

describe("the check of a draw", () => {
  it("says of a fair one what was checked", async () => {
    const [seed, list, round, winners, ...more] = await linesOf(FAIR);
    expect([seed, list, round, more]).toEqual([["good", SEED], ["good", LIST], ["good", ROUND], []]);
    expect(winners).toEqual(["good", expect.stringMatching(/3 entries/)]);
    expect((await linesOf({ ...FAIR, beacon: null })).map(([, text]) => text)).toEqual([SEED, winners?.[1]]);
  });

  it.each<[string, Partial<DrawCheck>, number, RegExp]>([
    ["another seed", { isSeedRight: false }, 0, /^The seed doesn't fit/],
    ["other entries", { beacon: { ...BEACON, areEntriesRight: false } }, 1, /^The entries don't fit/],
    [
      "another round",
      { beacon: { ...BEACON, isRoundRight: false } },
      2,
      /^The signature isn't that of round/,
    ],
    [
      "another chain",
      { beacon: { ...BEACON, isChainPublic: false } },
      2,
      /another chain than drand's public one/,
    ],
    ["other winners", { areWinnersRight: false }, 3, /got other winners/],
  ])("marks %s, and nothing else", async (_what, change, at, text) => {
    const lines = await linesOf({ ...FAIR, ...change });
    expect(lines.map(([mark]) => mark)).toEqual([0, 1, 2, 3].map((line) => (line === at ? "bad" : "good")));
    expect(lines[at]?.[1]).toMatch(text);
  });
});
