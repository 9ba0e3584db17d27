import { screen } from "@testing-library/react";
import ICAL from "ical.js";
import { createElement } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { otherOffersQuery } from "../../../web/api/queries/blocks.ts";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { configQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { offerPlace } from "../../../web/features/offers/offer-place.ts";
import { WonDetails } from "../../../web/features/offers/won-details.tsx";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { makeBlock, makeOffer, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { renderPart } from "../../support/rendered-part.ts";

beforeAll(() => changeLocale("en"));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The entry that a calendar gets of a block, so many minutes after it was captured. */
async function entryAfter(minutes: number, startsAt: number) {
  const block = makeBlock(makeOffer("a", { startsAt }), { acceptedAt: NOON });
  vi.useFakeTimers({ now: NOON + minutes * MINUTE_MS, toFake: ["Date"] });
  const saved: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    if (file instanceof Blob) saved.push(file);
    return "blob:saved";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  const warehouse = makeWarehouse({ address: "1 Main St" });
  const part = createElement(WonDetails, { block, place: offerPlace(block, [warehouse]) });
  const { user, unmount } = await renderPart(part, {
    answered: [
      [configQuery.queryKey, { productName: "Jornada", giveBack: { minutes: 45, url: null } }],
      [warehousesQuery.queryKey, { warehouses: [warehouse] }],
      [otherOffersQuery(block.blockId).queryKey, { offers: null }],
    ],
  });
  await user.click(screen.getByRole("button", { name: "Add to calendar" }));
  unmount();
  const component = new ICAL.Component(ICAL.parse((await saved[0]?.text()) ?? ""));
  const event = new ICAL.Event(component.getFirstSubcomponent("vevent") ?? undefined);
  return { uid: event.uid, startsAt: event.startDate.toJSDate().getTime(), sequence: event.sequence };
}

it("lets a calendar that has a block move it when the driver adds it again", async () => {
  const first = await entryAfter(1, NOON + 4 * HOUR_MS);
  const second = await entryAfter(30, NOON + 5 * HOUR_MS);
  expect(second.uid).toBe(first.uid);
  expect([first.startsAt, second.startsAt]).toEqual([NOON + 4 * HOUR_MS, NOON + 5 * HOUR_MS]);
  expect(second.sequence).toBeGreaterThan(first.sequence);
});
