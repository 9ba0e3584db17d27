import * as z from "zod";
import { burnNonce } from "../../db/queries/identity-limits.ts";
import { driverId } from "../../durable/engine/units.ts";
import type { KeyPurpose } from "../../durable/keys.ts";
import { toUuid, fromBase64, toBase64, utf8 } from "./bytes.ts";
import type { Pool } from "./context.ts";
import { faults } from "./faults.ts";

/** How far a sign-in has come. */
const progress = z.object({
  sub: driverId,
  /** A code by text is asked for after the password, or instead of it. */
  isCustom: z.boolean(),
  passed: z.array(z.enum(["custom", "device", "mfa"])),
  /** The device that the client says it is; null where it names none. */
  deviceKey: z.string().nullable(),
});
export type Progress = z.output<typeof progress>;

const ticket = progress.extend({ id: z.string(), step: z.string(), expiresAt: z.number() });

/** A challenge that was put: what `Session` holds, sealed. Used once. */
export type Ticket = z.output<typeof ticket>;

const secretBlock = ticket.extend({ proofKey: z.string() });

/** A proof that was asked for: what `SECRET_BLOCK` holds, sealed. Used once. `proofKey` is base64. */
export type SecretBlock = z.output<typeof secretBlock>;

const SESSION: { purpose: KeyPurpose; context: string } = {
  purpose: "refresh",
  context: "challenge session",
};
const BLOCK: { purpose: KeyPurpose; context: string } = { purpose: "verifier", context: "secret block" };

/** A new challenge of a sign-in. */
export function makeTicket(pool: Pool, step: string, progress: Progress): Ticket {
  const id = toUuid(pool.randomBytes(16));
  return { ...progress, id, step, expiresAt: pool.now() + pool.limits.challengeLifeMs };
}

/** What the client gets as `Session`. */
export function sealTicket(pool: Pool, ticket: Ticket): Promise<string> {
  return pool.keys.seal(SESSION.purpose, { plain: JSON.stringify(ticket), context: SESSION.context });
}

/**
 * Opens what a client sends as `Session`.
 * @throws {Fault} where it was not made here, is over, or belongs to another challenge
 */
export async function openTicket(
  pool: Pool,
  session: string | null | undefined,
  step: string,
): Promise<Ticket> {
  if (!session) throw faults.missingParameter("Session");
  const plain = await pool.keys.open(SESSION.purpose, { sealed: session, context: SESSION.context });
  if (plain === null) throw faults.invalidSession();
  const opened = ticket.parse(JSON.parse(plain));
  if (opened.step !== step) throw faults.invalidSession();
  if (opened.expiresAt <= pool.now()) throw faults.expiredSession();
  return opened;
}

/** What the client gets as `SECRET_BLOCK`, and signs as it is. */
export async function sealSecretBlock(pool: Pool, block: SecretBlock): Promise<string> {
  const sealed = await pool.keys.seal(BLOCK.purpose, {
    plain: JSON.stringify(block),
    context: BLOCK.context,
  });
  return toBase64(utf8(sealed));
}

/** Null where it was not made here, is over, or belongs to another challenge. */
export async function openSecretBlock(pool: Pool, base64: string, step: string): Promise<SecretBlock | null> {
  const sealed = fromBase64(base64);
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
export function burn(pool: Pool, { id, expiresAt }: Pick<Ticket, "id" | "expiresAt">): Promise<boolean> {
  return burnNonce(pool.db, { nonce: id, expiresAt, now: pool.now() });
}
