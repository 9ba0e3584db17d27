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
import { createBrowserHarness } from "../../support/browser-harness.ts";
import type { Answered } from "../../support/console-part.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { changesOfPart, htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

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
const read = async (change: Partial<PauseResponse>) =>
  textsIn(await htmlOfPart(createElement(PauseCard), { answered: answering({ ...SERVED, ...change }) }));

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
  ["begins", SERVED, "POST /flex/v1/pause", { days: 3 }, PAUSED],
  ["ends", PAUSED, "DELETE /flex/v1/pause", {}, SERVED],
])(
  "%s on the screen as the server has it, which asks anew for all that hangs on it",
  async (_what, before, operation, body, after) => {
    const harness = createBrowserHarness();
    harness.signIn();
    harness.answer({ [operation]: ["lost", { body: after }] });
    const { changes, cached, isStale } = await changesOfPart(createElement(PauseCard), {
      answered: answering(before),
    });
    const change = () => Promise.resolve(changes[0]?.());
    const stale = () => [plansQuery, renewalQuery, userQuery].map(({ queryKey }) => isStale(queryKey));
    await expect(change()).rejects.toMatchObject({ code: "network" });
    expect([cached(pauseQuery.queryKey), stale()]).toEqual([before, [false, false, false]]);
    await change();
    expect([cached(pauseQuery.queryKey), stale()]).toEqual([after, [true, true, true]]);
    expect(harness.calls.at(-1)?.body).toEqual(body);
  },
);
