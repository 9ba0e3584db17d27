import { findUndoableNotice, type AccountNotice } from "../../../db/queries/accounts/account-notices.ts";
import { undoAccountChange } from "../../../db/queries/accounts/undo-change.ts";
import { sha256Hex } from "../../../db/shapes/sha256-hex.ts";
import { toBase64Url } from "../../../durable/runtime/base64.ts";
import type { PoolContext } from "../pool-context.ts";
import { announceChange } from "../tokens/sessions.ts";

const TOKEN_BYTES = 16;

/** A new token for a link that undoes a change, and the hash that we keep. */
export async function makeUndoToken(): Promise<{ token: string; tokenHash: string }> {
  const token = toBase64Url(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
  return { token, tokenHash: await hashToken(token) };
}

/** A plain hash is enough: nobody guesses 128 random bits. */
async function hashToken(token: string): Promise<string> {
  return sha256Hex(`undo ${token}`);
}

/** The change that a token undoes; null if it is forged, used or expired. */
export async function findUndo(pool: PoolContext, token: string): Promise<AccountNotice | null> {
  return findUndoableNotice(pool.db, await hashToken(token), pool.now());
}

/** Undoes a change. @param keep the session that stays, if any @returns like `undoAccountChange` */
export async function undo(
  pool: PoolContext,
  notice: AccountNotice,
  keep: string | null = null,
): Promise<"undone" | "gone" | "taken"> {
  const result = await undoAccountChange(pool.db, notice, pool.now(), keep);
  if (result === "undone")
    pool.log("warn", "identity.change.undone", { driverId: notice.userId, kind: notice.kind });
  await announceChange(pool, notice.userId);
  return result;
}
