import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { CalendarSummary } from "../../../worker/contract/account/calendar.ts";
import { sessionsQuery } from "../../../web/api/queries/account.ts";
import { calendarQuery } from "../../../web/api/queries/calendar.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { CalendarCard } from "../../../web/features/profile/calendar-card.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const ON: CalendarSummary = { feedId: "feed", createdAt: NOON, withPay: true, isPaused: false };
const PAUSED: CalendarSummary = { ...ON, isPaused: true };
const PATH = "/flex/v1/calendar";
const REMOVE = `DELETE ${PATH}`;
const SHOW = `GET ${PATH}/address`;
const QUESTION = "Turn off the calendar link?";
const LINK = "Your calendar link";
const ADDRESS = "https://jornada.test/calendar/secret.ics";

async function openCard(calendar: CalendarSummary | null) {
  const { answer, calls } = scriptNetwork();
  // The card asks for it as it appears.
  answer({ [`GET ${PATH}`]: { body: { calendar } } });
  const toasts = watchToasts();
  const { user, cached, isStale } = await renderPart(createElement(CalendarCard, { user: RECORD }), {
    answered: [
      [calendarQuery.queryKey, calendar],
      [sessionsQuery.queryKey, []],
    ],
  });
  await expect.poll(() => calls.length).toBe(1);
  /** A sheet over the card. */
  const sheet = (name: string) => {
    const inside = within(screen.getByRole(name === QUESTION ? "alertdialog" : "dialog", { name }));
    return { press: (button: string) => user.click(inside.getByRole("button", { name: button })) };
  };
  const press = (name: string) =>
    user.click(screen.getByRole(name === "Show pay" ? "switch" : "button", { name }));
  const seen = () => ({
    sent: calls.slice(1).map(({ operation, body }) => [operation, body]),
    calendar: cached(calendarQuery.queryKey),
    toasts: toasts().map(({ text }) => text),
  });
  return { answer, press, sheet, toasts, seen, areSessionsStale: () => isStale(sessionsQuery.queryKey) };
}

it.each<[state: string, calendar: CalendarSummary | null, buttons: string[], withPay: string[]]>([
  ["none", null, ["Add to calendar"], []],
  ["on", ON, ["Show link", "Turn off"], ["true"]],
  ["without the pay", { ...ON, withPay: false }, ["Show link", "Turn off"], ["false"]],
  ["paused", PAUSED, ["Turn on again", "Turn off"], ["true"]],
])("offers what its state lets a driver do: %s", async (_state, calendar, buttons, withPay) => {
  await openCard(calendar);
  const switches = screen.queryAllByRole("switch", { name: "Show pay" });
  expect([buttonNames(), switches.map((one) => one.getAttribute("aria-checked"))]).toEqual([
    buttons,
    withPay,
  ]);
});

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
  const { answer, press, seen } = await openCard(from);
  answer({ [operation]: { body: { calendar: to, address: ADDRESS } } });
  await press(button);
  await expect.poll(seen).toEqual({ sent: [[operation, body]], calendar: to, toasts });
});

it("is gone once it is turned off, and stays as it is where the server isn't reached", async () => {
  const { answer, press, seen, sheet } = await openCard(ON);
  answer({ [REMOVE]: ["lost", { body: {} }] });
  const turnOff = async () => {
    await press("Turn off");
    await sheet(QUESTION).press("Turn off");
  };
  await turnOff();
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("We couldn't change your calendar link");
  expect(seen()).toMatchObject({ calendar: ON, toasts: [] });
  await turnOff();
  await expect.poll(seen).toMatchObject({ calendar: null, toasts: ["Calendar link turned off"] });
  await expect.poll(buttonNames).toEqual(["Add to calendar"]);
});

it("stays on where the driver doesn't confirm that it is to be turned off", async () => {
  const { press, seen, sheet } = await openCard(ON);
  for (const button of ["Cancel", "Close"]) {
    await press("Turn off");
    await sheet(QUESTION).press(button);
    expect(screen.queryByRole("alertdialog")).toBeNull();
  }
  expect(seen()).toEqual({ sent: [], calendar: ON, toasts: [] });
});

it("shows its link as often as the driver asks for it, ready for each calendar", async () => {
  const { answer, press, seen, sheet } = await openCard(ON);
  answer({ [SHOW]: { body: { calendar: ON, address: ADDRESS } } });
  for (const times of [1, 2]) {
    await press("Show link");
    const link = await screen.findByRole("dialog", { name: LINK });
    expect(link.textContent).toContain(ADDRESS);
    const targets = within(link)
      .getAllByRole("link")
      .map((one) => one.getAttribute("href"));
    expect(targets).toEqual([
      "webcal://jornada.test/calendar/secret.ics",
      "https://calendar.google.com/calendar/r?cid=webcal%3A%2F%2Fjornada.test%2Fcalendar%2Fsecret.ics",
      "https://outlook.live.com/calendar/0/addfromweb?url=https%3A%2F%2Fjornada.test%2Fcalendar%2Fsecret.ics",
    ]);
    await sheet(LINK).press("Close");
    expect(screen.queryByText(ADDRESS)).toBeNull();
    expect(seen().sent).toHaveLength(times);
  }
});

