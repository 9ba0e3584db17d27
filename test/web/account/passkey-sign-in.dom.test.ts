import { screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { configQuery } from "../../../web/api/queries/user.ts";
import { notePasskey } from "../../../web/api/session/passkey-hints.ts";
import { sessionStore } from "../../../web/api/session/session.ts";
import { accountStore, updateAccount } from "../../../web/features/account/account-store.ts";
import { LoginForm } from "../../../web/features/account/login-form.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { errorReply, IDENTITY, scriptNetwork, tokenResponse } from "../../support/scripted-network.ts";

const START = accountStore.get();
const OPTIONS = JSON.stringify({ challenge: "AAAA", rpId: "jornada.test" });
const CHALLENGE = {
  body: { Session: "s1", ChallengeParameters: { WEBAUTHN_OPTIONS: OPTIONS } },
};
const SIGNED_IN = {
  body: {
    AuthenticationResult: { ...tokenResponse().body.AuthenticationResult, RefreshToken: "refresh" },
  },
};
const REMOVED = errorReply(
  "NotAuthorizedException",
  "The passkey was removed when a text recovered the account.",
);
const bytes = new ArrayBuffer(1);
const CREDENTIAL = {
  id: "k1",
  rawId: bytes,
  type: "public-key",
  response: { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes, userHandle: null },
  getClientExtensionResults: () => ({}),
};

/** The browser's answers to a request for a passkey: to one that suggests them, and to any other. */
let choices: Record<"suggested" | "asked", () => Promise<unknown>>;
beforeAll(() => changeLocale("en"));
beforeEach(() => {
  sessionStore.setState(() => undefined);
  choices = { suggested: () => new Promise(() => {}), asked: async () => CREDENTIAL };
  const get = ({ mediation }: CredentialRequestOptions) =>
    choices[mediation === "conditional" ? "suggested" : "asked"]();
  vi.spyOn(navigator, "credentials", "get").mockReturnValue({ get } as CredentialsContainer);
  const isConditionalMediationAvailable = async () => true;
  vi.stubGlobal(
    "PublicKeyCredential",
    Object.assign(() => undefined, { isConditionalMediationAvailable }),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  updateAccount({ ...START, isSigningIn: false });
  sessionStore.setState(() => undefined);
});

async function openLogin({ isKnown = false } = {}) {
  notePasskey({ isKnown });
  const network = scriptNetwork();
  network.answer({ InitiateAuth: CHALLENGE, RespondToAuthChallenge: SIGNED_IN });
  const open = async () => {
    const { user } = await renderPart(createElement(LoginForm, { lead: undefined }), {
      answered: [[configQuery.queryKey, { identity: IDENTITY }]],
    });
    return { user, press: (name: string) => user.click(screen.getByRole("button", { name })) };
  };
  return { ...network, open };
}

const isSignedIn = () => Boolean(sessionStore.get());

it("signs in by the passkey that the driver chooses, once, and keeps nothing of the form", async () => {
  const { open, count } = await openLogin();
  const choice = Promise.withResolvers<unknown>();
  choices.asked = () => choice.promise;
  const { user, press } = await open();
  await user.type(screen.getByLabelText("Phone number"), "5550");
  await press("Sign in with a passkey");
  const waiting = await screen.findByRole("button", { name: "Waiting for your passkey…" });
  await user.click(waiting);
  choice.resolve(CREDENTIAL);
  await expect.poll(isSignedIn).toBe(true);
  await expect.poll(() => accountStore.get()).toMatchObject({ phone: "", isSigningIn: false });
  expect(count("InitiateAuth")).toBe(1);
});

it("signs in by a passkey that is suggested where the number is typed, and keeps nothing of the form", async () => {
  const { open } = await openLogin({ isKnown: true });
  const choice = Promise.withResolvers<unknown>();
  choices.suggested = () => choice.promise;
  updateAccount({ notice: "password_changed" });
  const { user } = await open();
  await user.type(screen.getByLabelText("Phone number"), "5550");
  choice.resolve(CREDENTIAL);
  await expect.poll(isSignedIn).toBe(true);
  await expect.poll(() => accountStore.get()).toMatchObject({ phone: "", notice: null });
});

it("says nothing to a driver who chose no passkey, and asks again", async () => {
  const { open } = await openLogin();
  choices.asked = async () => {
    choices.asked = async () => CREDENTIAL;
    throw new DOMException("closed", "NotAllowedError");
  };
  const { press } = await open();
  await press("Sign in with a passkey");
  await screen.findByRole("button", { name: "Sign in with a passkey" });
  expect([isSignedIn(), screen.queryByRole("alert")]).toEqual([false, null]);
  await press("Sign in with a passkey");
  await expect.poll(isSignedIn).toBe(true);
});

it("says why a passkey opens nothing", async () => {
  const { open, answer } = await openLogin();
  answer({ RespondToAuthChallenge: errorReply("NotAuthorizedException") });
  const { press } = await open();
  await press("Sign in with a passkey");
  expect((await screen.findByRole("alert")).textContent).toContain(
    "That passkey doesn't open an account here",
  );
});

it("undoes a recovery that wasn't the driver's, once, after a passkey that was suggested", async () => {
  const { open, answer, calls } = await openLogin({ isKnown: true });
  choices.suggested = async () => CREDENTIAL;
  answer({ RespondToAuthChallenge: [REMOVED, SIGNED_IN] });
  const choice = Promise.withResolvers<unknown>();
  let asked = 0;
  choices.asked = () => {
    asked += 1;
    return choice.promise;
  };
  const { press } = await open();
  const undo = await screen.findByRole("button", { name: "That wasn't me" });
  await press("That wasn't me");
  await press("That wasn't me");
  expect(undo.getAttribute("aria-disabled")).toBe("true");
  choice.resolve(CREDENTIAL);
  await expect.poll(isSignedIn).toBe(true);
  expect(asked).toBe(1);
  expect(calls.at(-1)?.body).toMatchObject({ ClientMetadata: { undo_recovery: "true" } });
});
