import { createSrpSession, signSrpSession } from "cognito-srp-helper";
import { beforeEach, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import * as z from "zod";
import { poolUsers } from "../../db/schema/identity.ts";
import { openPoolHarness, newPhone, PASSWORD, type PoolHarness } from "./harness.ts";
import { formatTimestamp, parseTimestamp } from "../../worker/identity/sign-in/proofs.ts";

const challenge = z.object({ ChallengeParameters: z.record(z.string(), z.string()) });
const WRONG = { __type: "NotAuthorizedException", message: "Incorrect username or password." };

let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});

async function prove(
  phone: string,
  change: Record<string, string | null> = {},
  at?: string,
  AuthFlow = "USER_SRP_AUTH",
) {
  const session = createSrpSession(phone, PASSWORD, harness.poolId, false);
  const AuthParameters = { USERNAME: phone, SRP_A: session.largeA };
  const start = { ClientId: harness.clientId, AuthFlow, AuthParameters };
  const { ChallengeParameters } = challenge.parse((await harness.call("InitiateAuth", start)).body);
  const signed = signSrpSession({ ...session, ...(at ? { timestamp: at } : {}) }, { ChallengeParameters });
  const respond = async (more: Record<string, string | null> = {}) => {
    const ChallengeResponses = {
      USERNAME: phone,
      PASSWORD_CLAIM_SECRET_BLOCK: signed.secret,
      PASSWORD_CLAIM_SIGNATURE: signed.passwordSignature,
      TIMESTAMP: signed.timestamp,
      ...change,
      ...more,
    };
    const response = { ClientId: harness.clientId, ChallengeName: "PASSWORD_VERIFIER", ChallengeResponses };
    return (await harness.call("RespondToAuthChallenge", response)).body;
  };
  const PASSWORD_CLAIM_SIGNATURE = signed.passwordSignature;
  const recorded = { PASSWORD_CLAIM_SECRET_BLOCK: signed.secret, TIMESTAMP: signed.timestamp };
  return { result: await respond(), respond, PASSWORD_CLAIM_SIGNATURE, recorded };
}

const DONE = expect.objectContaining({ ChallengeParameters: {} });

it("accepts a proof once, with the phone number or the sub as user name", async () => {
  const { phone, sub } = await harness.register();
  const { result, respond } = await prove(phone);
  expect(result).toEqual(DONE);
  expect(await respond()).toEqual(WRONG);
  expect((await prove(phone, { USERNAME: sub })).result).toEqual(DONE);
  expect((await prove(phone, { USERNAME: (await harness.register()).phone })).result).toEqual(WRONG);
});

it.each<[led: string, change: Partial<typeof poolUsers.$inferInsert>, flow: string, next: string]>([
  ["a second factor", { smsMfa: true }, "USER_SRP_AUTH", "SMS_MFA"],
  ["a texted code", { smsMfa: false }, "CUSTOM_AUTH", "CUSTOM_CHALLENGE"],
  ["a new password", { status: "FORCE_CHANGE_PASSWORD" }, "USER_SRP_AUTH", "NEW_PASSWORD_REQUIRED"],
])("takes a recorded proof no second time where it led to %s", async (_led, change, flow, ChallengeName) => {
  const { phone } = await harness.register();
  await harness.db.update(poolUsers).set(change).where(eq(poolUsers.phoneNumber, phone));
  harness.advanceClock(60_000);
  const { result, respond } = await prove(phone, {}, undefined, flow);
  expect(result).toMatchObject({ ChallengeName });
  expect(await respond()).toEqual(WRONG);
});

it("takes a proof that is sent twice at once, or first with a device, once", async () => {
  const { phone } = await harness.register();
  const { respond, PASSWORD_CLAIM_SIGNATURE } = await prove(phone, { PASSWORD_CLAIM_SIGNATURE: null });
  const both = await Promise.all([1, 2].map(() => respond({ PASSWORD_CLAIM_SIGNATURE })));
  expect(both.toSorted((one) => ("__type" in one ? 1 : -1))).toEqual([DONE, WRONG]);
  const named = await prove(phone, { DEVICE_KEY: "local_0f8fad5b" });
  expect(await named.respond({ DEVICE_KEY: null })).toEqual(DONE);
  expect(await named.respond({ DEVICE_KEY: null })).toEqual(WRONG);
});

it("takes a recorded proof for no other challenge and no other time, nor for a password that was set since", async () => {
  const { phone } = await harness.register();
  const unsent = { PASSWORD_CLAIM_SIGNATURE: null };
  const first = await prove(phone, unsent);
  const { respond, recorded } = await prove(phone, unsent);
  const { PASSWORD_CLAIM_SIGNATURE } = first;
  expect(await respond({ PASSWORD_CLAIM_SIGNATURE })).toEqual(WRONG);
  const TIMESTAMP = formatTimestamp(Date.now() + 60_000);
  expect(await first.respond({ PASSWORD_CLAIM_SIGNATURE, TIMESTAMP })).toEqual(WRONG);
  expect(await first.respond({ PASSWORD_CLAIM_SIGNATURE, ...recorded })).toEqual(WRONG);
  const { AccessToken } = await harness.signIn({ phone, password: PASSWORD });
  const change = { AccessToken, PreviousPassword: PASSWORD, ProposedPassword: "Other-2-password" };
  expect((await harness.call("ChangePassword", change)).status).toBe(200);
  expect(await first.respond({ PASSWORD_CLAIM_SIGNATURE })).toEqual(WRONG);
});

it("refuses a proof that names a device, and accepts the same proof without it", async () => {
  const { phone } = await harness.register();
  const { result, respond } = await prove(phone, {
    DEVICE_KEY: "local_0f8fad5b-d9cb-469f-a165-70867728950e",
  });
  expect(result).toEqual({ __type: "ResourceNotFoundException", message: "Device does not exist." });
  expect(await respond({ DEVICE_KEY: null })).toEqual(DONE);
});

