import { act, screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
  type NotificationPreferences,
} from "../../../db/shapes/notifications.ts";
import { notificationsQuery, remindersQuery, textsQuery } from "../../../web/api/queries/notifications.ts";
import { configQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { NotificationSettingsCard } from "../../../web/features/notifications/notification-settings-card.tsx";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const PUT = "PUT /flex/v1/user/notifications?questions=1";
const PUT_REMINDERS = "PUT /flex/v1/user/reminders";
const GET = "GET /flex/v1/user/notifications?questions=1";
const GET_REMINDERS = "GET /flex/v1/user/reminders";
const CAPTURED = "Block captured: Text";
const SERVICE = "Service and payments: Text";
const QUIET = "Quiet hours";
const SAVED = DEFAULT_NOTIFICATION_PREFERENCES;
const OFF = { text: false, push: true };
const NIGHT = { fromMinute: 1_320, toMinute: 390 };

/** The card of a driver with such settings. The server answers no further question about them unless that is scripted. */
async function openCard(over: Partial<NotificationPreferences> = {}) {
  const network = scriptNetwork();
  network.answer({ [GET]: "lost", [GET_REMINDERS]: "lost" });
  const toasts = watchToasts();
  const part = await renderPart(createElement(NotificationSettingsCard), {
    answered: [
      [configQuery.queryKey, { vapidPublicKey: null }],
      [notificationsQuery.queryKey, { ...SAVED, ...over }],
      [remindersQuery.queryKey, DEFAULT_REMINDER_PREFERENCES],
      [
        textsQuery.queryKey,
        { phoneNumber: "+15550100144", delivery: { status: "ok" }, sender: null, dailyLimit: 9 },
      ],
    ],
  });
  const toggle = (name: string) => screen.getByRole("switch", { name });
  const select = (name: string) => screen.queryByRole<HTMLSelectElement>("combobox", { name });
  return {
    ...network,
    ...part,
    toggle,
    press: (name: string) => part.user.click(toggle(name)),
    choose: (name: string, minute: number) =>
      part.user.selectOptions(screen.getByRole("combobox", { name }), String(minute)),
    areOn: (...names: string[]) => names.map((name) => toggle(name).getAttribute("aria-checked") === "true"),
    times: () => ["From", "Until"].map((name) => Number(select(name)?.value)),
    said: () => toasts().map(({ text }) => text),
    sent: (operation: string) =>
      network.calls.filter((call) => call.operation === operation).map(({ body }) => body),
  };
}

const NOT_SAVED = "We couldn't save that";

it("shows a change at once, and what the server says of it once it is saved", async () => {
  const { answer, press, areOn, sent, said } = await openCard();
  const arrival = Promise.withResolvers<void>();
  answer({
    [PUT]: { body: { ...SAVED, captured: OFF }, after: arrival.promise },
    [GET]: { body: { ...SAVED, captured: OFF, service: OFF } },
  });
  await press(CAPTURED);
  expect(areOn(CAPTURED, SERVICE)).toEqual([false, true]);
  arrival.resolve();
  await expect.poll(() => areOn(CAPTURED, SERVICE)).toEqual([false, false]);
  expect([sent(PUT), said()]).toEqual([[{ captured: { text: false } }], []]);
});

it("saves two changes one after the other, and asks for the settings once both are", async () => {
  const { answer, press, sent, count, areOn } = await openCard();
  const arrival = Promise.withResolvers<void>();
  const both = { ...SAVED, captured: OFF, service: OFF };
  answer({
    [PUT]: [{ body: { ...SAVED, captured: OFF }, after: arrival.promise }, { body: both }],
    [GET]: { body: both },
  });
  await press(CAPTURED);
  await press(SERVICE);
  expect([sent(PUT).length, areOn(CAPTURED, SERVICE)]).toEqual([1, [false, false]]);
  arrival.resolve();
  await expect.poll(() => count(GET)).toBe(1);
  expect([sent(PUT).at(-1), areOn(CAPTURED, SERVICE)]).toEqual([
    { service: { text: false } },
    [false, false],
  ]);
});

it("takes back a change that failed, says so, and saves the one after it without it", async () => {
  const { answer, press, sent, areOn, said } = await openCard();
  const arrival = Promise.withResolvers<void>();
  const refused = {
    ...(refusalReply("internal") as object),
    body: null,
    status: 500,
    after: arrival.promise,
  };
  answer({ [PUT]: [refused, { body: { ...SAVED, service: OFF } }] });
  await press(CAPTURED);
  await press(SERVICE);
  arrival.resolve();
  await expect.poll(() => sent(PUT)).toHaveLength(2);
  expect(sent(PUT)[1]).toEqual({ service: { text: false } });
  expect([areOn(CAPTURED, SERVICE), said()]).toEqual([[true, false], [NOT_SAVED]]);
});

it("shows what is saved after two changes that both failed", async () => {
  const { answer, press, sent, areOn, said, count } = await openCard();
  const arrival = Promise.withResolvers<void>();
  const refused = { body: null, status: 500, after: arrival.promise };
  answer({ [PUT]: refused });
  await press(CAPTURED);
  await press(SERVICE);
  arrival.resolve();
  await expect.poll(() => count(GET)).toBe(1);
  expect([sent(PUT).length, said(), areOn(CAPTURED, SERVICE)]).toEqual([
    2,
    [NOT_SAVED, NOT_SAVED],
    [true, true],
  ]);
});

it("saves a setting alone, so that the texts that another device turned off stay off", async () => {
  const { answer, press, sent, areOn } = await openCard();
  const changed = { ...SAVED, captured: OFF, quietHours: NIGHT };
  answer({ [PUT]: { body: changed }, [GET]: { body: changed } });
  await press(QUIET);
  await expect.poll(() => areOn(CAPTURED, QUIET)).toEqual([false, true]);
  expect(sent(PUT)).toEqual([{ quietHours: { fromMinute: 1_320, toMinute: 360 } }]);
});

it("sends all of them to a server of the last release, which takes no part", async () => {
  const { answer, press, sent, said, areOn } = await openCard({ service: OFF });
  const all = { ...SAVED, service: OFF, captured: OFF };
  answer({ [PUT]: [refusalReply("invalid_request"), { body: all }], [GET]: { body: all } });
  await press(CAPTURED);
  await expect.poll(() => sent(PUT)).toEqual([{ captured: { text: false } }, all]);
  expect([areOn(CAPTURED, SERVICE), said()]).toEqual([[false, false], []]);
});

it("saves a reminder alone, so that another device's change of the others stays, apart from the notifications", async () => {
  const { answer, press, sent, areOn } = await openCard();
  const WEEK = "Weekly summary: Text";
  const changed = { ...DEFAULT_REMINDER_PREFERENCES, before_shift: OFF, week: OFF };
  answer({ [PUT_REMINDERS]: { body: changed }, [GET_REMINDERS]: { body: changed } });
  await press(WEEK);
  await expect.poll(() => sent(PUT_REMINDERS)).toEqual([{ week: { text: false } }]);
  expect([areOn(WEEK), sent(PUT)]).toEqual([[false], []]);
});

it("takes back quiet hours that couldn't be saved, and can be given them again", async () => {
  const { answer, choose, user, sent, times, said } = await openCard({ quietHours: NIGHT });
  const later = { ...NIGHT, toMinute: 420 };
  answer({ [PUT]: ["lost", { body: { ...SAVED, quietHours: later } }] });
  await choose("Until", 420);
  await user.tab();
  await expect.poll(said).toEqual([NOT_SAVED]);
  await expect.poll(times).toEqual([1_320, 390]);
  await choose("Until", 420);
  await user.tab();
  await expect.poll(() => sent(PUT)).toHaveLength(2);
  expect([sent(PUT).at(-1), times()]).toEqual([{ quietHours: later }, [1_320, 420]]);
});

it("leaves quiet hours off that are turned off right after a time was chosen, without leaving its field", async () => {
  const { answer, choose, toggle, sent, areOn } = await openCard({ quietHours: NIGHT });
  answer({ [PUT]: { body: SAVED } });
  await choose("From", 1_380);
  // As by a finger on an iPhone, where a button takes no focus.
  act(() => toggle(QUIET).click());
  await expect.poll(() => areOn(QUIET)).toEqual([false]);
  await expect.poll(() => sent(PUT)).not.toEqual([]);
  expect(sent(PUT).at(-1)).toEqual({ quietHours: null });
});

it("shows quiet hours that were changed elsewhere", async () => {
  const { arrives, times } = await openCard({ quietHours: NIGHT });
  arrives(notificationsQuery.queryKey, { ...SAVED, quietHours: { fromMinute: 0, toMinute: 360 } });
  await expect.poll(times).toEqual([0, 360]);
});
