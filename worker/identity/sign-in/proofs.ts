import type { EpochMs } from "../../../db/shapes/units.ts";
import { toBase64 } from "../../../durable/runtime/base64.ts";
import { decodeBase64, isEqual } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { requireParameter, type Parameters } from "../protocol/requests.ts";
import {
  computeServerStep,
  makeProof,
  parsePublicNumber,
  toInteger,
  type PrecomputedVerifier,
} from "../protocol/srp.ts";
import {
  openSecretBlock,
  sealSecretBlock,
  type ChallengeSession,
  type SecretBlock,
} from "./challenge-sessions.ts";

const RANDOM_BYTES = 32;
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const TIMESTAMP = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{1,2}) (\d{2}):(\d{2}):(\d{2}) UTC (\d{4})$/;

/** The parameters of a PASSWORD_VERIFIER challenge. */
export type ProofChallenge = { SALT: string; SECRET_BLOCK: string; SRP_B: string };

/** @throws {CognitoError} if `SRP_A` is missing or isn't a valid public value */
export function requirePublicNumber(parameters: Parameters): bigint {
  const number = parsePublicNumber(requireParameter(parameters, "SRP_A"));
  if (number === null) throw cognitoErrors.invalidParameter("SRP_A is not a valid public number.");
  return number;
}

/** Creates the challenge for an SRP proof. The expected key travels inside it, encrypted, so nothing is stored. */
export async function createProofChallenge(
  pool: PoolContext,
  { a, verifier, session }: { a: bigint; verifier: PrecomputedVerifier; session: ChallengeSession },
): Promise<ProofChallenge> {
  for (;;) {
    const random = toInteger(pool.randomBytes(RANDOM_BYTES));
    const serverStep = await computeServerStep(a, { combPowers: verifier.combPowers, random });
    if (!serverStep) continue;
    return {
      SALT: verifier.salt.toString(16),
      SECRET_BLOCK: await sealSecretBlock(pool, { ...session, proofKey: toBase64(serverStep.key) }),
      SRP_B: serverStep.b.toString(16),
    };
  }
}

/**
 * Parses the response to `createProofChallenge`. Only `isProven` tells whether the signature is right. The challenge says how
 * old it is, by our clock: a timestamp of the client's is signed along, and its clock may be wrong.
 * @throws {CognitoError} if a parameter is missing or malformed, or the challenge expired
 */
export async function parseProof(
  pool: PoolContext,
  responses: Parameters,
): Promise<{ block: SecretBlock; isProven: (login: { pool: string; user: string }) => Promise<boolean> }> {
  const sealed = requireParameter(responses, "PASSWORD_CLAIM_SECRET_BLOCK");
  const timestamp = requireParameter(responses, "TIMESTAMP");
  const signature = decodeBase64(requireParameter(responses, "PASSWORD_CLAIM_SIGNATURE"));
  const time = parseTimestamp(timestamp);
  if (time.kind === "unreadable") throw cognitoErrors.invalidTimestamp();
  const block = await openSecretBlock(pool, sealed);
  const bytes = decodeBase64(sealed);
  const key = decodeBase64(block?.proofKey ?? "");
  if (!block || !bytes || !key || !signature || time.kind === "other") throw cognitoErrors.wrongPassword();
  return {
    block,
    isProven: async (login) =>
      isEqual(await makeProof(key, { ...login, block: bytes, timestamp }), signature),
  };
}

/** Formats an instant as clients sign it: `Sat Nov 7 01:02:03 UTC 2026`, the day without a leading zero. */
export function formatTimestamp(at: EpochMs): string {
  const date = new Date(at);
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()} ${time} UTC ${date.getUTCFullYear()}`;
}

/**
 * Parses a signed timestamp. `other` means readable, but not the way `formatTimestamp` writes it (a padded day, a wrong
 * weekday): Cognito computes the signature over its own formatting, so such a proof fails there too.
 */
export function parseTimestamp(
  text: string,
): { kind: "at"; at: EpochMs } | { kind: "other" } | { kind: "unreadable" } {
  const [, month, day, hours, minutes, seconds, year] = TIMESTAMP.exec(text) ?? [];
  const monthIndex = MONTHS.indexOf(month ?? "");
  if (monthIndex < 0) return { kind: "unreadable" };
  const at = Date.UTC(Number(year), monthIndex, Number(day), Number(hours), Number(minutes), Number(seconds));
  return formatTimestamp(at) === text ? { kind: "at", at } : { kind: "other" };
}
