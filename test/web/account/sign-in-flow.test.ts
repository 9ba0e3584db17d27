import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sessionStore } from "../../../web/api/session/session.ts";
import { accountStore, updateAccount } from "../../../web/features/account/account-store.ts";
import { resetAndSignIn, signInWithRecord } from "../../../web/features/account/sign-in-flow.ts";
import { RECORD } from "../../support/driver-record.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { errorReply, SRP_CHALLENGE, tokenResponse } from "../../support/scripted-network.ts";

const PHONE = "+15550100144";
let harness: ReturnType<typeof createBrowserHarness>;
let queryClient: QueryClient;
beforeEach(() => {
  harness = createBrowserHarness();
  harness.answer({ ConfirmForgotPassword: { body: {} }, InitiateAuth: SRP_CHALLENGE });
  sessionStore.setState(() => undefined);
  updateAccount({ resettingPhone: PHONE, notice: null });
  queryClient = new QueryClient();
});
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

const reset = (mayBeDone = false) =>
  resetAndSignIn(queryClient, { phone: PHONE, code: "123456", password: "Another-2-password", mayBeDone });

it("keeps the form of the code until the new password has signed in", async () => {
  harness.answer({
    RespondToAuthChallenge: tokenResponse(),
    "GET /flex/v1/user": { body: { Item: RECORD } },
  });
  let isSignedInWhenGone: boolean | null = null;
  const { unsubscribe } = accountStore.subscribe(({ resettingPhone }) => {
    if (resettingPhone === null) isSignedInWhenGone ??= Boolean(sessionStore.get());
  });
  expect(await reset()).toBe(true);
  unsubscribe();
  expect(isSignedInWhenGone).toBe(true);
});

it("says that the password was changed where only the sign-in failed", async () => {
  harness.answer({ RespondToAuthChallenge: errorReply("NotAuthorizedException") });
  expect(await reset()).toBe(false);
  expect(accountStore.get()).toMatchObject({
    resettingPhone: null,
    notice: "password_changed",
    phone: "+1 (555) 010-0144",
    isSigningIn: false,
  });
});

it("begins with the session of a confirmed number, and proves the password where that isn't taken", async () => {
  const operations = () => harness.calls.map(({ operation, body }) => body["AuthFlow"] ?? operation);
  const known = { "GET /flex/v1/user": { body: { Item: RECORD } } };
  const credentials = { phone: PHONE, password: "Another-2-password", name: null };
  const { AuthenticationResult } = tokenResponse().body;
  const body = { AuthenticationResult: { ...AuthenticationResult, RefreshToken: "refresh" } };
  harness.answer({ InitiateAuth: { body }, ...known });
  await signInWithRecord(queryClient, credentials, "confirmed");
  expect(operations()[0]).toBe("USER_AUTH");
  expect(operations()).not.toContain("USER_SRP_AUTH");
  harness.answer({ InitiateAuth: errorReply("NotAuthorizedException"), ...known });
  await expect(signInWithRecord(queryClient, credentials, "used")).rejects.toMatchObject({
    code: "NotAuthorizedException",
  });
  expect(operations().slice(-2)).toEqual(["USER_AUTH", "USER_SRP_AUTH"]);
});

it("leaves the record of a driver who has one as it is", async () => {
  harness.answer({
    RespondToAuthChallenge: tokenResponse(),
    "GET /flex/v1/user": { body: { Item: RECORD } },
  });
  await signInWithRecord(queryClient, { phone: PHONE, password: "Another-2-password", name: null });
  expect(harness.calls.at(-1)?.operation).toBe("GET /flex/v1/user");
});

it("keeps the form where the code is wrong", async () => {
  harness.answer({ ConfirmForgotPassword: errorReply("CodeMismatchException") });
  await expect(reset()).rejects.toMatchObject({ code: "CodeMismatchException" });
  expect(accountStore.get().resettingPhone).toBe(PHONE);
});
