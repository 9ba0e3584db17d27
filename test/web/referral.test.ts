import { beforeEach, expect, it, vi } from "vitest";
import { forgetReferral, keepReferral, readReferral } from "../../web/features/account/referral.ts";
import { openPageStage } from "../support/page-stage.ts";

beforeEach(() => void openPageStage());

it("keeps who sent a driver until their record is made, and for nobody else", () => {
  keepReferral("+15550100144", "friend");
  expect(readReferral("+15550100144")).toBe("friend");
  expect(readReferral("+15550100145")).toBeNull();
  forgetReferral();
  expect(readReferral("+15550100144")).toBeNull();
});

it("forgets an earlier one where somebody registers without", () => {
  keepReferral("+15550100144", "friend");
  keepReferral("+15550100144", undefined);
  expect(readReferral("+15550100144")).toBeNull();
});

it("does without where nothing can be stored, or what is stored is no referral", () => {
  localStorage.setItem("referral", "{");
  expect(readReferral("+15550100144")).toBeNull();
  vi.stubGlobal("localStorage", undefined);
  keepReferral("+15550100144", "friend");
  forgetReferral();
  expect(readReferral("+15550100144")).toBeNull();
});
