import * as z from "zod";
import { consumeNonce } from "../../../db/queries/identity-limits.ts";
import { driverId } from "../../../db/shapes/units.ts";
import type { KeyPurpose } from "../../../durable/runtime/keys.ts";
import { toUuid, decodeBase64, encodeBase64, utf8 } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";

/** How far a sign-in has come. */
const progress = z.object({
  sub: driverId,
  /** A code by text is asked for after the password, or instead of it. */
  isCustom: z.boolean(),
  passed: z.array(z.enum(["custom", "mfa"])),
});
export type Progress = z.output<typeof progress>;

const challengeSession = progress.extend({ id: z.string(), step: z.string(), expiresAt: z.number() });

/** A challenge that was put: what `Session` holds, sealed. Used once. */
export type ChallengeSession = z.output<typeof challengeSession>;

const secretBlock = challengeSession.extend({ proofKey: z.string() });

/** A proof that was asked for: what `SECRET_BLOCK` holds, sealed. Used once. `proofKey` is base64. */
export type SecretBlock = z.output<typeof secretBlock>;

const SESSION: { purpose: KeyPurpose; context: string } = {
  purpose: "refresh",
  context: "challenge session",
};
const BLOCK: { purpose: KeyPurpose; context: string } = { purpose: "verifier", context: "secret block" };

/** A new challenge of a sign-in. */
export function createChallengeSession(
  pool: PoolContext,
  step: string,
  signInProgress: Progress,
): ChallengeSession {
  const id = toUuid(pool.randomBytes(16));
  return { ...signInProgress, id, step, expiresAt: pool.now() + pool.limits.challengeLifetimeMs };
}

/** What the client gets as `Session`. */
export function sealChallengeSession(pool: PoolContext, session: ChallengeSession): Promise<string> {
  return pool.keys.seal(SESSION.purpose, { plain: JSON.stringify(session), context: SESSION.context });
}

/**
 * Opens what a client sends as `Session`.
 * @throws {Fault} where it was not made here, is over, or belongs to another challenge
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

/** What the client gets as `SECRET_BLOCK`, and signs as it is. */
export async function sealSecretBlock(pool: PoolContext, block: SecretBlock): Promise<string> {
  const sealed = await pool.keys.seal(BLOCK.purpose, {
    plain: JSON.stringify(block),
    context: BLOCK.context,
  });
  return encodeBase64(utf8(sealed));
}

/** Null where it was not made here, is over, or belongs to another challenge. */
export async function openSecretBlock(
  pool: PoolContext,
  base64: string,
  step: string,
): Promise<SecretBlock | null> {
  const sealed = decodeBase64(base64);
  if (!sealed) return null;
  const plain = await pool.keys.open(BLOCK.purpose, {
    sealed: new TextDecoder().decode(sealed),
    context: BLOCK.context,
  });
  if (plain === null) return null;
  const opened = secretBlock.parse(JSON.parse(plain));
  return opened.step === step && opened.expiresAt > pool.now() ? opened : null;
}

/** Uses a ticket or a block up. @returns false where it was used before */
export function consume(
  pool: PoolContext,
  { id, expiresAt }: Pick<ChallengeSession, "id" | "expiresAt">,
): Promise<boolean> {
  return consumeNonce(pool.db, { nonce: id, expiresAt, now: pool.now() });
}
