import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { CalendarSummary } from "../../../worker/contract/account/calendar.ts";
import { calendarQuery } from "../../../web/api/queries/calendar.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { CalendarCard } from "../../../web/features/profile/calendar-card.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { RECORD } from "../../support/driver-record.ts";
import { changesOfPart } from "../../support/page-part.ts";
import { watchToasts } from "../../support/toasts.ts";

let harness: ReturnType<typeof createBrowserHarness>;
beforeAll(() => changeLocale("en"));
beforeEach(() => {
  harness = createBrowserHarness();
  harness.signIn();
});
afterEach(() => void vi.unstubAllGlobals());

const ON: CalendarSummary = { feedId: "feed", createdAt: NOON, withPay: true, isPaused: false };
const PAUSED: CalendarSummary = { ...ON, isPaused: true };
const ADDRESS = "https://jornada.test/calendar/secret.ics";

async function openCard(calendar: CalendarSummary | null) {
  const toasts = watchToasts();
  const part = await changesOfPart(createElement(CalendarCard, { user: RECORD }), {
    answered: [[calendarQuery.queryKey, calendar]],
  });
  const seen = () => ({
    sent: harness.calls.map(({ operation, body }) => [operation, body]),
    calendar: part.cached(calendarQuery.queryKey),
    toasts: toasts().map(({ text }) => text),
  });
  return { ...part, seen };
}

it("offers what its state lets a driver do", async () => {
  expect([
    (await openCard(null)).buttons,
    (await openCard(ON)).buttons,
    (await openCard(PAUSED)).buttons,
  ]).toEqual([
    ["Add to calendar"],
    ["Show link", "Turn off", "Show pay"],
    ["Turn on again", "Turn off", "Show pay"],
  ]);
});

const PATH = "/flex/v1/calendar";
it.each<
  [
    button: string,
    from: CalendarSummary | null,
    operation: string,
    body: object,
    to: CalendarSummary,
    toasts: string[],
  ]
>([
  ["Add to calendar", null, `POST ${PATH}`, { withPay: false }, { ...ON, withPay: false }, []],
  ["Show pay", ON, `PATCH ${PATH}`, { withPay: false }, { ...ON, withPay: false }, []],
  ["Turn on again", PAUSED, `PUT ${PATH}/session`, { feedId: "feed" }, ON, ["Calendar is on again"]],
])("is as the server has it after %s", async (button, from, operation, body, to, toasts) => {
  harness.answer({ [operation]: { body: { calendar: to, address: ADDRESS } } });
  const { press, seen } = await openCard(from);
  press(button);
  await expect.poll(seen).toEqual({ sent: [[operation, body]], calendar: to, toasts });
});

it("is gone once it is turned off, and stays as it is where the server isn't reached", async () => {
  harness.answer({ [`DELETE ${PATH}`]: ["lost", { body: {} }] });
  const { changes, seen } = await openCard(ON);
  const remove = () => Promise.resolve(changes[0]?.({ kind: "remove" }));
  await expect(remove()).rejects.toMatchObject({ code: "network" });
  expect(seen()).toMatchObject({ calendar: ON, toasts: [] });
  await remove();
  await expect.poll(seen).toMatchObject({ calendar: null, toasts: ["Calendar link turned off"] });
});
