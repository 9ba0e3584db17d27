import { describe, expect, it } from "vitest";
import { isSettingUp, shownStep, startStepOf } from "../../../web/features/start/start-step.ts";

const NEWCOMER = {
  proxyInstalled: false,
  flexEmail: null,
  setupComplete: false,
  goodStanding: false,
  expirationDateTimestamp: 0,
};
const LINKED = { ...NEWCOMER, proxyInstalled: true, flexEmail: "ana@example.com" };
const FILTERED = { ...LINKED, setupComplete: true };
const PAID = { ...FILTERED, goodStanding: true, expirationDateTimestamp: 1 };

describe("the step that a driver is at", () => {
  it.each([
    ["links first", NEWCOMER, "link"],
    ["links first, with a day that a friend gave", { ...NEWCOMER, goodStanding: true }, "link"],
    ["then chooses warehouses", LINKED, "warehouses"],
    ["then pays", FILTERED, "days"],
    ["has no steps where all days were turned off after the start", { ...PAID, setupComplete: false }, null],
    ["then turns it on", PAID, "on"],
    ["has no steps where only the link is lost", { ...PAID, proxyInstalled: false }, null],
    ["has no steps where only the days are over", { ...PAID, goodStanding: false }, null],
  ])("%s", (_, user, step) => expect(startStepOf(user, { isStarting: false })).toBe(step));

  it("is the warehouses for who is starting with days that a friend gave", () => {
    const invited = { ...LINKED, goodStanding: true, expirationDateTimestamp: 1 };
    expect(startStepOf(invited, { isStarting: true })).toBe("warehouses");
  });
});

describe("the step that a screen shows", () => {
  const of = (pathname: string, step: ReturnType<typeof startStepOf>, isStarting = true) =>
    shownStep(pathname, { step, isStarting });

  it("is the driver's, on its screens and those before it", () => {
    expect([of("/flex/otp", "link"), of("/flex/filters", "days"), of("/flex/payments/", "days")]).toEqual([
      "link",
      "days",
      "days",
    ]);
  });

  it("is none on the screens after it, elsewhere, and for who started long ago", () => {
    expect([
      of("/flex/payments", "link"),
      of("/flex/profile", "link"),
      of("/flex/dashboard", "on", false),
      of("/flex/filters", "on"),
      of("/flex/filters", null),
    ]).toEqual([null, null, null, null, null]);
  });

  it("takes the tabs' place until the system can be on", () => {
    expect([isSettingUp("days"), isSettingUp("on"), isSettingUp(null)]).toEqual([true, false, false]);
  });
});
