import {
  claimNotice,
  deleteNotice,
  listUntoldNotices,
  releaseNotice,
  type AccountNotice,
} from "../../db/queries/accounts/account-notices.ts";
import { HOUR_MS, type DriverId } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { formatMessage } from "../../locales/format-message.ts";
import { makeUndoToken } from "../identity/accounts/undo.ts";

/** How long the text about a change is tried: a later one alarms more than it helps. */
const TRY_FOR_MS = HOUR_MS;

const TEXTS = {
  phone: "text_changed_phone",
  password: "text_changed_password",
  factors: "text_changed_factors",
  deleted: "text_account_deleted",
} as const;

/**
 * Texts the owner of an account each change of it that wasn't sent yet: to the number that it had before, with a link
 * that undoes it. The link's token is made here and kept as a hash; it stands in the fragment, which reaches no server.
 * @returns false if a text is left to be sent
 */
export async function notifyOfChanges(
  deps: Pick<Deps, "db" | "now" | "log" | "texts" | "config">,
  userId: DriverId,
): Promise<boolean> {
  const untold = await listUntoldNotices(deps.db, userId);
  const isTold = await Promise.all(untold.map((notice) => tellOfChange(deps, notice)));
  return isTold.every(Boolean);
}

async function tellOfChange(
  { db, now, log, texts, config }: Parameters<typeof notifyOfChanges>[0],
  { id, userId, kind, phoneNumber, language, changedAt }: AccountNotice,
): Promise<boolean> {
  const { token, tokenHash } = await makeUndoToken();
  if (!(await claimNotice(db, { id, now: now(), tokenHash }))) return true;
  const link = `${config.publicUrl}/${kind === "deleted" ? "contact" : `undo#${token}`}`;
  const body = formatMessage(language, TEXTS[kind], { product: config.productName, link });
  const result = await texts.sendNotice({ to: phoneNumber, body, account: userId });
  if (result.kind !== "sent") {
    // A ceiling stops it for now only; a number that is stopped, or in no country of ours, for good.
    const isForNow = result.kind === "failed" ? result.retryable : result.reason === "ceiling";
    if (isForNow && now() - changedAt < TRY_FOR_MS) {
      await releaseNotice(db, id);
      return false;
    }
    log("error", "account.notice.failed", { driverId: userId, kind, reason: result.reason });
  }
  if (kind === "deleted") await deleteNotice(db, id);
  return true;
}
