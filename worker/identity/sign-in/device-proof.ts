import { updatePoolDevice, findPoolDevice, type PoolDevice } from "../../../db/queries/identity-devices.ts";
import { findPoolUser } from "../../../db/queries/identity.ts";
import type { DriverId } from "../../../db/shapes/units.ts";
import { openVerifier } from "../accounts/accounts.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { nextStep, type SignInResponse } from "./next-step.ts";
import { createProofChallenge, parseProof, requirePublicNumber } from "./proofs.ts";
import { requireParameter, type ClientMetadata, type Parameters } from "../protocol/requests.ts";
import { consume, sealChallengeSession, type ChallengeSession } from "./challenge-sessions.ts";

const PROOF_STEP = "DEVICE_PASSWORD_VERIFIER";

/** A device that was confirmed, and so can prove itself. */
type ConfirmedDevice = PoolDevice & { password: string };

async function requireConfirmedDevice(
  pool: PoolContext,
  userId: DriverId,
  deviceKey: string,
): Promise<ConfirmedDevice> {
  const device = await findPoolDevice(pool.db, { userId, deviceKey });
  if (!device || device.password === null) throw cognitoErrors.unknownDevice();
  return { ...device, password: device.password };
}

/** Asks the device for a proof of its own password. The ticket is used up with the proof. */
export async function challengeDevice(
  pool: PoolContext,
  { responses, session }: { responses: Parameters; session: ChallengeSession },
): Promise<SignInResponse> {
  const deviceKey = requireParameter(responses, "DEVICE_KEY");
  const a = requirePublicNumber(responses);
  const device = await requireConfirmedDevice(pool, session.sub, deviceKey);
  const verifier = await openVerifier(pool, deviceKey, device.password);
  if (!verifier) throw cognitoErrors.unknownDevice();
  const next = { ...session, step: PROOF_STEP, deviceKey };
  const challenge = await createProofChallenge(pool, { a, verifier, ticket: next });
  return {
    ChallengeName: PROOF_STEP,
    ChallengeParameters: { ...challenge, DEVICE_KEY: deviceKey, USERNAME: session.sub },
    Session: await sealChallengeSession(pool, next),
  };
}

/** Checks the device's proof: as a password's, with the group key for the pool and the device key for the user. */
export async function verifyDeviceProof(
  pool: PoolContext,
  { responses, metadata }: { responses: Parameters; metadata: ClientMetadata },
): Promise<SignInResponse> {
  const deviceKey = requireParameter(responses, "DEVICE_KEY");
  const { block, isProven } = await parseProof(pool, responses, PROOF_STEP);
  const user = await findPoolUser(pool.db, block.sub);
  if (!user || block.deviceKey !== deviceKey) throw cognitoErrors.wrongPassword();
  const device = await requireConfirmedDevice(pool, user.id, deviceKey);
  if (!(await isProven({ pool: device.groupKey, user: deviceKey }))) throw cognitoErrors.wrongPassword();
  if (!user.enabled) throw cognitoErrors.disabled();
  if (!(await consume(pool, block))) throw cognitoErrors.wrongPassword();
  await updatePoolDevice(pool.db, deviceKey, { authenticatedAt: pool.now() });
  const { sub, isCustom, passed } = block;
  const progress = { sub, isCustom, passed: [...passed, "device" as const], deviceKey };
  return nextStep(pool, user, { progress, metadata });
}
