import { expect, it } from "vitest";
import { closedCardsOf } from "../../../web/features/checkout/closed-cards.ts";

const NOW = Date.parse("2026-11-24T23:30:00Z");
const ready = { publishableKey: "pk_test_1", now: NOW };

it.each([
  ["open without a pause", { cardsReady: true, pausedUntil: null }, ready, null],
  [
    "paused until a later instant",
    { cardsReady: true, pausedUntil: NOW + 1 },
    ready,
    { pausedUntil: NOW + 1 },
  ],
  // The answer may be from before the pause ended.
  ["open at the end of a pause", { cardsReady: true, pausedUntil: NOW }, ready, null],
  [
    "closed without the operator's keys",
    { cardsReady: false, pausedUntil: null },
    ready,
    { pausedUntil: null },
  ],
  [
    "closed without a publishable key",
    { cardsReady: true, pausedUntil: null },
    { publishableKey: null, now: NOW },
    { pausedUntil: null },
  ],
])("cards are %s", (_case, plans, deployment, expected) => {
  expect(closedCardsOf(plans, deployment)).toEqual(expected);
});
