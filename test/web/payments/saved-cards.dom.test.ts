import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import type { SavedCard } from "../../../worker/contract/money/saved-cards.ts";
import { renewalQuery, savedCardsQuery } from "../../../web/api/queries/saved-cards.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { SavedCards } from "../../../web/features/payments/saved-cards.tsx";
import type { Answered } from "../../support/console-part.ts";
import { textsIn } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));

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
  const { html } = await renderPart(createElement(SavedCards), { answered: cards(CARD, UNDATED) });
  const [visa, mastercard] = ["Visa ending in 4242", "Mastercard ending in 4444"];
  expect(textsIn(html()).slice(1)).toEqual([visa, "Expires 03/2031", "Remove", mastercard, "Remove"]);
  expect((await renderPart(createElement(SavedCards), { answered: cards() })).html()).toBe("");
});

it("are asked for anew, and the renewal that used one, once one is removed", async () => {
  storeSession(localStorage);
  const { answer } = scriptNetwork();
  answer({ [DELETE]: ["lost", { body: {} }] });
  const toasts = watchToasts();
  const { user, isStale } = await renderPart(createElement(SavedCards), { answered: cards(CARD) });
  const stale = () => [savedCardsQuery, renewalQuery].map(({ queryKey }) => isStale(queryKey));
  const remove = () => user.click(screen.getByRole("button", { name: "Remove Visa ending in 4242" }));
  await remove();
  expect(await screen.findByRole("alert")).toHaveProperty(
    "textContent",
    expect.stringContaining("We couldn't remove the card"),
  );
  expect([stale(), toasts()]).toEqual([[false, false], []]);
  answer({ "GET /flex/v1/payments/cards": { body: { cards: [], sameAgain: null } } });
  await remove();
  await expect.poll(stale).toEqual([false, true]);
  await expect.poll(toasts).toEqual([{ text: "Visa ending in 4242 was removed" }]);
  await expect.poll(() => screen.queryByRole("button")).toBeNull();
});
