import { beforeEach, describe, expect, it } from "vitest";
import { createPoolContext, type PoolContext } from "../../worker/identity/pool-context.ts";
import { cognitoErrors, type CognitoError } from "../../worker/identity/protocol/errors.ts";
import { makeVerifier, modPow, MULTIPLIER, N, precompute } from "../../worker/identity/protocol/srp.ts";
import {
  consume,
  createChallengeSession,
  openChallengeSession,
  sealChallengeSession,
  type Progress,
} from "../../worker/identity/sign-in/challenge-sessions.ts";
import {
  createProofChallenge,
  formatTimestamp,
  parseProof,
  requirePublicNumber,
} from "../../worker/identity/sign-in/proofs.ts";
import { NOW, openPool, OTHER, OWNER, PASSWORD, type Pool } from "./pool-harness.ts";
import { CLIENT_NUMBER, signProof } from "./srp-client.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const PROGRESS: Progress = { sub: OWNER, isCustom: true, passed: ["password", "custom", "mfa"] };
const LOGIN = { pool: "Jornada1", user: OWNER };
const verifier = precompute(await makeVerifier({ ...LOGIN, password: PASSWORD }, 0x5a17n));

let at: Pool;
beforeEach(() => {
  at = openPool();
});

const as = ({ type, message }: CognitoError) => expect.objectContaining({ type, message });
const WRONG = as(cognitoErrors.wrongPassword());

/** A client's responses to a challenge, signed at an instant of its own clock. */
async function answer(password = PASSWORD, signedAt = NOW): Promise<Record<string, string>> {
  const session = createChallengeSession(at.context, "PASSWORD_VERIFIER", PROGRESS);
  const a = requirePublicNumber({ SRP_A: CLIENT_NUMBER });
  const challenge = await createProofChallenge(at.context, { a, verifier, session });
  return signProof(challenge, { ...LOGIN, password }, formatTimestamp(signedAt));
}

describe("a proof", () => {
  const isProven = async (given: Record<string, string>, login = LOGIN) =>
    (await parseProof(at.context, given)).isProven(login);

  it("is one of the account's password in this pool", async () => {
    const given = await answer();
    const { block } = await parseProof(at.context, given);
    expect(block).toMatchObject({
      ...PROGRESS,
      step: "PASSWORD_VERIFIER",
      expiresAt: NOW + 3 * MINUTE_MS,
    });
    expect(await isProven(given)).toBe(true);
    expect(await isProven(given, { ...LOGIN, user: OTHER })).toBe(false);
    expect(await isProven(given, { ...LOGIN, pool: "Other" })).toBe(false);
    expect(await isProven(await answer("Wrong-1-password"))).toBe(false);
  });

  it("is made before its challenge is three minutes old, whatever the client's clock says", async () => {
    for (const signedAt of [NOW - 400 * DAY_MS, NOW - 6 * MINUTE_MS, NOW + 400 * DAY_MS])
      expect(await isProven(await answer(PASSWORD, signedAt))).toBe(true);
    const given = await answer();
    at.clock.now += 3 * MINUTE_MS - 1;
    expect(await isProven(given)).toBe(true);
    at.clock.now += 1;
    await expect(isProven(given)).rejects.toEqual(WRONG);
  });

  it.each<[Record<string, string>, unknown]>([
    [{ PASSWORD_CLAIM_SECRET_BLOCK: "?" }, WRONG],
    [{ PASSWORD_CLAIM_SECRET_BLOCK: btoa("v1.test.AAAA.BBBB") }, WRONG],
    [{ PASSWORD_CLAIM_SIGNATURE: "?" }, WRONG],
    [{ TIMESTAMP: "Sun Nov 21 12:00:00 UTC 2026" }, WRONG],
    [{ TIMESTAMP: "2026-11-21T12:00:00Z" }, as(cognitoErrors.invalidTimestamp())],
    ...["PASSWORD_CLAIM_SECRET_BLOCK", "PASSWORD_CLAIM_SIGNATURE", "TIMESTAMP"].map(
      (name): [Record<string, string>, unknown] => [{ [name]: "" }, as(cognitoErrors.missingParameter(name))],
    ),
  ])("is none with %j", async (change, refusal) => {
    await expect(parseProof(at.context, { ...(await answer()), ...change })).rejects.toEqual(refusal);
  });

  it("begins with a public number of the client's other than the group's zeros", () => {
    expect(requirePublicNumber({ SRP_A: "ff" })).toBe(255n);
    expect(() => requirePublicNumber({})).toThrow(as(cognitoErrors.missingParameter("SRP_A")));
    expect(() => requirePublicNumber({ SRP_A: "0" })).toThrow(
      as(cognitoErrors.invalidParameter("SRP_A is not a valid public number.")),
    );
  });

  it("is requested with other chance where the server's public number would be 0", async () => {
    const unlucky = precompute({ salt: 1n, verifier: N - modPow(MULTIPLIER, N - 2n) });
    const drawn = [new Uint8Array(32), Uint8Array.of(1)];
    const pool: PoolContext = createPoolContext({
      ...at.deps,
      randomBytes: () => drawn.shift() ?? new Uint8Array(),
    });
    const session = createChallengeSession(at.context, "PASSWORD_VERIFIER", PROGRESS);
    const challenge = await createProofChallenge(pool, { a: 3n, verifier: unlucky, session });
    expect(challenge).toMatchObject({ SALT: "1", SRP_B: "1" });
  });
});

describe("the session of a challenge", () => {
  const open = (sealed: string | null | undefined, step = "SMS_MFA") =>
    openChallengeSession(at.context, sealed, step);

  it("is of one challenge, for three minutes, and used once", async () => {
    const session = createChallengeSession(at.context, "SMS_MFA", PROGRESS);
    const sealed = await sealChallengeSession(at.context, session);
    expect(await open(sealed)).toEqual({
      ...PROGRESS,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      step: "SMS_MFA",
      expiresAt: NOW + 3 * MINUTE_MS,
    });
    await expect(open(sealed, "CUSTOM_CHALLENGE")).rejects.toEqual(as(cognitoErrors.invalidSession()));
    at.clock.now += 3 * MINUTE_MS - 1;
    expect(await open(sealed)).toEqual(session);
    expect([await consume(at.context, session), await consume(at.context, session)]).toEqual([true, false]);
    at.clock.now += 1;
    await expect(open(sealed)).rejects.toEqual(as(cognitoErrors.expiredSession()));
  });

  it("has to be there, and the pool's own", async () => {
    for (const none of [null, undefined, ""])
      await expect(open(none)).rejects.toEqual(as(cognitoErrors.missingParameter("Session")));
    await expect(open("forged")).rejects.toEqual(as(cognitoErrors.invalidSession()));
    const token = await at.context.keys.seal("refresh", { plain: "{}", context: "refresh token" });
    await expect(open(token)).rejects.toEqual(as(cognitoErrors.invalidSession()));
  });
});
