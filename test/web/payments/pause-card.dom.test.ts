import { cleanup, screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { pauseObstacle, type PauseObstacle, type PauseResponse } from "../../../db/shapes/money/pause.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { plansQuery } from "../../../web/api/queries/payments.ts";
import { renewalQuery } from "../../../web/api/queries/saved-cards.ts";
import { pauseQuery } from "../../../web/api/queries/service-time.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { PauseCard } from "../../../web/features/payments/pause-card.tsx";
import { NOON } from "../../engine/fixtures.ts";
import type { Answered } from "../../support/console-part.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const SERVED: PauseResponse = {
  serviceUntil: NOON + 10 * DAY_MS,
  pausedUntil: null,
  obstacle: null,
  daysLeft: 5,
  pausesLeft: 2,
};
const PAUSED: PauseResponse = { ...SERVED, pausedUntil: NOON + 2 * DAY_MS };
const answering = (pause: PauseResponse): Answered[] => [
  [userQuery.queryKey, RECORD],
  [pauseQuery.queryKey, pause],
  [plansQuery.queryKey, {}],
  [renewalQuery.queryKey, null],
];

async function openCard(pause: PauseResponse) {
  storeSession(localStorage);
  const network = scriptNetwork();
  // The screen asks for both as it appears.
  network.answer({
    "GET /flex/v1/pause": { body: pause },
    "GET /flex/v1/user": { body: { Item: RECORD } },
  });
  const part = await renderPart(createElement(PauseCard), { answered: answering(pause) });
  return { ...network, ...part };
}

async function read(change: Partial<PauseResponse>): Promise<string[]> {
  const { html } = await openCard({ ...SERVED, ...change });
  const texts = textsIn(html());
  cleanup();
  return texts;
}

it("is there only while there is service to pause", async () => {
  expect(await read({ serviceUntil: null })).toEqual([]);
  expect(await read({ serviceUntil: NOON })).toEqual([]);
  expect(await read({ serviceUntil: NOON + 1 })).not.toEqual([]);
});

it("offers three days or as many as are left, and the end of a pause until its instant", async () => {
  expect((await read({})).slice(2)).toEqual([
    "You have 5 days of pause left. Pauses left: 2.",
    "3 days",
    "Pause until Sat 12:00 PM",
  ]);
  expect((await read({ daysLeft: 2, pausesLeft: 1 })).slice(2)).toEqual([
    "You have 2 days of pause left. Pauses left: 1.",
    "2 days",
    "Pause until Fri 12:00 PM",
  ]);
  expect((await read(PAUSED)).slice(1)).toEqual([
    "Paused until Fri 12:00 PM",
    "We capture nothing until then. Your service then lasts until Jun 20, 12:00 PM.",
    "End the pause now",
  ]);
  expect(await read({ pausedUntil: NOON })).toEqual(await read({}));
});

it("says why there can be no pause", async () => {
  const texts = {
    short: "You need at least 3 days of service to pause.",
    waiting: "You can pause once you have a spot.",
    contested: "You can't pause right now: other drivers are waiting for a spot in your city.",
    used_up: "You've used up your pauses. You get them back 365 days after each began.",
  } satisfies Record<PauseObstacle, string>;
  for (const obstacle of pauseObstacle.options)
    expect(await read({ obstacle })).toEqual(["Pause", texts[obstacle]]);
});

it.each([
  ["begins", /^Pause until Sat/, SERVED, "POST /flex/v1/pause", { days: 3 }, PAUSED],
  ["ends", /^End the pause/, PAUSED, "DELETE /flex/v1/pause", {}, SERVED],
])(
  "%s on the screen as the server has it, which asks anew for all that hangs on it",
  async (_what, button, before, operation, body, after) => {
    const { answer, calls, user, cached, isStale } = await openCard(before);
    const stale = () => [plansQuery, renewalQuery, userQuery].map(({ queryKey }) => isStale(queryKey));
    // The record counts as old until it has arrived.
    answer({ "GET /flex/v1/user": "lost" });
    answer({ [operation]: ["lost", { body: after }] });
    const press = () => user.click(screen.getByRole("button", { name: button }));
    await press();
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("That didn't work");
    expect([cached(pauseQuery.queryKey), stale()]).toEqual([before, [false, false, false]]);
    await press();
    await expect.poll(stale).toEqual([true, true, true]);
    expect(cached(pauseQuery.queryKey)).toEqual(after);
    await expect.poll(() => screen.queryByRole("button", { name: button })).toBeNull();
    // The button that had the focus is gone: the card has it, and its new words are read.
    expect(document.activeElement).toBe(screen.getByTestId("pause"));
    const sent = calls.filter((call) => call.operation === operation);
    expect(sent.map((call) => call.body)).toEqual([body, body]);
  },
);

it("is as long as the driver says, within what is left", async () => {
  const { answer, calls, user } = await openCard(SERVED);
  const press = (name: RegExp) => user.click(screen.getByRole("button", { name }));
  await press(/^Increase/);
  await press(/^Increase/);
  await expect
    .poll(buttonNames)
    .toEqual(["Decrease: Days of pause", "Increase: Days of pause", "Pause until Mon 12:00 PM"]);
  expect(screen.getByRole("button", { name: /^Increase/ }).getAttribute("aria-disabled")).toBe("true");
  await press(/^Increase/);
  answer({ "POST /flex/v1/pause": { body: PAUSED } });
  await press(/^Pause until/);
  expect(await screen.findByText(/^Paused until Fri/)).toBeDefined();
  expect(calls.find(({ operation }) => operation === "POST /flex/v1/pause")?.body).toEqual({ days: 5 });
});
