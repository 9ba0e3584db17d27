import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { hasPasskeys, loadPasskeyHints, notePasskey } from "../../../web/api/session/passkey-hints.ts";
import { keepsPasskeys, suggestsPasskeys } from "../../../web/api/session/passkey.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";

beforeEach(() => void createBrowserHarness());
afterEach(() => void vi.unstubAllGlobals());

/** A browser's own interface for passkeys. */
const browserWith = (able: object) => Object.assign(() => undefined, able);
const yes = async () => true;
const no = async () => false;

it.each<[what: string, browser: unknown, has: boolean, keeps: boolean, suggests: boolean]>([
  ["without passkeys", undefined, false, false, false],
  ["with something else by that name", {}, false, false, false],
  [
    "that keeps and suggests them",
    browserWith({
      isUserVerifyingPlatformAuthenticatorAvailable: yes,
      isConditionalMediationAvailable: yes,
    }),
    true,
    true,
    true,
  ],
  [
    "that does neither",
    browserWith({ isUserVerifyingPlatformAuthenticatorAvailable: no, isConditionalMediationAvailable: no }),
    true,
    false,
    false,
  ],
  [
    "that was made before they were suggested",
    browserWith({ isUserVerifyingPlatformAuthenticatorAvailable: yes }),
    true,
    true,
    false,
  ],
])("knows of a browser %s what it can do", async (_what, browser, has, keeps, suggests) => {
  vi.stubGlobal("PublicKeyCredential", browser);
  expect([hasPasskeys(), await keepsPasskeys(), await suggestsPasskeys()]).toEqual([has, keeps, suggests]);
});

it("remembers what happened to passkeys in this browser, each thing apart", () => {
  expect(loadPasskeyHints()).toEqual({ offer: null, isKnown: false, session: null });
  notePasskey({ offer: "due" });
  notePasskey({ isKnown: true });
  notePasskey({ session: "s1" });
  expect(loadPasskeyHints()).toEqual({ offer: "due", isKnown: true, session: "s1" });
  notePasskey({ offer: "done" });
  expect(loadPasskeyHints()).toEqual({ offer: "done", isKnown: true, session: "s1" });
});
