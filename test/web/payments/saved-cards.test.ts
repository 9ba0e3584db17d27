import { createElement } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { SavedCard } from "../../../worker/contract/money/saved-cards.ts";
import { renewalQuery, savedCardsQuery } from "../../../web/api/queries/saved-cards.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { SavedCards } from "../../../web/features/payments/saved-cards.tsx";
import type { Answered } from "../../support/console-part.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { changesOfPart, htmlOfPart, textsIn } from "../../support/page-part.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
afterEach(() => void vi.unstubAllGlobals());

const CARD: SavedCard = {
  id: "pm_1",
  type: "card",
  brand: "visa",
  last4: "4242",
  expMonth: 3,
  expYear: 2031,
};
const UNDATED: SavedCard = {
  ...CARD,
  id: "pm_2",
  brand: "mastercard",
  last4: "4444",
  expMonth: null,
  expYear: null,
};
const cards = (...saved: SavedCard[]): Answered[] => [
  [savedCardsQuery.queryKey, { cards: saved, sameAgain: null }],
  [renewalQuery.queryKey, null],
];
const DELETE = "DELETE /flex/v1/payments/cards/pm_1";

it("are listed with the month to which they are good, if they expire; none is no list", async () => {
  const part = createElement(SavedCards);
  const texts = textsIn(await htmlOfPart(part, { answered: cards(CARD, UNDATED) }));
  const [visa, mastercard] = ["Visa ending in 4242", "Mastercard ending in 4444"];
  expect(texts.slice(1)).toEqual([visa, "Expires 03/2031", "Remove", mastercard, "Remove"]);
  expect(await htmlOfPart(part, { answered: cards() })).toBe("");
});

it("are asked for anew, and the renewal that used one, once one is removed", async () => {
  const harness = createBrowserHarness();
  harness.signIn();
  harness.answer({ [DELETE]: ["lost", { body: {} }] });
  const toasts = watchToasts();
  const { changes, isStale } = await changesOfPart(createElement(SavedCards), { answered: cards(CARD) });
  const stale = () => [savedCardsQuery, renewalQuery].map(({ queryKey }) => isStale(queryKey));
  const remove = () => Promise.resolve(changes[0]?.({ id: "pm_1", name: "Visa ending in 4242" }));
  await expect(remove()).rejects.toMatchObject({ code: "network" });
  expect([stale(), toasts()]).toEqual([[false, false], []]);
  await remove();
  expect(stale()).toEqual([true, true]);
  await expect.poll(toasts).toEqual([{ text: "Visa ending in 4242 was removed" }]);
});
