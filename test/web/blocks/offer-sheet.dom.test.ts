import { act, screen } from "@testing-library/react";
import { createElement, useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { OfferOutcome } from "../../../db/shapes/log/driver-log.ts";
import { configQuery } from "../../../web/api/queries/user.ts";
import { OfferSheet } from "../../../web/features/blocks/offer-sheet.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { heldBlockToFeedItem, type FeedItem } from "../../../web/features/offers/feed-item.ts";
import "../../../web/features/offers/offer-details.tsx";
import { offerPlace } from "../../../web/features/offers/offer-place.ts";
import { makeBlock, makeOffer, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";

let network: ReturnType<typeof scriptNetwork>;
beforeEach(() => changeLocale("en"));
beforeEach(() => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  storeSession(localStorage);
  network = scriptNetwork();
});
afterEach(() => void vi.useRealTimers());

const offer = makeOffer("a");
const block = makeBlock(offer);
const itemOf = (outcome: OfferOutcome): FeedItem => ({ seq: 1, at: NOON, offer, outcome });
const other = { ...itemOf({ kind: "lost", reason: "offer_gone" }), offer: makeOffer("b") };

/** The open sheet of an item, and what has the list beneath go on. */
async function openSheet(item: FeedItem) {
  let goOn: (items: FeedItem[]) => void = () => undefined;
  function List() {
    const [items, setItems] = useState([other, item]);
    const [selected] = useState({ item, place: offerPlace(item.offer, [makeWarehouse()]) });
    goOn = setItems;
    return createElement(OfferSheet, { selected, items, onClose: () => undefined });
  }
  await renderPart(createElement(List), {
    answered: [[configQuery.queryKey, { productName: "Jornada", giveBack: { minutes: 45, url: null } }]],
  });
  const sheet = await screen.findByTestId("offer-sheet");
  return {
    headline: () => sheet.querySelector("p")?.textContent?.replaceAll("\u00a0", " "),
    status: () =>
      screen.queryByTestId("block-status")?.querySelector("span")?.textContent?.replaceAll("\u00a0", " "),
    goOn: (items: FeedItem[]) => act(() => goOn(items)),
  };
}

it("says what becomes of an offer that is being captured, while it is open", async () => {
  const { goOn, headline } = await openSheet(itemOf({ kind: "trying" }));
  expect(headline()).toBe("Trying to capture it");
  goOn([other, itemOf({ kind: "lost", reason: "offer_gone" })]);
  expect(headline()).toBe("Missed");
  goOn([itemOf({ kind: "won", block })]);
  expect(headline()).toBe("This one is yours. Accepted 12:00 PM.");
});

it("says that a block was checked in to, and mistakes no other for it", async () => {
  const byHand = { ...block, offerId: "" as typeof block.offerId };
  const { goOn, status } = await openSheet(heldBlockToFeedItem(byHand));
  expect(status()).toBe("Starts in 3 hr");
  const second = { ...byHand, blockId: "second" as typeof block.blockId, status: "forfeited" as const };
  const first = { ...byHand, status: "checked_in" as const, checkedInAt: NOON };
  goOn([second, first].map(heldBlockToFeedItem));
  expect(status()).toBe("Checked in 12:00 PM");
});

it("leaves the reasons that are being read", async () => {
  const { goOn, headline } = await openSheet(itemOf({ kind: "rejected", reasons: [] }));
  goOn([itemOf({ kind: "trying" })]);
  expect(headline()).toBe("Skipped");
});

it.each(["es", "pt"] as const)(
  "names one offer in the singular, unlike the list that it is in: %s",
  async (language) => {
    await changeLocale(language);
    const { goOn, headline } = await openSheet(itemOf({ kind: "trying" }));
    goOn([itemOf({ kind: "rejected", reasons: [] })]);
    expect(headline()).toBe("Descartada");
    goOn([itemOf({ kind: "lost", reason: "offer_gone" })]);
    expect(headline()).toBe("Perdida");
  },
);

/** The open sheet of an offer whose block was given back, which may be taken again. */
async function openGivenBack() {
  const { blockId, startsAt, endsAt } = block;
  const reason = { code: "given_back", rule: NOON, offer: { blockId, startsAt, endsAt } } as const;
  await openSheet(itemOf({ kind: "rejected", reasons: [reason] }));
  network.answer({ [`POST /flex/v1/blocks/${blockId}/take-again`]: { status: 204, body: null } });
  return { button: screen.getByRole("button", { name: "Take it if offered again" }) };
}

it("says that a block would be taken again in a region that stood before its words", async () => {
  const { button } = await openGivenBack();
  const regions = screen.getAllByRole("status");
  const said = () => regions.map(({ textContent }) => textContent).join("");
  expect(said()).toBe("");
  act(() => button.click());
  await expect.poll(said).toBe("We'll take this block if it's offered again.");
  expect(screen.getAllByRole("status")).toEqual(regions);
});

it("moves the keyboard's focus from the button that goes to the result that takes its place", async () => {
  const { button } = await openGivenBack();
  act(() => {
    button.focus();
    button.click();
  });
  const result = await screen.findByText("We'll take this block if it's offered again.");
  expect(document.activeElement).toBe(result);
});
