import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { Session } from "../../../worker/contract/account/security.ts";
import { sessionsQuery } from "../../../web/api/queries/account.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { SessionsCard } from "../../../web/features/profile/sessions-card.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { RECORD } from "../../support/driver-record.ts";
import { changesOfPart } from "../../support/page-part.ts";
import { watchToasts } from "../../support/toasts.ts";

let harness: ReturnType<typeof createBrowserHarness>;
beforeAll(() => changeLocale("en"));
beforeEach(() => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  harness = createBrowserHarness();
  harness.signIn();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const HERE: Session = {
  id: "here",
  isCurrent: true,
  browser: "Chrome",
  system: "Android",
  country: "US",
  signedInAt: NOON - 48 * HOUR_MS,
  lastSeenAt: NOON - HOUR_MS,
};
const TABLET: Session = { ...HERE, id: "tablet", isCurrent: false, browser: "Safari", system: "iPad" };
const DESK: Session = { ...TABLET, id: "desk", browser: "Firefox", system: "Windows" };

async function openCard(...sessions: Session[]) {
  const toasts = watchToasts();
  const part = await changesOfPart(createElement(SessionsCard, { user: RECORD }), {
    answered: [[sessionsQuery.queryKey, sessions]],
  });
  const seen = () => ({
    sent: harness.calls.map(({ operation }) => operation),
    asksAnew: part.isStale(sessionsQuery.queryKey),
    toasts: toasts().map(({ text }) => text),
  });
  return { ...part, seen };
}

it("offers to end each other device's session, and all of them once there are two", async () => {
  expect([
    (await openCard(HERE)).buttons,
    (await openCard(HERE, TABLET)).buttons,
    (await openCard(HERE, TABLET, DESK)).buttons,
  ]).toEqual([
    [],
    ["Sign out Safari on iPad"],
    ["Sign out Safari on iPad", "Sign out Firefox on Windows", "Sign out all other devices"],
  ]);
});

it.each([
  ["one", "Sign out Safari on iPad", "DELETE /flex/v1/sessions/tablet", "Signed out: Safari on iPad"],
  [
    "all others",
    "Sign out all other devices",
    "DELETE /flex/v1/sessions",
    "All other devices are signed out",
  ],
])("ends %s, asks for the list anew and says so", async (_which, button, operation, text) => {
  harness.answer({ [operation]: { body: {} } });
  const { press, seen } = await openCard(HERE, TABLET, DESK);
  press(button);
  await expect.poll(seen).toEqual({ sent: [operation], asksAnew: true, toasts: [text] });
});

it("leaves the list as it is where the server isn't reached", async () => {
  harness.answer({ "DELETE /flex/v1/sessions": "lost" });
  const { changes, seen } = await openCard(HERE, TABLET, DESK);
  await expect(Promise.resolve(changes[0]?.(null))).rejects.toMatchObject({ code: "network" });
  expect(seen()).toMatchObject({ asksAnew: false, toasts: [] });
});
