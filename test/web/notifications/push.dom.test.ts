import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import * as push from "../../../web/api/device/push.ts";
import { RequestError } from "../../../web/api/client/request-error.ts";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
} from "../../../db/shapes/notifications.ts";
import { sessionsQuery } from "../../../web/api/queries/account.ts";
import { notificationsQuery, remindersQuery, textsQuery } from "../../../web/api/queries/notifications.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { NotificationSettingsCard } from "../../../web/features/notifications/notification-settings-card.tsx";
import { PushPrompt } from "../../../web/features/notifications/push-prompt.tsx";
import type { Answered } from "../../support/console-part.ts";
import { RECORD } from "../../support/driver-record.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";

const MESSAGES = {
  unsupported: "This browser can't get push notifications. You'll still get texts.",
  needs_install: /^On an iPhone, add the page to your home screen first/u,
  denied: /^You blocked notifications for this page/u,
  on: "Push notifications are on, even when the page is closed.",
};
const OFFER = /^We'll notify you of the next block we capture/u;
const [YES, NO] = ["Turn on", "Not now"];

/** This browser, as it answers from here on. */
let known: push.PushState;
let turnedOn: () => Promise<push.PushState>;
let turnedOff: () => Promise<push.PushState>;

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  known = "off";
  turnedOn = async () => "on";
  turnedOff = async () => "off";
  vi.spyOn(push, "loadPushState").mockImplementation(async () => known);
  vi.spyOn(push, "enablePush").mockImplementation(() => turnedOn());
  vi.spyOn(push, "disablePush").mockImplementation(() => turnedOff());
});
afterEach(() => void vi.restoreAllMocks());

const answered = (vapidPublicKey: string | null): Answered[] => [
  [configQuery.queryKey, { vapidPublicKey }],
  [userQuery.queryKey, RECORD],
  [sessionsQuery.queryKey, []],
  [notificationsQuery.queryKey, DEFAULT_NOTIFICATION_PREFERENCES],
  [remindersQuery.queryKey, DEFAULT_REMINDER_PREFERENCES],
  [
    textsQuery.queryKey,
    { phoneNumber: "+15550100144", delivery: { status: "ok" }, sender: null, dailyLimit: 9 },
  ],
];

async function openPrompt(vapidPublicKey: string | null = "BA") {
  const prompt = createElement(PushPrompt);
  const part = await renderPart(createElement("main", { id: "content" }, createElement("h1"), prompt), {
    answered: answered(vapidPublicKey),
  });
  return {
    ...part,
    press: async (name: string) => part.user.click(await screen.findByRole("button", { name })),
    isShown: () => screen.queryByRole("region", { name: /^Get notified on this/u }) !== null,
  };
}

it("offers notifications where they are off, and asks the browser once at a press", async () => {
  const { press, isShown, isStale } = await openPrompt();
  const arrival = Promise.withResolvers<push.PushState>();
  turnedOn = () => arrival.promise;
  expect(await screen.findByText(OFFER)).toBeTruthy();
  await press(YES);
  await press(YES);
  expect(push.enablePush).toHaveBeenCalledOnce();
  expect(isStale(sessionsQuery.queryKey)).toBe(false);
  arrival.resolve("on");
  expect(await screen.findByText(MESSAGES.on)).toBeTruthy();
  // They say which of them gets notifications.
  expect(isStale(sessionsQuery.queryKey)).toBe(true);
  expect(buttonNames()).toEqual(["Close"]);
  await press("Close");
  expect(isShown()).toBe(false);
});

it.each(["denied", "unsupported", "needs_install"] as const)(
  "says of a browser that is found %s at the press what that means",
  async (state) => {
    const { press } = await openPrompt();
    turnedOn = async () => state;
    await press(YES);
    expect(await screen.findByText(MESSAGES[state])).toBeTruthy();
    expect([buttonNames(), screen.queryByText(OFFER)]).toEqual([["Close"], null]);
  },
);

it("hands the focus from the button that goes to the one that stays, and at the end to the heading", async () => {
  const { press } = await openPrompt();
  await press(YES);
  await screen.findByText(MESSAGES.on);
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Close" }));
  await press("Close");
  expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
});

it("stays as it was where the browser's question was left open", async () => {
  const { press } = await openPrompt();
  turnedOn = async () => "off";
  await press(YES);
  await expect.poll(buttonNames).toEqual([YES, NO]);
  expect(screen.getByText(OFFER)).toBeTruthy();
});

