import { screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import { passedOverQuery } from "../../../web/api/queries/blocks.ts";
import { filtersQuery, warehousesQuery } from "../../../web/api/queries/filters.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { sessionStore } from "../../../web/api/session/session.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { offerPlace } from "../../../web/features/offers/offer-place.ts";
import { ReasonTable } from "../../../web/features/offers/reason-table.tsx";
import type { FiltersResponse } from "../../../worker/contract/work/filters.ts";
import { makeFilters, makeOffer, makeWarehouse, makeWarehouseFilter, NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));
// With its end the change is forgotten.
afterEach(() => {
  sessionStore.setState(() => null);
  sessionStore.setState(() => undefined);
});

const PUT = "PUT /flex/v1/filters";
const GET = "GET /flex/v1/filters";
const LOWER_PRICE = "Lower Bethpage (DNY4) to $90";
const LOWER_NOTICE = /^Lower the notice for Bethpage/u;
const UNDO = "Undo";
const warehouse = makeWarehouse();
const REASONS: Reason[] = [
  { code: "price_below_minimum", rule: 10_000, offer: 9000 },
  { code: "too_soon", rule: 240, offer: 180 },
];

/** Saved filters whose only warehouse takes blocks from such a price on, with such a notice. */
function saved(version: number, { minPriceCents = 10_000, bufferMinutes = 240 } = {}): FiltersResponse {
  const warehouses = [makeWarehouseFilter({ minPriceCents, bufferMinutes })];
  return { complete: true, filters: makeFilters({ warehouses }), version };
}

/** The reasons against an offer, each with the change that removes it. */
async function openReasons(filters: FiltersResponse | null = saved(7)) {
  const network = scriptNetwork();
  const offer = makeOffer("a");
  const table = createElement(ReasonTable, {
    reasons: REASONS,
    offer,
    place: offerPlace(offer, [warehouse]),
    now: NOON,
  });
  const part = await renderPart(table, {
    answered: [
      [configQuery.queryKey, { currency: "USD" }],
      [warehousesQuery.queryKey, { warehouses: [warehouse] }],
      [userQuery.queryKey, RECORD],
      [passedOverQuery.queryKey, { pages: [], pageParams: [] }],
      ...(filters ? [[filtersQuery.queryKey, filters] as [readonly unknown[], unknown]] : []),
    ],
  });
  const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>("button", { name });
  return {
    ...network,
    ...part,
    button,
    press: (name: string) => part.user.click(button(name)),
    said: () => screen.queryByRole("status")?.textContent,
    refused: async () => (await screen.findByRole("alert")).textContent,
    /** The filters that were saved, and over which version. */
    sent: () =>
      network.calls
        .filter(({ operation }) => operation === PUT)
        .map(({ body, headers }) => [body, headers.get("if-match")]),
    saves: () => part.cached(filtersQuery.queryKey),
  };
}

const savedLine = (change: string) => `Saved: ${change}`;

it("saves a change at one press, once, over the version that it was made for, and says what was saved", async () => {
  const { answer, press, button, said, sent, saves, isStale } = await openReasons();
  const arrival = Promise.withResolvers<void>();
  const lowered = saved(8, { minPriceCents: 9000 });
  answer({ [PUT]: { body: lowered, after: arrival.promise } });
  await press(LOWER_PRICE);
  const saving = button("Saving…");
  // Neither is disabled for the browser, which would take the focus from what was pressed.
  expect(
    [saving, button(LOWER_NOTICE)].map((each) => [each.getAttribute("aria-disabled"), each.disabled]),
  ).toEqual([
    ["true", false],
    ["true", false],
  ]);
  await press("Saving…");
  arrival.resolve();
  await expect.poll(said).toBe(savedLine(LOWER_PRICE));
  expect(sent()).toEqual([[lowered.filters, `"7"`]]);
  expect(saves()).toEqual(lowered);
  expect([isStale(passedOverQuery.queryKey), isStale(userQuery.queryKey)]).toEqual([true, true]);
});

it("says what was saved and undone in a region that stands before its words, as screen readers need it", async () => {
  const { answer, press, said } = await openReasons();
  answer({ [PUT]: [{ body: saved(8, { minPriceCents: 9000 }) }, { body: saved(9) }] });
  const region = screen.getByRole("status");
  expect(region.textContent).toBe("");
  await press(LOWER_PRICE);
  await expect.poll(said).toBe(savedLine(LOWER_PRICE));
  await press(UNDO);
  await expect.poll(said).toBe("Undone. Your filters are as before.");
  expect(screen.getByRole("status")).toBe(region);
});

