import * as z from "zod";
import { consumeNonce, nonceProof, type OneTimeProof } from "../../../db/queries/identity/one-time-proofs.ts";
import type { PoolUser } from "../../../db/queries/identity/pool-users.ts";
import { driverId, type DriverId } from "../../../db/shapes/units.ts";
import { toBase64 } from "../../../durable/runtime/base64.ts";
import type { KeyPurpose } from "../../../durable/runtime/keys.ts";
import { markOfStored } from "../accounts/verifiers.ts";
import { decodeBase64, toUuid, utf8 } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";

/** The completed steps of a sign-in. */
const progress = z.object({
  sub: driverId,
  /** The CUSTOM_AUTH flow: a texted code after the password, or instead of it. */
  isCustom: z.boolean(),
  passed: z.array(z.enum(["password", "custom", "mfa", "passkey"])),
  /** The passkey that signed. */
  passkeyId: z.string().optional(),
  /** Of the password that it stands for, which ends it by being set anew; absent where a code or a key began it. */
  passwordMark: z.string().optional(),
});
export type Progress = z.output<typeof progress>;

const challengeSession = progress.extend({
  id: z.string(),
  step: z.string(),
  expiresAt: z.number(),
  /** The value that a passkey signs; absent where the answer is a code. */
  passkeyChallenge: z.string().optional(),
});

/** The content of `Session`, which the client gets encrypted with a challenge. Single use. */
export type ChallengeSession = z.output<typeof challengeSession>;

/** `proofKey` is base64. */
const secretBlock = challengeSession.extend({ proofKey: z.string() });

/** The content of `SECRET_BLOCK`, which the client gets encrypted with an SRP challenge. Single use. */
export type SecretBlock = z.output<typeof secretBlock>;

const SESSION: { purpose: KeyPurpose; context: string } = {
  purpose: "refresh",
  context: "challenge session",
};
const BLOCK: { purpose: KeyPurpose; context: string } = { purpose: "verifier", context: "secret block" };

/** Creates the session of a new challenge. @param step the name of the challenge */
export function createChallengeSession(
  pool: PoolContext,
  step: string,
  signInProgress: Progress,
): ChallengeSession {
  const id = toUuid(pool.randomBytes(16));
  return { ...signInProgress, id, step, expiresAt: pool.now() + pool.limits.challengeLifetimeMs };
}

/** Encrypts a `Session`. */
export function sealChallengeSession(pool: PoolContext, session: ChallengeSession): Promise<string> {
  return pool.keys.seal(SESSION.purpose, { plain: JSON.stringify(session), context: SESSION.context });
}

/** The step of a session that follows a registration, whose code proved the phone. */
const SIGNED_UP = "SIGNED_UP";

/** The `Session` that signs a driver in who has just registered, once, as long as the password stays the same. */
export async function createSignUpSession(
  pool: PoolContext,
  { userId, password }: { userId: DriverId; password: string },
): Promise<string> {
  const passwordMark = await markOfStored(pool, { id: userId, password });
  const steps: Progress = { sub: userId, isCustom: false, passed: ["custom"], passwordMark };
  return sealChallengeSession(pool, createChallengeSession(pool, SIGNED_UP, steps));
}

/** Whether the account still has the password that a sign-in stands for, if it stands for one. */
export async function isOfPresentPassword(
  pool: PoolContext,
  { passwordMark }: Pick<Progress, "passwordMark">,
  user: Pick<PoolUser, "id" | "password">,
): Promise<boolean> {
  return passwordMark === undefined || passwordMark === (await markOfStored(pool, user));
}

/** Decrypts it. @throws {CognitoError} as `openChallengeSession` does */
export function openSignUpSession(pool: PoolContext, session: string): Promise<ChallengeSession> {
  return openChallengeSession(pool, session, SIGNED_UP);
}

/**
 * Decrypts a `Session`.
 * @throws {CognitoError} if it is missing, forged, expired, or belongs to another challenge
 */
export async function openChallengeSession(
  pool: PoolContext,
  session: string | null | undefined,
  step: string,
): Promise<ChallengeSession> {
  if (!session) throw cognitoErrors.missingParameter("Session");
  const plain = await pool.keys.open(SESSION.purpose, { sealed: session, context: SESSION.context });
  if (plain === null) throw cognitoErrors.invalidSession();
  const opened = challengeSession.parse(JSON.parse(plain));
  if (opened.step !== step) throw cognitoErrors.invalidSession();
  if (opened.expiresAt <= pool.now()) throw cognitoErrors.expiredSession();
  return opened;
}

/** Encrypts a `SECRET_BLOCK`. Clients sign these bytes. */
export async function sealSecretBlock(pool: PoolContext, block: SecretBlock): Promise<string> {
  const sealed = await pool.keys.seal(BLOCK.purpose, {
    plain: JSON.stringify(block),
    context: BLOCK.context,
  });
  return toBase64(utf8(sealed));
}

/** Decrypts a `SECRET_BLOCK`; null if it is forged or expired. */
export async function openSecretBlock(pool: PoolContext, base64: string): Promise<SecretBlock | null> {
  const sealed = decodeBase64(base64);
  if (!sealed) return null;
  const plain = await pool.keys.open(BLOCK.purpose, {
    sealed: new TextDecoder().decode(sealed),
    context: BLOCK.context,
  });
  if (plain === null) return null;
  const opened = secretBlock.parse(JSON.parse(plain));
  return opened.expiresAt > pool.now() ? opened : null;
}

/** A session or secret block as what a sign-in is proven by, once. */
export function proofOf(
  pool: PoolContext,
  { id, expiresAt }: Pick<ChallengeSession, "id" | "expiresAt">,
): OneTimeProof {
  return nonceProof(pool.db, { nonce: id, expiresAt });
}

/** Marks a session or secret block as used. @returns false if it already was */
export function consume(
  pool: PoolContext,
  { id, expiresAt }: Pick<ChallengeSession, "id" | "expiresAt">,
): Promise<boolean> {
  return consumeNonce(pool.db, { nonce: id, expiresAt, now: pool.now() });
}