it.each([
  ["the push service", new push.PushServiceError(), "We couldn't reach your browser's notification service."],
  ["the server", new RequestError(0, "network"), "We couldn't reach the server."],
])("says that %s wasn't reached, until it is tried again", async (_, error, words) => {
  const { press } = await openPrompt();
  turnedOn = () => Promise.reject(error);
  await press(YES);
  expect((await screen.findByRole("alert")).textContent).toContain(words);
  turnedOn = async () => "on";
  await press(YES);
  expect(await screen.findByText(MESSAGES.on)).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

it("isn't shown again on this device once it was declined", async () => {
  const first = await openPrompt();
  await first.press(NO);
  expect(first.isShown()).toBe(false);
  first.unmount();
  const second = await openPrompt();
  await expect.poll(() => second.cached(["push", undefined])).toBe("off");
  expect(second.isShown()).toBe(false);
});

it("is shown again where it was closed after a try, if notifications are off still", async () => {
  const first = await openPrompt();
  turnedOn = async () => "denied";
  await first.press(YES);
  await first.press("Close");
  first.unmount();
  const { isShown } = await openPrompt();
  await expect.poll(isShown).toBe(true);
});

it.each<[state: push.PushState, key: string | null]>([
  ["on", "BA"],
  ["denied", "BA"],
  ["unsupported", "BA"],
  ["needs_install", "BA"],
  ["off", null],
])("offers nothing to a browser that is %s, with the key %s", async (state, key) => {
  known = state;
  const { isShown, cached } = await openPrompt(key);
  if (key !== null) await expect.poll(() => cached(["push", undefined])).toBe(state);
  expect(isShown()).toBe(false);
});

/** The settings' part about this device. */
async function openDevice(state: push.PushState) {
  known = state;
  const part = await renderPart(createElement(NotificationSettingsCard), { answered: answered("BA") });
  await screen.findByRole("heading", { name: "This device" });
  const section = within(screen.getByRole("region", { name: "Notifications" }));
  return { ...part, press: (name: string) => part.user.click(section.getByRole("button", { name })) };
}
const [TURN_ON, TURN_OFF] = ["Turn on notifications", "Turn off on this device"];

it.each(["denied", "unsupported", "needs_install"] as const)(
  "has nothing to press in the settings of a browser that is %s, and says why",
  async (state) => {
    await openDevice(state);
    expect(screen.getByText(MESSAGES[state])).toBeTruthy();
    expect(buttonNames()).not.toContain(TURN_ON);
    expect(buttonNames()).not.toContain(TURN_OFF);
  },
);

it("turns notifications on and off in the settings, once a press, and keeps the focus", async () => {
  const { press } = await openDevice("off");
  const arrival = Promise.withResolvers<push.PushState>();
  turnedOn = () => arrival.promise;
  await press(TURN_ON);
  await press(TURN_ON);
  expect([vi.mocked(push.enablePush).mock.calls.length, document.activeElement?.textContent]).toEqual([
    1,
    TURN_ON,
  ]);
  arrival.resolve("on");
  expect(await screen.findByText(MESSAGES.on)).toBeTruthy();
  await press(TURN_OFF);
  expect(await screen.findByText("Push notifications are off on this device.")).toBeTruthy();
  expect(push.disablePush).toHaveBeenCalledOnce();
});

it("stays on, and says so, where the server can't be told that it is off", async () => {
  const { press } = await openDevice("on");
  turnedOff = () => Promise.reject(new RequestError(0, "network"));
  await press(TURN_OFF);
  expect((await screen.findByRole("alert")).textContent).toContain("We couldn't reach the server.");
  expect(screen.getByText(MESSAGES.on)).toBeTruthy();
});

it("holds the place of this device until the browser answers, and gives it up where that fails", async () => {
  const arrival = Promise.withResolvers<push.PushState>();
  vi.mocked(push.loadPushState).mockImplementation(() => arrival.promise);
  await renderPart(createElement(NotificationSettingsCard), { answered: answered("BA") });
  const section = screen.getByRole("region", { name: "Notifications" });
  const places = () => section.querySelectorAll("[data-skeleton]").length;
  expect(places()).toBe(1);
  arrival.reject(new Error("the browser doesn't answer"));
  await expect.poll(places).toBe(0);
  expect(screen.queryByRole("heading", { name: "This device" })).toBeNull();
});
