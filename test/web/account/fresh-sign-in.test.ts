import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { RequestError } from "../../../web/api/client/request-error.ts";
import { notePasskey } from "../../../web/api/session/passkey-hints.ts";
import { FreshSignInSheet, withFreshSignIn } from "../../../web/features/account/fresh-sign-in-sheet.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { changesOfPart } from "../../support/page-part.ts";
import { IDENTITY } from "../../support/scripted-network.ts";

const REFUSAL = new RequestError(403, "sign_in_again");

let harness: ReturnType<typeof createBrowserHarness>;
beforeAll(() => changeLocale("en"));
beforeEach(() => {
  harness = createBrowserHarness();
  harness.signIn();
  vi.stubGlobal("PublicKeyCredential", () => undefined);
});
afterEach(() => void vi.unstubAllGlobals());

const openSheet = () => changesOfPart(createElement(FreshSignInSheet, { phone: "+15550100144" }));

it("stays closed until a call needs a recent sign-in, and passes on any other refusal", async () => {
  const refused = new RequestError(409, "conflict");
  await expect(withFreshSignIn(() => Promise.reject(refused))).rejects.toBe(refused);
  expect(await withFreshSignIn(async () => "done")).toBe("done");
  expect((await openSheet()).buttons).toEqual([]);
});

it("gives the call up with its refusal where the driver cancels", async () => {
  let calls = 0;
  const call = withFreshSignIn(() => {
    calls += 1;
    return Promise.reject(REFUSAL);
  });
  const settled = expect(call).rejects.toBe(REFUSAL);
  await expect.poll(async () => (await openSheet()).buttons).toContain("Cancel");
  (await openSheet()).press("Cancel");
  await settled;
  expect(calls).toBe(1);
  expect((await openSheet()).buttons).toEqual([]);
});

it("offers a passkey where this browser has known one, and asks the pool for its challenge", async () => {
  const call = expect(withFreshSignIn(() => Promise.reject(REFUSAL))).rejects.toBe(REFUSAL);
  await expect.poll(async () => (await openSheet()).buttons).not.toEqual([]);
  expect((await openSheet()).buttons).not.toContain("Use a passkey instead");
  notePasskey({ isKnown: true });
  harness.answer({ InitiateAuth: "lost" });
  const { press } = await openSheet();
  press("Use a passkey instead");
  await expect.poll(() => harness.calls.map(({ operation }) => operation)).toEqual(["InitiateAuth"]);
  expect(harness.calls[0]?.body).toMatchObject({ ClientId: IDENTITY.clientId });
  press("Cancel");
  await call;
});