it("refuses responses to device challenges, which it never issues", async () => {
  const { phone } = await harness.register();
  for (const ChallengeName of ["DEVICE_SRP_AUTH", "DEVICE_PASSWORD_VERIFIER"]) {
    const ChallengeResponses = { USERNAME: phone, DEVICE_KEY: "local_0f8fad5b", SRP_A: "f" };
    const body = { ClientId: harness.clientId, ChallengeName, ChallengeResponses, Session: "any" };
    expect((await harness.call("RespondToAuthChallenge", body)).body).toEqual({
      __type: "NotAuthorizedException",
      message: "Invalid session for the user.",
    });
  }
});

it("accepts timestamps of any clock, in the clients' format", async () => {
  const { phone } = await harness.register();
  const shifted = (ms: number) => formatTimestamp(Date.now() + ms);
  expect((await prove(phone, {}, shifted(-86_400_000))).result).toEqual(DONE);
  expect((await prove(phone, {}, shifted(3_600_000))).result).toEqual(DONE);
  const today = formatTimestamp(Date.now());
  const otherDay = today.replace(/^.../, (day) => (day === "Sun" ? "Mon" : "Sun"));
  expect((await prove(phone, {}, otherDay)).result).toEqual(WRONG);
  expect((await prove(phone, {}, new Date().toISOString())).result).toEqual({
    __type: "InvalidParameterException",
    message: "TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.",
  });
});

it("refuses a secret block that is forged or expired", async () => {
  const { phone } = await harness.register();
  const forged = btoa("v1.test.AAAA.BBBB");
  expect((await prove(phone, { PASSWORD_CLAIM_SECRET_BLOCK: forged })).result).toEqual(WRONG);
  expect((await prove(phone, { PASSWORD_CLAIM_SECRET_BLOCK: "?" })).result).toEqual(WRONG);
  // Only letters of base64, but too few.
  expect((await prove(phone, { PASSWORD_CLAIM_SECRET_BLOCK: "A" })).result).toEqual(WRONG);
  expect((await prove(phone, { PASSWORD_CLAIM_SIGNATURE: "AAAA" })).result).toEqual(WRONG);
  expect((await prove(phone, { PASSWORD_CLAIM_SIGNATURE: null })).result).toMatchObject({
    message: "Missing required parameter PASSWORD_CLAIM_SIGNATURE",
  });
});

it.each([
  [3 * 60_000 - 1, DONE],
  [3 * 60_000, WRONG],
])("answers a secret block that is %i ms old with %o", async (age, expected) => {
  const { phone } = await harness.register();
  // The first response lacks the signature, so it uses up neither the block nor a try.
  const { respond, PASSWORD_CLAIM_SIGNATURE } = await prove(phone, { PASSWORD_CLAIM_SIGNATURE: null });
  harness.advanceClock(age);
  expect(await respond({ PASSWORD_CLAIM_SIGNATURE })).toEqual(expected);
});

it("locks an unknown number after five wrong proofs, like a known one", async () => {
  for (const phone of [(await harness.register()).phone, newPhone()]) {
    for (let i = 0; i < 5; i++)
      expect((await prove(phone, { PASSWORD_CLAIM_SIGNATURE: "AAAA" })).result).toEqual(WRONG);
    await expect(prove(phone)).rejects.toThrow();
    expect(harness.calls.at(-1)).toMatchObject({ operation: "InitiateAuth", status: 400 });
  }
});

it("parses timestamps only in the clients' format", () => {
  expect(parseTimestamp("Sat Nov 7 01:02:03 UTC 2026")).toEqual({
    kind: "at",
    at: Date.UTC(2026, 10, 7, 1, 2, 3),
  });
  const other = [
    "Sat Nov 07 01:02:03 UTC 2026",
    "Sun Nov 7 01:02:03 UTC 2026",
    "Sat Nov 37 01:02:03 UTC 2026",
  ];
  expect(other.map(parseTimestamp)).toEqual(other.map(() => ({ kind: "other" })));
  const unreadable = [
    "",
    "Sab nov 7 01:02:03 UTC 2026",
    "Sat Nov 7 01:02:03 GMT 2026",
    "2026-11-07T01:02:03Z",
  ];
  expect(unreadable.map(parseTimestamp)).toEqual(unreadable.map(() => ({ kind: "unreadable" })));
});

it("checks the account again when the proof arrives", async () => {
  const { phone } = await harness.register();
  const { respond, PASSWORD_CLAIM_SIGNATURE } = await prove(phone, { PASSWORD_CLAIM_SIGNATURE: null });
  const changes = [
    [{ status: "RESET_REQUIRED" }, "Password reset required for the user"],
    [{ status: "CONFIRMED", enabled: false }, "User is disabled."],
  ] as const;
  for (const [change, message] of changes) {
    await harness.db.update(poolUsers).set(change).where(eq(poolUsers.phoneNumber, phone));
    expect(await respond({ PASSWORD_CLAIM_SIGNATURE })).toMatchObject({ message });
  }
});

it("resets the count of wrong proofs after a right one", async () => {
  const { phone } = await harness.register();
  for (let round = 0; round < 2; round++) {
    const { respond, PASSWORD_CLAIM_SIGNATURE } = await prove(phone, { PASSWORD_CLAIM_SIGNATURE: "AAAA" });
    for (let i = 1; i < 4; i++) expect(await respond()).toEqual(WRONG);
    expect(await respond({ PASSWORD_CLAIM_SIGNATURE })).toEqual(DONE);
  }
});
