import { screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { Session } from "../../../worker/contract/account/security.ts";
import { sessionsQuery } from "../../../web/api/queries/account.ts";
import { calendarQuery } from "../../../web/api/queries/calendar.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { SessionsCard } from "../../../web/features/profile/sessions-card.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  storeSession(localStorage);
});
afterEach(() => void vi.useRealTimers());

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
const LIST = "GET /flex/v1/sessions";
const OF_EACH = ["Sign out Safari on iPad", "Sign out Firefox on Windows", "Sign out all other devices"];

/** The card, opened, of a driver with these sessions. */
async function openCard(...sessions: Session[]) {
  const network = scriptNetwork();
  network.answer({ [LIST]: { body: { sessions } } });
  const toasts = watchToasts();
  const card = createElement(SessionsCard, { user: RECORD });
  const { user, isStale } = await renderPart(
    createElement("main", { id: "content" }, createElement("h1"), card),
    {
      answered: [
        [sessionsQuery.queryKey, sessions],
        [calendarQuery.queryKey, null],
      ],
    },
  );
  await user.click(screen.getByText("Where you're signed in"));
  // It asks for them as it appears.
  await expect.poll(() => network.count(LIST)).toBe(1);
  const press = (name: string) => user.click(screen.getByRole("button", { name }));
  return { ...network, press, toasts, isCalendarStale: () => isStale(calendarQuery.queryKey) };
}

it.each<[names: string[], sessions: Session[]]>([
  [[], [HERE]],
  [OF_EACH.slice(0, 1), [HERE, TABLET]],
  [OF_EACH, [HERE, TABLET, DESK]],
])(
  "offers to end each other device's session, and all of them once there are two: %j",
  async (names, sessions) => {
    await openCard(...sessions);
    expect(buttonNames()).toEqual(names);
  },
);

it("says of each device where it was, and what it takes", async () => {
  await openCard(HERE, { ...TABLET, country: "MX", takesPush: true, hasCalendar: true });
  const [, tablet] = screen.getAllByRole("listitem");
  const said = tablet?.querySelector("p + p")?.textContent?.split(" · ");
  expect(said).toEqual([
    expect.stringContaining("Last"),
    "Mexico",
    "Gets notifications",
    "Has your calendar link",
  ]);
});

const OTHERS = "DELETE /flex/v1/sessions";

it.each<[which: string, press: string, operation: string, left: Session[], buttons: string[], text: string]>([
  [
    "one",
    "Sign out Safari on iPad",
    `${OTHERS}/tablet`,
    [HERE, DESK],
    ["Sign out Firefox on Windows"],
    "Signed out: Safari on iPad",
  ],
  ["all others", "Sign out all other devices", OTHERS, [HERE], [], "All other devices are signed out"],
])("ends %s, asks for the list anew and says so", async (_which, button, operation, left, buttons, text) => {
  const { answer, calls, press, toasts, isCalendarStale } = await openCard(HERE, TABLET, DESK);
  answer({ [operation]: { body: {} }, [LIST]: { body: { sessions: left } } });
  await press(button);
  await expect.poll(toasts).toEqual([{ text }]);
  await expect.poll(buttonNames).toEqual(buttons);
  expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
  expect(calls.map((call) => call.operation)).toEqual([LIST, operation, LIST]);
  // It is paused with the session that it was of.
  expect(isCalendarStale()).toBe(true);
});

it("leaves the list as it is where the server isn't reached, and says so", async () => {
  const { answer, count, press, toasts } = await openCard(HERE, TABLET, DESK);
  answer({ [OTHERS]: "lost" });
  await press("Sign out all other devices");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("We couldn't sign out that device");
  expect([buttonNames(), count(LIST), toasts()]).toEqual([OF_EACH, 1, []]);
});
