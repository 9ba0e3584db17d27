import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { rewardsQuery } from "../../../web/api/queries/rewards.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { RewardsScreen } from "../../../web/features/rewards/rewards-screen.tsx";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const REDEEM = "POST /flex/v1/rewards/redeem";
const REWARDS = [
  { reward: "friend_invitation", points: 150 },
  { reward: "7days", points: 700 },
] as const;
const rewards = (points: number) => ({ points, rewards: REWARDS, entries: [] });
const DONE = { points: 300, serviceUntil: null, isTexted: false };
const DAYS = "Redeem: 7 days of service";
const FRIEND = "Redeem: A 1-day trial for a friend";

async function openScreen() {
  const network = scriptNetwork();
  network.answer({
    "GET /flex/v1/rewards": { body: rewards(300) },
    "GET /flex/v1/user": { body: { Item: RECORD } },
  });
  const toasts = watchToasts();
  const part = await renderPart(createElement("main", { id: "content" }, createElement(RewardsScreen)), {
    answered: [
      [rewardsQuery.queryKey, rewards(1000)],
      [userQuery.queryKey, RECORD],
    ],
  });
  return {
    ...network,
    ...part,
    toasts,
    press: (name: string) => part.user.click(screen.getByRole("button", { name })),
    isOpen: () => document.querySelector("dialog[open]") !== null,
    sent: () => network.calls.filter(({ operation }) => operation === REDEEM).map(({ body }) => body),
  };
}

it("redeems at the second press, once, says so and shows the points that are left", async () => {
  const { answer, press, sent, toasts, isOpen } = await openScreen();
  const arrival = Promise.withResolvers<void>();
  answer({ [REDEEM]: { body: DONE, after: arrival.promise } });
  await press(DAYS);
  screen.getByText("7 days of service for 700 points. You'll have 300 left.");
  expect(sent()).toEqual([]);
  await press("Redeem 700 points");
  await press("Redeeming…");
  arrival.resolve();
  await expect.poll(toasts).toEqual([{ text: "Redeemed. Your days of service are here." }]);
  await expect.poll(isOpen).toBe(false);
  expect(sent()).toMatchObject([{ reward: "7days" }]);
  expect(screen.getByTestId("points-balance").textContent).toContain("300");
});

it("tries again under the same key where the answer was lost, and another time under a new one", async () => {
  const { answer, press, sent, isOpen } = await openScreen();
  answer({ [REDEEM]: ["lost", { body: DONE }], "GET /flex/v1/rewards": { body: rewards(1000) } });
  await press(DAYS);
  await press("Redeem 700 points");
  expect((await screen.findByRole("alert")).textContent).toContain("Error redeeming reward");
  await press("Redeem 700 points");
  await expect.poll(isOpen).toBe(false);
  await press(DAYS);
  await press("Redeem 700 points");
  await expect.poll(() => sent().length).toBe(3);
  const [lost, repeated, later] = sent().map((body) => body["idempotencyKey"]);
  expect([repeated === lost, later === lost]).toEqual([true, false]);
});

it("tries again under the same key where the sheet was closed meanwhile", async () => {
  const { answer, press, sent, isOpen, toasts } = await openScreen();
  const arrival = Promise.withResolvers<void>();
  const failed = { body: null, status: 500, after: arrival.promise };
  answer({ [REDEEM]: [failed, { body: DONE }], "GET /flex/v1/rewards": { body: rewards(1000) } });
  await press(DAYS);
  await press("Redeem 700 points");
  await press("Keep my points");
  await press(DAYS);
  arrival.resolve();
  await press("Redeem 700 points");
  await expect.poll(isOpen).toBe(false);
  const [first, second] = sent();
  expect([second, toasts().map(({ text }) => text)]).toEqual([
    first,
    ["Error redeeming reward", "Redeemed. Your days of service are here."],
  ]);
});

it("shows that the points of a redemption are spent whose answer was lost", async () => {
  const { answer, press, isOpen } = await openScreen();
  answer({ [REDEEM]: "lost" });
  await press(DAYS);
  await press("Redeem 700 points");
  await screen.findByRole("alert");
  await expect.poll(() => screen.getByTestId("points-balance").textContent).toContain("300");
  screen.getByText("7 days of service for 700 points. You'll have 300 left.");
  expect(isOpen()).toBe(true);
});

it("keeps the points of a driver who changes their mind", async () => {
  const { press, sent, isOpen } = await openScreen();
  await press(DAYS);
  await press("Keep my points");
  await expect.poll(isOpen).toBe(false);
  expect(sent()).toEqual([]);
});

it("says in its own words that the points are gone meanwhile", async () => {
  const { answer, press } = await openScreen();
  answer({ [REDEEM]: refusalReply("points_short") });
  await press(DAYS);
  await press("Redeem 700 points");
  expect((await screen.findByRole("alert")).textContent).toContain("You don't have that many points anymore");
});

it.each([
  [true, "Redeemed. We texted your friend."],
  [false, "Redeemed. We couldn't text your friend, so send them your link."],
])("sends a friend's trial to a number that is one (texted: %s)", async (isTexted, text) => {
  const { answer, user, press, sent, toasts } = await openScreen();
  answer({ [REDEEM]: [refusalReply("already_registered"), { body: { ...DONE, isTexted } }] });
  await press(FRIEND);
  const field = screen.getByLabelText<HTMLInputElement>("Your friend's phone number");
  await press("Redeem 150 points");
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
  expect([document.activeElement, sent()]).toEqual([field, []]);
  await user.type(field, "5550100177{Enter}");
  await expect.poll(() => sent().length).toBe(1);
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
  await user.type(field, "{Backspace}8{Enter}");
  await expect.poll(toasts).toEqual([{ text }]);
  expect(sent().at(-1)).toMatchObject({ reward: "friend_invitation", phoneNumber: "5550100178" });
});

it("hands the focus on to the heading where the points no longer suffice for what was pressed", async () => {
  const { answer, press, isOpen } = await openScreen();
  answer({ [REDEEM]: { body: DONE } });
  await press(DAYS);
  await press("Redeem 700 points");
  await expect.poll(isOpen).toBe(false);
  expect(screen.queryByRole("button", { name: DAYS })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
});
