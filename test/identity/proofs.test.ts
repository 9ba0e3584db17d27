import { createSrpSession, signSrpSession } from "cognito-srp-helper";
import { beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { openPoolHarness, newPhone, PASSWORD, type PoolHarness } from "./harness.ts";
import { formatTimestamp, parseTimestamp } from "../../worker/identity/sign-in/proofs.ts";

const challenge = z.object({ ChallengeParameters: z.record(z.string(), z.string()) });
const WRONG = { __type: "NotAuthorizedException", message: "Incorrect username or password." };

let harness: PoolHarness;
beforeEach(async () => {
  harness = await openPoolHarness();
});

async function prove(phone: string, change: Record<string, string | null> = {}, at?: string) {
  const session = createSrpSession(phone, PASSWORD, harness.poolId, false);
  const AuthParameters = { USERNAME: phone, SRP_A: session.largeA };
  const start = { ClientId: harness.clientId, AuthFlow: "USER_SRP_AUTH", AuthParameters };
  const { ChallengeParameters } = challenge.parse((await harness.call("InitiateAuth", start)).body);
  const signed = signSrpSession({ ...session, ...(at ? { timestamp: at } : {}) }, { ChallengeParameters });
  const answer = async (more: Record<string, string | null> = {}) => {
    const ChallengeResponses = {
      USERNAME: phone,
      PASSWORD_CLAIM_SECRET_BLOCK: signed.secret,
      PASSWORD_CLAIM_SIGNATURE: signed.passwordSignature,
      TIMESTAMP: signed.timestamp,
      ...change,
      ...more,
    };
    const respond = { ClientId: harness.clientId, ChallengeName: "PASSWORD_VERIFIER", ChallengeResponses };
    return (await harness.call("RespondToAuthChallenge", respond)).body;
  };
  return { said: await answer(), answer };
}

const DONE = expect.objectContaining({ ChallengeParameters: {} });

it("takes a proof once, by the number or by the internal name", async () => {
  const { phone, sub } = await harness.register();
  const { said, answer } = await prove(phone);
  expect(said).toEqual(DONE);
  expect(await answer()).toEqual(WRONG);
  expect((await prove(phone, { USERNAME: sub })).said).toEqual(DONE);
  expect((await prove(phone, { USERNAME: (await harness.register()).phone })).said).toEqual(WRONG);
});

it("keeps a proof good while the client drops a device that the pool doesn't know", async () => {
  const { phone } = await harness.register();
  const { said, answer } = await prove(phone, { DEVICE_KEY: "local_0f8fad5b-d9cb-469f-a165-70867728950e" });
  expect(said).toEqual({ __type: "ResourceNotFoundException", message: "Device does not exist." });
  expect(await answer({ DEVICE_KEY: null })).toEqual(DONE);
});

it("takes no answer about a device: it never asks for one", async () => {
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

it("takes a proof of the last five minutes, spelt as clients spell it", async () => {
  const { phone } = await harness.register();
  const shifted = (ms: number) => formatTimestamp(Date.now() + ms);
  expect((await prove(phone, {}, shifted(-290_000))).said).toEqual(DONE);
  expect((await prove(phone, {}, shifted(290_000))).said).toEqual(DONE);
  expect((await prove(phone, {}, shifted(-301_000))).said).toEqual(WRONG);
  expect((await prove(phone, {}, shifted(302_000))).said).toEqual(WRONG);
  const today = formatTimestamp(Date.now());
  const otherDay = today.replace(/^.../, (day) => (day === "Sun" ? "Mon" : "Sun"));
  expect((await prove(phone, {}, otherDay)).said).toEqual(WRONG);
  expect((await prove(phone, {}, new Date().toISOString())).said).toEqual({
    __type: "InvalidParameterException",
    message: "TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.",
  });
});

it("takes no block that is forged, over, or another's", async () => {
  const { phone } = await harness.register();
  const forged = btoa("v1.test.AAAA.BBBB");
  expect((await prove(phone, { PASSWORD_CLAIM_SECRET_BLOCK: forged })).said).toEqual(WRONG);
  expect((await prove(phone, { PASSWORD_CLAIM_SECRET_BLOCK: "?" })).said).toEqual(WRONG);
  expect((await prove(phone, { PASSWORD_CLAIM_SIGNATURE: "AAAA" })).said).toEqual(WRONG);
  expect((await prove(phone, { PASSWORD_CLAIM_SIGNATURE: null })).said).toMatchObject({
    message: "Missing required parameter PASSWORD_CLAIM_SIGNATURE",
  });
  const { answer } = await prove(phone, { TIMESTAMP: formatTimestamp(0) });
  harness.advanceClock(3 * 60_000);
  expect(await answer({ TIMESTAMP: formatTimestamp(Date.now()) })).toEqual(WRONG);
});

it("locks an unknown number's proofs as it locks a known one's", async () => {
  for (const phone of [(await harness.register()).phone, newPhone()]) {
    for (let i = 0; i < 5; i++)
      expect((await prove(phone, { PASSWORD_CLAIM_SIGNATURE: "AAAA" })).said).toEqual(WRONG);
    await expect(prove(phone)).rejects.toThrow();
    expect(harness.calls.at(-1)).toMatchObject({ operation: "InitiateAuth", status: 400 });
  }
});

it("reads a timestamp only as clients write it", () => {
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
