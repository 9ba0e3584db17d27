import { decodeBase64, isEqual, encodeBase64 } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { requireParameter, type Parameters } from "../protocol/requests.ts";
import {
  computeServerStep,
  makeProof,
  parsePublicNumber,
  toInteger,
  type PrecomputedVerifier,
} from "./srp.ts";
import {
  openSecretBlock,
  sealSecretBlock,
  type SecretBlock,
  type ChallengeSession,
} from "./challenge-sessions.ts";
import { parseTimestamp } from "../protocol/timestamp.ts";

const RANDOM_BYTES = 32;

/** The parameters of a challenge that asks for a proof. */
export type ProofChallenge = { SALT: string; SECRET_BLOCK: string; SRP_B: string };

/** @throws {Fault} where `SRP_A` is absent, no number, or one that needs no password */
export function requirePublicNumber(parameters: Parameters): bigint {
  const number = parsePublicNumber(requireParameter(parameters, "SRP_A"));
  if (number === null) throw cognitoErrors.invalidParameter("SRP_A is not a valid public number.");
  return number;
}

/** Asks for a proof. The key that it must be made with goes along, sealed: nothing is stored. */
export async function createProofChallenge(
  pool: PoolContext,
  { a, verifier, ticket: session }: { a: bigint; verifier: PrecomputedVerifier; ticket: ChallengeSession },
): Promise<ProofChallenge> {
  for (;;) {
    const random = toInteger(pool.randomBytes(RANDOM_BYTES));
    const serverStep = await computeServerStep(a, { teeth: verifier.combPowers, chance: random });
    if (!serverStep) continue;
    return {
      SALT: verifier.salt.toString(16),
      SECRET_BLOCK: await sealSecretBlock(pool, { ...session, proofKey: encodeBase64(serverStep.key) }),
      SRP_B: serverStep.b.toString(16),
    };
  }
}

/**
 * Reads the answer to `askForProof`. Whether it is right is known only from `isProven`.
 * @throws {Fault} where a parameter is absent or malformed, or the proof is of another challenge or another time
 */
export async function parseProof(
  pool: PoolContext,
  responses: Parameters,
  step: string,
): Promise<{ block: SecretBlock; isProven: (party: { pool: string; user: string }) => Promise<boolean> }> {
  const sealed = requireParameter(responses, "PASSWORD_CLAIM_SECRET_BLOCK");
  const timestamp = requireParameter(responses, "TIMESTAMP");
  const signature = decodeBase64(requireParameter(responses, "PASSWORD_CLAIM_SIGNATURE"));
  const time = parseTimestamp(timestamp);
  if (time.kind === "unreadable") throw cognitoErrors.invalidTimestamp();
  const block = await openSecretBlock(pool, sealed, step);
  const bytes = decodeBase64(sealed);
  const key = decodeBase64(block?.proofKey ?? "");
  if (!block || !bytes || !key || !signature || time.kind === "other") throw cognitoErrors.wrongPassword();
  if (Math.abs(time.at - pool.now()) > pool.limits.clockLeewayMs) throw cognitoErrors.wrongPassword();
  return {
    block,
    isProven: async (party) =>
      isEqual(await makeProof(key, { ...party, block: bytes, timestamp }), signature),
  };
}