it("undoes the change by the filters before it, over the version that it made", async () => {
  const { answer, press, said, sent, saves } = await openReasons();
  const back = saved(9);
  answer({ [PUT]: [{ body: saved(8, { minPriceCents: 9000 }) }, { body: back }] });
  await press(LOWER_PRICE);
  await expect.poll(said).toBe(savedLine(LOWER_PRICE));
  await press(UNDO);
  await expect.poll(said).toBe("Undone. Your filters are as before.");
  expect(sent().at(-1)).toEqual([saved(7).filters, `"8"`]);
  expect(saves()).toEqual(back);
  expect(screen.queryByRole("button", { name: UNDO })).toBeNull();
});

it("makes the change to filters that were saved elsewhere in the meantime", async () => {
  const { answer, press, said, sent } = await openReasons();
  answer({
    [GET]: { body: saved(8, { bufferMinutes: 60 }) },
    [PUT]: [refusalReply("stale_version"), { body: saved(9, { minPriceCents: 9000, bufferMinutes: 60 }) }],
  });
  await press(LOWER_PRICE);
  await expect.poll(said).toBe(savedLine(LOWER_PRICE));
  expect(sent().at(-1)).toEqual([saved(9, { minPriceCents: 9000, bufferMinutes: 60 }).filters, `"8"`]);
});

it("says why a change failed until another is saved or undone, and keeps its button", async () => {
  const { answer, press, said, refused } = await openReasons();
  answer({ [PUT]: ["lost", { body: saved(8, { minPriceCents: 9000 }) }] });
  await press(LOWER_PRICE);
  expect(await refused()).toContain("We couldn't reach the server");
  expect(said()).toBe("");
  await press(LOWER_PRICE);
  await expect.poll(said).toBe(savedLine(LOWER_PRICE));
  expect(screen.queryByRole("alert")).toBeNull();
});

it("offers an undo again that failed, and no longer one that would overwrite newer filters", async () => {
  const { answer, press, said, refused, isStale } = await openReasons();
  answer({
    [PUT]: [{ body: saved(8, { minPriceCents: 9000 }) }, "lost", refusalReply("stale_version")],
    [GET]: "lost",
  });
  await press(LOWER_PRICE);
  await expect.poll(said).toBe(savedLine(LOWER_PRICE));
  await press(UNDO);
  expect(await refused()).toContain("We couldn't reach the server");
  expect(said()).toBe(savedLine(LOWER_PRICE));
  await press(UNDO);
  const all = await screen.findByRole("link", { name: "All filters" });
  expect(all.getAttribute("href")).toBe("/flex/filters");
  expect(await refused()).toContain("Your filters were changed somewhere else since");
  expect([said(), isStale(filtersQuery.queryKey)]).toEqual(["", true]);
});

it("takes a change as undone that an earlier try undid, where the answer to that was lost", async () => {
  const { answer, press, said, refused, saves } = await openReasons();
  const back = saved(9);
  answer({
    [PUT]: [{ body: saved(8, { minPriceCents: 9000 }) }, "lost", refusalReply("stale_version")],
    [GET]: { body: back },
  });
  await press(LOWER_PRICE);
  await expect.poll(said).toBe(savedLine(LOWER_PRICE));
  await press(UNDO);
  expect(await refused()).toContain("We couldn't reach the server");
  await press(UNDO);
  await expect.poll(said).toBe("Undone. Your filters are as before.");
  expect([saves(), screen.queryByRole("alert")]).toEqual([back, null]);
});

it("offers the undo on another screen, too, until the session ends", async () => {
  const first = await openReasons();
  first.answer({ [PUT]: { body: saved(8, { minPriceCents: 9000 }) } });
  await first.press(LOWER_PRICE);
  await expect.poll(first.said).toBe(savedLine(LOWER_PRICE));
  first.unmount();
  const { said } = await openReasons(saved(8, { minPriceCents: 9000 }));
  expect(said()).toBe(savedLine(LOWER_PRICE));
  sessionStore.setState(() => null);
  await expect.poll(said).toBe("");
});
