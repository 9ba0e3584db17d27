import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { SecurityItem } from "../../../worker/contract/account/security.ts";
import { securityEventsQuery } from "../../../web/api/queries/account.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { ActivityCard } from "../../../web/features/profile/activity-card.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const EVENT: SecurityItem = {
  id: 1,
  event: "sign_in",
  times: 1,
  firstAt: NOON,
  lastAt: NOON,
  browser: "Chrome",
  system: "Android",
  country: "BR",
};
const FIRST = { items: [EVENT], cursor: "20" };
const LAST = { items: [{ ...EVENT, id: 2, event: "locked" as const }], cursor: null };
const [LIST, MORE] = ["GET /flex/v1/security", "GET /flex/v1/security?cursor=20"];

/** The card, opened, of a driver with two pages of activity. */
async function openCard() {
  const network = scriptNetwork();
  network.answer({ [LIST]: { body: FIRST } });
  const { user } = await renderPart(createElement(ActivityCard, { user: RECORD }), {
    answered: [[securityEventsQuery.queryKey, { pages: [FIRST], pageParams: [null] }]],
  });
  await user.click(screen.getByText("Recent activity"));
  await expect.poll(() => network.count(LIST)).toBe(1);
  const more = () => user.click(screen.getByRole("button", { name: "Show more" }));
  return { ...network, more, events: () => screen.getAllByRole("listitem").length };
}

it("shows earlier events at a press, and requests them once however often one presses", async () => {
  const { answer, more, events, count } = await openCard();
  const arrival = Promise.withResolvers<void>();
  answer({ [MORE]: { body: LAST, after: arrival.promise } });
  await more();
  await expect.poll(() => count(MORE)).toBe(1);
  await more();
  expect(screen.getByRole("button", { name: "Show more" }).getAttribute("aria-disabled")).toBe("true");
  arrival.resolve();
  await expect.poll(events).toBe(2);
  await expect.poll(buttonNames).toEqual([]);
  expect(count(MORE)).toBe(1);
});

it("says that more couldn't be loaded, and leaves what is there and another try", async () => {
  const { answer, more, events } = await openCard();
  expect(screen.queryByRole("alert")).toBeNull();
  answer({ [MORE]: ["lost", { body: LAST }] });
  await more();
  expect((await screen.findByRole("alert")).textContent).toContain("We couldn't load your activity");
  expect(events()).toBe(1);
  await more();
  await expect.poll(events).toBe(2);
  await expect.poll(() => screen.queryByRole("alert")).toBeNull();
});
