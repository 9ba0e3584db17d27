import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import * as z from "zod";
import { countNotices } from "../../../db/queries/accounts/account-notices.ts";
import { addPasskey, listPasskeys, type Passkey } from "../../../db/queries/identity/passkeys.ts";
import { consumeNonce } from "../../../db/queries/identity/one-time-proofs.ts";
import { findPoolUser } from "../../../db/queries/identity/pool-users.ts";
import { HOUR_MS, type DriverId } from "../../../db/shapes/units.ts";
import { toUuid } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { announceChange } from "../tokens/sessions.ts";
import {
  creationOptions,
  makeChallenge,
  PASSKEY_CHALLENGE_MS,
  verifyNewCredential,
  type NewCredential,
} from "./webauthn.ts";

/** Passkeys of an account. */
export const MAX_PASSKEYS = 10;
/** Each addition and removal is told by a text. */
const MAX_CHANGES_PER_HOUR = 8;

/** The account and the session that ask. */
export type PasskeyCaller = { userId: DriverId; originJti: string };

const pending = z.object({ id: z.string(), sub: z.string(), challenge: z.string(), expiresAt: z.number() });
const CONTEXT = "new passkey";

/** The start of adding a passkey: what the browser needs, and what comes back with its answer. */
export type RegistrationOffer = { options: PublicKeyCredentialCreationOptionsJSON; ticket: string };

/** Starts adding a passkey. @returns `full` if the account has as many as it may */
export async function offerPasskey(
  pool: PoolContext,
  { userId }: PasskeyCaller,
  name: string | null,
): Promise<RegistrationOffer | "full" | "gone"> {
  const [user, passkeys] = await Promise.all([findPoolUser(pool.db, userId), listPasskeys(pool.db, userId)]);
  if (!user) return "gone";
  if (passkeys.length >= MAX_PASSKEYS) return "full";
  const challenge = makeChallenge(pool);
  const plain: z.output<typeof pending> = {
    id: toUuid(pool.randomBytes(16)),
    sub: userId,
    challenge,
    expiresAt: pool.now() + PASSKEY_CHALLENGE_MS,
  };
  const ticket = await pool.keys.seal("refresh", { plain: JSON.stringify(plain), context: CONTEXT });
  const owner = { id: userId, phoneNumber: user.phoneNumber, name: name ?? user.attributes["name"] ?? null };
  return { options: creationOptions(pool, challenge, { ...owner, passkeys }), ticket };
}

/**
 * Adds the passkey that a browser made.
 * @returns `refused` if it isn't one for this offer, account and deployment, or if the offer is used or too old; `full`;
 * `busy` if passkeys changed too often within the hour
 */
export async function acceptPasskey(
  pool: PoolContext,
  { userId, originJti }: PasskeyCaller,
  { ticket, credential, name }: { ticket: string; credential: NewCredential; name: string },
): Promise<Passkey | "refused" | "full" | "busy"> {
  const { db } = pool;
  const now = pool.now();
  const plain = await pool.keys.open("refresh", { sealed: ticket, context: CONTEXT });
  const offer = plain === null ? null : pending.parse(JSON.parse(plain));
  if (!offer || offer.sub !== userId || offer.expiresAt <= now) return "refused";
  if (!(await consumeNonce(db, { nonce: offer.id, expiresAt: offer.expiresAt, now }))) return "refused";
  const verified = await verifyNewCredential(pool, offer.challenge, credential);
  const user = await findPoolUser(db, userId);
  if (!verified || !user) return "refused";
  if (await isBusy(pool, userId)) return "busy";
  const passkey: Passkey = {
    ...verified,
    id: toUuid(pool.randomBytes(16)),
    userId,
    name,
    createdAt: now,
    lastUsedAt: null,
    removedAt: null,
  };
  if (!(await addPasskey(db, passkey, { user, originJti, now, limit: MAX_PASSKEYS })))
    return (await listPasskeys(db, userId)).length >= MAX_PASSKEYS ? "full" : "refused";
  await announceChange(pool, userId);
  return passkey;
}

/** Whether an account's passkeys changed so often that another text would be one too many. */
export async function isBusy(pool: PoolContext, userId: DriverId): Promise<boolean> {
  const recent = { userId, kind: "passkeys", since: pool.now() - HOUR_MS } as const;
  const { changes } = await countNotices(pool.db, recent);
  return changes >= MAX_CHANGES_PER_HOUR;
}
