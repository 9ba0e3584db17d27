import { createSrpSession, signSrpSession } from "cognito-srp-helper";
import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { DriverClient } from "../support/driver-client.ts";
import { callCountedPool, counted, openCounted, seen } from "./counted-trips.ts";
import { newPhone, PASSWORD, textedCode } from "./embedded-pool.ts";

const TRIP_MS = 200;
const REGISTRATION = "a".repeat(32);

beforeAll(openCounted);

/** Signs in with the session of the number's confirmation, as a page does that registered it. */
async function signInBySession(phone: string, Session: unknown): Promise<DriverClient> {
  const start = { AuthFlow: "USER_AUTH", AuthParameters: { USERNAME: phone }, Session };
  const { AuthenticationResult } = z
    .object({ AuthenticationResult: z.object({ IdToken: z.string() }) })
    .parse(await callCountedPool("InitiateAuth", start));
  return new DriverClient({ ...counted, token: AuthenticationResult.IdToken });
}

async function signIn(phone: string): Promise<DriverClient> {
  const session = createSrpSession(phone, PASSWORD, "local_Jornada1", false);
  const start = { AuthFlow: "USER_SRP_AUTH", AuthParameters: { USERNAME: phone, SRP_A: session.largeA } };
  const { ChallengeParameters } = z
    .object({ ChallengeParameters: z.record(z.string(), z.string()) })
    .parse(await callCountedPool("InitiateAuth", start));
  const signed = signSrpSession(session, { ChallengeParameters });
  const ChallengeResponses = {
    USERNAME: ChallengeParameters["USERNAME"],
    PASSWORD_CLAIM_SECRET_BLOCK: signed.secret,
    PASSWORD_CLAIM_SIGNATURE: signed.passwordSignature,
    TIMESTAMP: signed.timestamp,
  };
  const response = { ChallengeName: "PASSWORD_VERIFIER", ChallengeResponses };
  const { AuthenticationResult } = z
    .object({ AuthenticationResult: z.object({ IdToken: z.string() }) })
    .parse(await callCountedPool("RespondToAuthChallenge", response));
  return new DriverClient({ ...counted, token: AuthenticationResult.IdToken });
}

/** How long the calls since the last look waited for the database, one after the other, and what each waited for. */
function takeWaits(): { waitMs: number; calls: string[] } {
  // Beside a page's first calls and not in their way.
  const calls = [...seen].filter(([name]) => name !== "GET /status/health");
  const waitMs = TRIP_MS * calls.reduce((sum, [, { trips }]) => sum + trips, 0);
  seen.clear();
  return { waitMs, calls: calls.map(([name, { trips }]) => `${name}: ${trips}`) };
}

// The calls that `verify-form.tsx`, `sign-in-flow.ts` and the first screens make, each after the other's answer.
it("waits for the database no longer than these, for a driver who is 200 ms away from it", async () => {
  const phone = newPhone();
  const metadata = { ClientMetadata: { registration: REGISTRATION } };
  await callCountedPool("SignUp", { Username: phone, Password: PASSWORD, ...metadata });
  const ConfirmationCode = await textedCode(phone);
  takeWaits();
  const { Session } = await callCountedPool("ConfirmSignUp", {
    Username: phone,
    ConfirmationCode,
    ...metadata,
  });
  const client = await signInBySession(phone, Session);
  const created = await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber: phone });
  // The first step of the first screen comes along.
  expect(await created.json()).toMatchObject({ setup: { step: "credentials" } });
  const fromCode = takeWaits();
  const again = await signIn(phone);
  await again.call("GET", "/flex/v1/user");
  const fromPassword = takeWaits();
  await again.call("GET", "/flex/v1/user");
  expect({ fromCode, fromPassword, card: takeWaits() }).toEqual({
    fromCode: {
      waitMs: 1_200,
      calls: ["ConfirmSignUp: 2", "InitiateAuth: 2", "PUT /flex/v1/user: 2"],
    },
    fromPassword: {
      waitMs: 800,
      calls: ["InitiateAuth: 1", "RespondToAuthChallenge: 2", "GET /flex/v1/user: 1"],
    },
    card: { waitMs: 200, calls: ["GET /flex/v1/user: 1"] },
  });
});
