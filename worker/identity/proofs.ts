import { fromBase64, isEqual, toBase64 } from "./bytes.ts";
import type { Pool } from "./context.ts";
import { faults } from "./faults.ts";
import { requireParameter, type Parameters } from "./requests.ts";
import { answerPublicNumber, makeProof, readPublicNumber, toInteger, type ReadyVerifier } from "./srp.ts";
import { openSecretBlock, sealSecretBlock, type SecretBlock, type Ticket } from "./tickets.ts";
import { readTimestamp } from "./timestamp.ts";

const CHANCE_BYTES = 32;

/** The parameters of a challenge that asks for a proof. */
export type ProofChallenge = { SALT: string; SECRET_BLOCK: string; SRP_B: string };

/** @throws {Fault} where `SRP_A` is absent, no number, or one that needs no password */
export function requirePublicNumber(parameters: Parameters): bigint {
  const number = readPublicNumber(requireParameter(parameters, "SRP_A"));
  if (number === null) throw faults.invalidParameter("SRP_A is not a valid public number.");
  return number;
}

/** Asks for a proof. The key that it must be made with goes along, sealed: nothing is stored. */
export async function askForProof(
  pool: Pool,
  { a, verifier, ticket }: { a: bigint; verifier: ReadyVerifier; ticket: Ticket },
): Promise<ProofChallenge> {
  for (;;) {
    const chance = toInteger(pool.randomBytes(CHANCE_BYTES));
    const answer = await answerPublicNumber(a, { teeth: verifier.teeth, chance });
    if (!answer) continue;
    return {
      SALT: verifier.salt.toString(16),
      SECRET_BLOCK: await sealSecretBlock(pool, { ...ticket, proofKey: toBase64(answer.key) }),
      SRP_B: answer.b.toString(16),
    };
  }
}

/**
 * Reads the answer to `askForProof`. Whether it is right is known only from `isProven`.
 * @throws {Fault} where a parameter is absent or malformed, or the proof is of another challenge or another time
 */
export async function readProof(
  pool: Pool,
  responses: Parameters,
  step: string,
): Promise<{ block: SecretBlock; isProven: (party: { pool: string; user: string }) => Promise<boolean> }> {
  const sealed = requireParameter(responses, "PASSWORD_CLAIM_SECRET_BLOCK");
  const timestamp = requireParameter(responses, "TIMESTAMP");
  const signature = fromBase64(requireParameter(responses, "PASSWORD_CLAIM_SIGNATURE"));
  const time = readTimestamp(timestamp);
  if (time.kind === "unreadable") throw faults.invalidTimestamp();
  const block = await openSecretBlock(pool, sealed, step);
  const bytes = fromBase64(sealed);
  const key = fromBase64(block?.proofKey ?? "");
  if (!block || !bytes || !key || !signature || time.kind === "other") throw faults.wrongPassword();
  if (Math.abs(time.at - pool.now()) > pool.limits.clockLeewayMs) throw faults.wrongPassword();
  return {
    block,
    isProven: async (party) =>
      isEqual(await makeProof(key, { ...party, block: bytes, timestamp }), signature),
  };
}
