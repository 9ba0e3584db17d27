import { changePoolDevice, findPoolDevice, type PoolDevice } from "../../db/queries/identity-devices.ts";
import { findPoolUser } from "../../db/queries/identity.ts";
import type { DriverId } from "../../durable/engine/units.ts";
import { openVerifier } from "./accounts.ts";
import type { Pool } from "./context.ts";
import { faults } from "./faults.ts";
import { nextStep, type SignInAnswer } from "./next-step.ts";
import { askForProof, readProof, requirePublicNumber } from "./proofs.ts";
import { requireParameter, type ClientMetadata, type Parameters } from "./requests.ts";
import { burn, sealTicket, type Ticket } from "./tickets.ts";

const PROOF_STEP = "DEVICE_PASSWORD_VERIFIER";

/** A device that was confirmed, and so can prove itself. */
type Confirmed = PoolDevice & { password: string };

async function requireConfirmedDevice(pool: Pool, userId: DriverId, deviceKey: string): Promise<Confirmed> {
  const device = await findPoolDevice(pool.db, { userId, deviceKey });
  if (!device || device.password === null) throw faults.unknownDevice();
  return { ...device, password: device.password };
}

/** Asks the device for a proof of its own password. The ticket is used up with the proof. */
export async function askDeviceForProof(
  pool: Pool,
  { responses, ticket }: { responses: Parameters; ticket: Ticket },
): Promise<SignInAnswer> {
  const deviceKey = requireParameter(responses, "DEVICE_KEY");
  const a = requirePublicNumber(responses);
  const device = await requireConfirmedDevice(pool, ticket.sub, deviceKey);
  const verifier = await openVerifier(pool, deviceKey, device.password);
  if (!verifier) throw faults.unknownDevice();
  const next = { ...ticket, step: PROOF_STEP, deviceKey };
  const challenge = await askForProof(pool, { a, verifier, ticket: next });
  return {
    ChallengeName: PROOF_STEP,
    ChallengeParameters: { ...challenge, DEVICE_KEY: deviceKey, USERNAME: ticket.sub },
    Session: await sealTicket(pool, next),
  };
}

/** Checks the device's proof: as a password's, with the group key for the pool and the device key for the user. */
export async function answerDeviceProof(
  pool: Pool,
  { responses, metadata }: { responses: Parameters; metadata: ClientMetadata },
): Promise<SignInAnswer> {
  const deviceKey = requireParameter(responses, "DEVICE_KEY");
  const { block, isProven } = await readProof(pool, responses, PROOF_STEP);
  const user = await findPoolUser(pool.db, block.sub);
  if (!user || block.deviceKey !== deviceKey) throw faults.wrongPassword();
  const device = await requireConfirmedDevice(pool, user.id, deviceKey);
  if (!(await isProven({ pool: device.groupKey, user: deviceKey }))) throw faults.wrongPassword();
  if (!user.enabled) throw faults.disabled();
  if (!(await burn(pool, block))) throw faults.wrongPassword();
  await changePoolDevice(pool.db, deviceKey, { authenticatedAt: pool.now() });
  const { sub, isCustom, passed } = block;
  const progress = { sub, isCustom, passed: [...passed, "device" as const], deviceKey };
  return nextStep(pool, user, { progress, metadata });
}
