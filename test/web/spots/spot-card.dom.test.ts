import { onlineManager } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { Spot, SpotResponse } from "../../../worker/contract/money/service.ts";
import { spotQuery } from "../../../web/api/queries/spots.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { SpotNotice } from "../../../web/features/spots/spot-notice.tsx";
import { WaitingSpot } from "../../../web/features/spots/waiting-spot.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));
afterEach(() => onlineManager.setOnline(true));

const GET = "GET /flex/v1/spot";
const OFFERED: Spot = { status: "offered", city: "Boston", offerEndsAt: NOON };
const LEFT: Spot = { status: "left", city: "Boston" };
const HELD: Spot = { status: "held", city: "Boston" };
const WAITING: Spot = { status: "waiting", city: "Boston", place: 3, waiting: 12, joinedPlace: 7 };
const response = (spot: Spot): SpotResponse => ({ spot, mustLink: false });

async function show(spot: Spot, part = WaitingSpot, user: object = RECORD) {
  const network = scriptNetwork();
  network.answer({
    [GET]: { body: response(spot) },
    "GET /flex/v1/user": { body: { Item: RECORD } },
    "POST /flex/v1/ticket": "lost",
  });
  const toasts = watchToasts();
  const rendered = await renderPart(createElement(part), {
    answered: [
      [spotQuery.queryKey, response(spot)],
      [userQuery.queryKey, user],
    ],
  });
  const press = (name: string) => rendered.user.click(screen.getByRole("button", { name }));
  const title = () => screen.queryByRole("heading")?.textContent;
  return { ...network, ...rendered, toasts, press, title };
}

it("is shown with the place in line to a driver who waits for a spot, and to no other", async () => {
  const { unmount } = await show(WAITING, SpotNotice, { ...RECORD, waitingForSpot: true });
  // Its code is loaded when it is first shown.
  await screen.findByRole("heading", { name: "You're on the waitlist in Boston" });
  expect(screen.getByTestId("place-in-line").textContent).toBe("3");
  screen.getByText("You joined as number 7.");
  unmount();
  for (const user of [{ ...RECORD, waitingForSpot: false }, RECORD]) {
    const { html } = await show(WAITING, SpotNotice, user);
    expect(html()).toBe("");
  }
});

it.each([
  [OFFERED, "Take my spot", "POST /flex/v1/spot/take"],
  [LEFT, "Get a spot", "POST /flex/v1/spot/join"],
] as const)("gives the spot at one press, once ($0.status)", async (spot, button, operation) => {
  const { answer, count, press, toasts, title } = await show(spot);
  const arrival = Promise.withResolvers<void>();
  answer({ [operation]: { body: response(HELD), after: arrival.promise } });
  await press(button);
  await press(button);
  answer({ [GET]: { body: response(HELD) } });
  arrival.resolve();
  await expect.poll(title).toBeUndefined();
  expect(count(operation)).toBe(1);
  await expect.poll(toasts).toEqual([{ text: "The spot is yours. Choose a plan within 7 days to keep it." }]);
});

it("asks no plan of a driver whose days come back with the spot", async () => {
  const { answer, press, toasts } = await show(OFFERED, WaitingSpot, { ...RECORD, waitingForSpot: true });
  const served = { ...RECORD, expirationDateTimestamp: Date.now() + DAY_MS };
  answer({
    "POST /flex/v1/spot/take": { body: response(HELD) },
    "GET /flex/v1/user": { body: { Item: served } },
  });
  await press("Take my spot");
  await expect.poll(toasts).toEqual([{ text: "The spot is yours" }]);
});

it("asks no plan of a driver whose free day waits for the first turn-on", async () => {
  const { answer, press, toasts } = await show(OFFERED, WaitingSpot, { ...RECORD, waitingForSpot: true });
  answer({
    "POST /flex/v1/spot/take": { body: response(HELD) },
    "GET /flex/v1/user": { body: { Item: { ...RECORD, trialPending: true } } },
  });
  await press("Take my spot");
  const text = "The spot is yours. Turn on within 7 days to keep it: your first day is free.";
  await expect.poll(toasts).toEqual([{ text }]);
});

it("says nothing of a spot to a driver who only joined the line", async () => {
  const { answer, press, toasts, title } = await show(LEFT);
  answer({ "POST /flex/v1/spot/join": { body: response(WAITING) }, [GET]: { body: response(WAITING) } });
  await press("Get a spot");
  await expect.poll(title).toBe("You're on the waitlist in Boston");
  expect(toasts()).toEqual([]);
});

it.each([
  ["isn't given", true, refusalReply("rate_limited")],
  ["can't be asked for", false, "lost"],
] as const)("says that a spot %s, and can be asked for again", async (_, isOnline, reply) => {
  const { answer, press, title } = await show(OFFERED);
  onlineManager.setOnline(isOnline);
  answer({ "POST /flex/v1/spot/take": [reply, { body: response(HELD) }] });
  await press("Take my spot");
  expect((await screen.findByRole("alert")).textContent).toContain("We couldn't get you the spot");
  onlineManager.setOnline(true);
  answer({ [GET]: { body: response(HELD) } });
  await press("Take my spot");
  await expect.poll(title).toBeUndefined();
});
