import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { createBrowserHarness } from "../../support/browser-harness.ts";

beforeAll(() => void createBrowserHarness());
afterEach(() => void vi.unstubAllGlobals());

it("forgets a new account's password with its screen, and keeps the number whose code is awaited", async () => {
  const { accountStore, forgetPassword, updateAccount } =
    await import("../../../web/features/account/account-store.ts");
  const number = { phone: "+15550100144", name: "Ana" };
  updateAccount({ unconfirmed: { ...number, password: "correct horse" } });
  forgetPassword();
  expect(accountStore.get().unconfirmed).toEqual({ ...number, password: null });
  updateAccount({ unconfirmed: null });
  forgetPassword();
  expect(accountStore.get().unconfirmed).toBeNull();
});
