import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { forgetInviter, storeInviter, loadInviter } from "../../../web/features/account/inviter.ts";
import { clearReferral, saveReferral, loadReferral } from "../../../web/features/account/referral.ts";
import { parseReferral } from "../../../worker/contract/account/user.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";

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

const NOW = 1_795_536_000_000;
const openLater = (ms: number, search = "") => {
  storeInviter(search, NOW + ms);
  return loadInviter();
};

it("keeps the referral of a link for 30 days from its first sight, on whatever page", () => {
  expect(openLater(0, "?referral=ana")).toBe("ana");
  expect(openLater(29 * DAY_MS, "?plan=7days")).toBe("ana");
  expect(openLater(29 * DAY_MS, "?referral=ana")).toBe("ana");
  expect(openLater(30 * DAY_MS)).toBeNull();
  expect(localStorage.getItem("jornada.inviter")).toBeNull();
});

it("lets another link take its place, an unusable one not", () => {
  openLater(0, "?referral=ana");
  expect(openLater(DAY_MS, `?referral=${"x".repeat(65)}`)).toBe("ana");
  expect(openLater(2 * DAY_MS, "?referral=bea")).toBe("bea");
  expect(openLater(31 * DAY_MS)).toBe("bea");
  expect(openLater(32 * DAY_MS)).toBeNull();
});

it("keeps it as long as the page where nothing can be stored", () => {
  vi.stubGlobal("localStorage", undefined);
  expect(openLater(0, "?referral=ana")).toBe("ana");
  expect(loadInviter()).toBe("ana");
  forgetInviter();
  expect(loadInviter()).toBeNull();
});
