import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { RafflesResponse } from "../../../worker/contract/money/raffles.ts";
import { rafflesQuery } from "../../../web/api/queries/rewards.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { RaffleWon } from "../../../web/features/raffle/raffle-won.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

async function textsOf(fields: Partial<RafflesResponse["raffles"][number]>) {
  const raffle = { id: "r1", endsAt: NOON, prize: null, entries: ["a"], isDrawn: true, hasWon: true };
  const raffles = [{ ...raffle, drawnAt: null, ...fields }];
  return textsIn(
    await htmlOfPart(createElement(RaffleWon), { answered: [[rafflesQuery.queryKey, { raffles }]] }),
  );
}

it("tells the winners of a raffle for sixty days after its draw, however late, and nobody else", async () => {
  const won = [
    "You won the raffle",
    "One of your entries was drawn. We'll contact you about the prize.",
    "See the draw",
  ];
  const endsAt = NOON - 100 * DAY_MS;
  expect(await textsOf({ endsAt, drawnAt: NOON - 59 * DAY_MS })).toEqual(won);
  expect([await textsOf({ endsAt, drawnAt: NOON - 60 * DAY_MS }), await textsOf({ hasWon: false })]).toEqual([
    [],
    [],
  ]);
  // An earlier release drew it, or answers.
  expect(await textsOf({ endsAt: NOON - 59 * DAY_MS })).toEqual(won);
  expect(await textsOf({ endsAt: NOON - 60 * DAY_MS })).toEqual([]);
});
