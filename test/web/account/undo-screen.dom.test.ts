import { cleanup, screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { UndoResponse } from "../../../worker/contract/account/security.ts";
import { UndoScreen } from "../../../web/features/account/undo-screen.tsx";
import { DEVICE_TIME_ZONE, formatTime, formatUntil } from "../../../web/features/language/format.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { NOON } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const CHANGE: UndoResponse = {
  kind: "phone",
  changedAt: NOON - HOUR_MS,
  expiresAt: NOON + HOUR_MS,
  phoneEnd: "0144",
  language: "en",
};
const [READ, UNDO] = ["GET /flex/v1/undo", "POST /flex/v1/undo"];

/** The screen of a link, which each test has to itself: the page remembers which one was used. */
async function openLink(token: string, change = CHANGE) {
  const network = scriptNetwork();
  network.answer({ [READ]: { body: change } });
  const { user, address, html } = await renderPart(createElement(UndoScreen, { hash: token }), {
    path: `/undo#${token}`,
  });
  const press = (name: string) => user.click(screen.getByRole("button", { name }));
  return { ...network, address, press, texts: () => textsIn(html()).slice(1) };
}

async function openOffer(token: string, change = CHANGE) {
  const link = await openLink(token, change);
  await screen.findByRole("button", { name: "Undo the change" });
  return link;
}

it("says of a broken link that it has expired, without asking about it", async () => {
  const { calls } = await openLink("a".repeat(21));
  expect((await screen.findByRole("alert")).textContent).toContain("expired or was already used");
  expect(calls).toEqual([]);
});

it.each<[kind: UndoResponse["kind"], title: string]>([
  ["phone", "Your sign-in number was changed"],
  ["password", "Your password was changed"],
  ["factors", "Your two-step sign-in was changed"],
  ["passkeys", "Your passkeys were changed"],
  ["other", "Your account was changed"],
])("says what an undone change of kind %s brings back", async (kind, title) => {
  const reading = { timeZone: DEVICE_TIME_ZONE, now: NOON };
  const { texts } = await openOffer(kind.padEnd(22, "-"), { ...CHANGE, kind });
  expect(texts()).toEqual([
    title,
    ...textsIn(formatTime(CHANGE.changedAt, reading)),
    "If that wasn't you, undo it now. This is what happens:",
    "You sign in with the number ending in 0144.",
    ...(kind === "passkeys" ? ["Your passkeys go back to those from before."] : []),
    "Every device is signed out.",
    "You set a new password with a code that we text to that number.",
    "Undo the change",
    ...textsIn(
      `If it was you, there's nothing to do. The link works once, until ${formatUntil(CHANGE.expiresAt, reading)}.`,
    ),
  ]);
});

it("undoes the change once, however often one presses, and says what to do then", async () => {
  const token = "a".repeat(22);
  const { answer, press, address, calls, count, texts } = await openOffer(token);
  expect([address(), calls.map(({ operation }) => operation)]).toEqual(["/undo", [READ]]);
  const arrival = Promise.withResolvers<void>();
  answer({ [UNDO]: { body: {}, after: arrival.promise } });
  await press("Undo the change");
  await screen.findByRole("button", { name: "Undoing…" });
  await press("Undoing…");
  arrival.resolve();
  await screen.findByText("The change is undone");
  expect(texts()).toEqual([
    "The change is undone",
    "Every device is signed out. Now set a new password with a code to the number ending in 0144.",
    "Set a new password",
  ]);
  expect(screen.getByRole("link").getAttribute("href")).toBe("/forgot-password");
  expect([count(UNDO), calls.at(-1)?.headers.get("authorization")]).toEqual([1, `Undo ${token}`]);
});

it("says of the link that was used alone that its change is undone", async () => {
  const { answer, press } = await openOffer("c".repeat(22));
  answer({ [UNDO]: { body: {} } });
  await press("Undo the change");
  await screen.findByText("The change is undone");
  cleanup();
  await openOffer("d".repeat(22));
  expect(screen.queryByText("The change is undone")).toBeNull();
});

it("is done where a link is used up to which no answer came, and not where one came", async () => {
  const expired = refusalReply("undo_expired");
  const { answer, press, count } = await openOffer("e".repeat(22));
  const hint = () => screen.queryByRole("alert")?.textContent;
  answer({ [UNDO]: [expired, "lost", expired] });
  await press("Undo the change");
  await expect.poll(hint).toContain("expired or was already used");
  await press("Undo the change");
  await expect.poll(hint).toContain("We couldn't reach the server.");
  await press("Undo the change");
  await screen.findByText("The change is undone");
  expect(count(UNDO)).toBe(3);
});

it("says why the change stands, and lets one try again", async () => {
  const { answer, press } = await openOffer("b".repeat(22));
  answer({ [UNDO]: [refusalReply("conflict"), "lost", { body: {} }] });
  const hint = () => screen.queryByRole("alert")?.textContent;
  await press("Undo the change");
  await expect.poll(hint).toContain("Another account uses this number now.");
  await press("Undo the change");
  await expect.poll(hint).toContain("We couldn't reach the server.");
  await press("Undo the change");
  await screen.findByText("The change is undone");
  expect(hint()).toBeUndefined();
});
