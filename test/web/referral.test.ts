import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { clearReferral, saveReferral, loadReferral } from "../../web/features/account/referral.ts";
import { parseReferral } from "../../worker/contract/account/user.ts";
import { createBrowserHarness } from "../support/browser-harness.ts";

afterEach(() => void vi.unstubAllGlobals());

beforeEach(() => void createBrowserHarness());

it("keeps who sent a driver until their record is made, and for nobody else", () => {
  saveReferral("+15550100144", "friend");
  expect(loadReferral("+15550100144")).toBe("friend");
  expect(loadReferral("+15550100145")).toBeNull();
  clearReferral();
  expect(loadReferral("+15550100144")).toBeNull();
});

it("forgets an earlier one where somebody registers without", () => {
  saveReferral("+15550100144", "friend");
  saveReferral("+15550100144", undefined);
  expect(loadReferral("+15550100144")).toBeNull();
});

it("does without where nothing can be stored, or what is stored is no referral", () => {
  localStorage.setItem("referral", "{");
  expect(loadReferral("+15550100144")).toBeNull();
  vi.stubGlobal("localStorage", undefined);
  saveReferral("+15550100144", "friend");
  clearReferral();
  expect(loadReferral("+15550100144")).toBeNull();
});

it.each([
  ["friend", "friend"],
  [" friend ", "friend"],
  ["x".repeat(64), "x".repeat(64)],
  ["x".repeat(65), null],
  ["  ", null],
])("takes %s as %s", (given, referral) => {
  expect(parseReferral(given)).toBe(referral);
});

it("drops one that the API would refuse, also where it is kept already", () => {
  saveReferral("+15550100144", "x".repeat(70));
  expect(loadReferral("+15550100144")).toBeNull();
});