it("subscribes by its own scheme to a link without encryption, too, as in a demonstration", async () => {
  const { answer, press } = await openCard(ON);
  answer({ [SHOW]: { body: { calendar: ON, address: ADDRESS.replace("https", "http") } } });
  await press("Show link");
  const [subscribe] = within(await screen.findByRole("dialog", { name: LINK })).getAllByRole("link");
  expect(subscribe?.getAttribute("href")).toBe("webcal://jornada.test/calendar/secret.ics");
});

it("says whether its link could be copied", async () => {
  const { answer, press, toasts, sheet } = await openCard(ON);
  answer({ [SHOW]: { body: { calendar: ON, address: ADDRESS } } });
  await press("Show link");
  await screen.findByRole("dialog", { name: LINK });
  await sheet(LINK).press("Copy link");
  await expect.poll(toasts).toEqual([{ text: "Link copied" }]);
  expect(await navigator.clipboard.readText()).toBe(ADDRESS);
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("not allowed"));
  await sheet(LINK).press("Copy link");
  const text = "We couldn't copy the link. Select it and copy it yourself.";
  await expect.poll(toasts).toEqual([{ text: "Link copied" }, { text }]);
});

it("shows a new link in place of the old one", async () => {
  const { answer, press, seen, sheet } = await openCard(ON);
  const renewed = { ...ON, feedId: "other" };
  answer({
    [SHOW]: { body: { calendar: ON, address: ADDRESS } },
    [`POST ${PATH}`]: { body: { calendar: renewed, address: `${ADDRESS}?renewed` } },
  });
  await press("Show link");
  await screen.findByRole("dialog", { name: LINK });
  await sheet(LINK).press("Make a new link");
  expect(await screen.findByText(`${ADDRESS}?renewed`)).toBeDefined();
  expect(screen.queryByText(ADDRESS)).toBeNull();
  expect(seen()).toMatchObject({
    calendar: renewed,
    sent: [
      [SHOW, {}],
      [`POST ${PATH}`, { withPay: true }],
    ],
  });
});

it("takes back why something failed with the next press that doesn't", async () => {
  const { answer, press, seen, sheet } = await openCard(ON);
  const failed = async () => (await screen.findByRole("alert")).textContent;
  const text = "We couldn't change your calendar link";
  answer({
    [SHOW]: ["lost", { body: { calendar: ON, address: ADDRESS } }],
    [`PATCH ${PATH}`]: ["lost", { body: { calendar: { ...ON, withPay: false } } }],
  });
  await press("Show pay");
  expect(await failed()).toContain(text);
  await press("Show link");
  expect(await failed()).toContain(text);
  await press("Show pay");
  await expect.poll(() => seen().calendar).toMatchObject({ withPay: false });
  expect(screen.queryByRole("alert")).toBeNull();
  await press("Show link");
  await screen.findByRole("dialog", { name: LINK });
  await sheet(LINK).press("Close");
  expect(screen.queryByRole("alert")).toBeNull();
});

it("says in the open sheet that no new link could be made", async () => {
  const { answer, press, sheet } = await openCard(ON);
  answer({ [SHOW]: { body: { calendar: ON, address: ADDRESS } }, [`POST ${PATH}`]: "lost" });
  await press("Show link");
  await screen.findByRole("dialog", { name: LINK });
  await sheet(LINK).press("Make a new link");
  const alert = await screen.findByRole("alert");
  expect(screen.getByRole("dialog", { name: LINK }).contains(alert)).toBe(true);
});

it.each([
  ["Show pay", `PATCH ${PATH}`, ON, false],
  ["Turn on again", `PUT ${PATH}/session`, PAUSED, true],
  ["Add to calendar", `POST ${PATH}`, null, true],
])(
  "after %s the sessions, which say who has it, are asked for anew if that changed",
  async (button, operation, from, isChanged) => {
    const { answer, press, seen, areSessionsStale } = await openCard(from);
    answer({ [operation]: { body: { calendar: { ...ON, withPay: false }, address: ADDRESS } } });
    await press(button);
    await expect.poll(() => seen().calendar).toMatchObject({ withPay: false });
    expect(areSessionsStale()).toBe(isChanged);
  },
);

it("keeps what a change was answered with, whatever was read before it", async () => {
  const { answer, calls } = scriptNetwork();
  const reading = Promise.withResolvers<void>();
  answer({
    [`GET ${PATH}`]: { body: { calendar: ON }, after: reading.promise },
    [`PATCH ${PATH}`]: { body: { calendar: { ...ON, withPay: false } } },
  });
  const { user, cached } = await renderPart(createElement(CalendarCard, { user: RECORD }), {
    answered: [[calendarQuery.queryKey, ON]],
  });
  await expect.poll(() => calls.length).toBe(1);
  await user.click(screen.getByRole("switch", { name: "Show pay" }));
  await expect.poll(() => cached(calendarQuery.queryKey)).toMatchObject({ withPay: false });
  reading.resolve();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(cached(calendarQuery.queryKey)).toMatchObject({ withPay: false });
});

it("keeps the focus on the button that turned it on again, which shows the link from then on", async () => {
  const { answer, press } = await openCard(PAUSED);
  answer({ [`PUT ${PATH}/session`]: { body: { calendar: ON } } });
  await press("Turn on again");
  const show = await screen.findByRole("button", { name: "Show link" });
  expect(document.activeElement).toBe(show);
});
