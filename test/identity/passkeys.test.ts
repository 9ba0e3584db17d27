import { Amplify } from "aws-amplify";
import { confirmSignIn, fetchAuthSession, getCurrentUser, signIn, signOut } from "aws-amplify/auth";
import { AuthenticationDetails } from "amazon-cognito-identity-js";
import { afterEach, expect, it, vi } from "vitest";
import * as z from "zod";
import { newCredential } from "../../worker/identity/passkeys/webauthn.ts";
import { createAuthenticator } from "../support/software-authenticator.ts";
import { openClient, runSignInStep } from "./cognito-identity-js.ts";
import { errorOf, factsOf, openPoolHarness } from "./harness.ts";

const MINUTE_MS = 60_000;

afterEach(() => void vi.unstubAllGlobals());

async function open() {
  const harness = await openPoolHarness({ settings: { secondFactors: false } });
  Amplify.configure({
    Auth: {
      Cognito: {
        userPoolId: harness.poolId,
        userPoolClientId: harness.clientId,
        userPoolEndpoint: harness.endpoint,
        loginWith: { phone: true },
      },
    },
  });
  const account = await harness.register();
  const { originJti, userId } = factsOf((await harness.signIn(account)).IdToken);
  const device = await createAuthenticator();
  const caller = { userId, originJti };
  const offer = await harness.pool.offerPasskey(caller, "Ana");
  if (typeof offer === "string") throw new Error(offer);
  const credential = newCredential.parse(await device.create(offer.options));
  const made = { ticket: offer.ticket, credential, name: "Pixel" };
  expect(await harness.pool.acceptPasskey(caller, made)).toMatchObject({ name: "Pixel" });
  return { harness, account, device };
}

const DONE = { isSignedIn: true, nextStep: { signInStep: "DONE" } };

it("signs a client of Amplify in, which asks for a passkey by the custom flow", async () => {
  const { harness, account, device } = await open();
  const options = { authFlowType: "CUSTOM_WITHOUT_SRP" } as const;
  const { nextStep } = await signIn({ username: "passkey", options });
  const challenge = z
    .object({
      signInStep: z.literal("CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE"),
      additionalInfo: z.object({ WEBAUTHN_OPTIONS: z.string() }),
    })
    .parse(nextStep);
  const signed = await device.sign(JSON.parse(challenge.additionalInfo.WEBAUTHN_OPTIONS));
  expect(await confirmSignIn({ challengeResponse: JSON.stringify(signed) })).toMatchObject(DONE);
  expect(await getCurrentUser()).toMatchObject({ userId: account.sub });
  const before = await fetchAuthSession();
  expect(before.tokens?.idToken?.payload).toMatchObject({ phone_number: account.phone });
  harness.advanceClock(61 * MINUTE_MS);
  const after = await fetchAuthSession();
  expect(after.tokens?.accessToken.payload["origin_jti"]).toBe(
    before.tokens?.accessToken.payload["origin_jti"],
  );
  await signOut();
});

it("refuses such a client another passkey, in the words of a wrong password", async () => {
  const { harness, device } = await open();
  const stranger = await createAuthenticator();
  const options = { authFlowType: "CUSTOM_WITHOUT_SRP" } as const;
  const { nextStep } = await signIn({ username: "passkey", options });
  const { WEBAUTHN_OPTIONS } = Object(Object(nextStep).additionalInfo);
  const signed = await stranger.sign(JSON.parse(WEBAUTHN_OPTIONS), { userHandle: "AAAA" });
  expect(await errorOf(confirmSignIn({ challengeResponse: JSON.stringify(signed) }))).toMatchObject({
    type: "NotAuthorizedException",
    message: "Incorrect username or password.",
  });
  expect(harness.calls.at(-1)).toMatchObject({ operation: "RespondToAuthChallenge", status: 400 });
  expect(device.count()).toBe(0);
});

it("signs a client of amazon-cognito-identity-js in", async () => {
  const { harness, account, device } = await open();
  const client = openClient(harness);
  const user = client.userOf("passkey");
  const challenge = await runSignInStep((callbacks) => {
    user.setAuthenticationFlowType("CUSTOM_AUTH");
    user.initiateAuth(new AuthenticationDetails({ Username: "passkey" }), callbacks);
  });
  if (challenge.kind !== "challenge") throw new Error("no challenge");
  const signed = await device.sign(JSON.parse(challenge.parameters["WEBAUTHN_OPTIONS"] ?? ""));
  const done = await runSignInStep((callbacks) =>
    user.sendCustomChallengeAnswer(JSON.stringify(signed), callbacks),
  );
  if (done.kind !== "session") throw new Error("no session");
  expect(done.session.getIdToken().payload).toMatchObject({ sub: account.sub });
});
