import {
  claimNotice,
  deleteNotice,
  listUntoldNotices,
  releaseNotice,
  type AccountNotice,
} from "../../db/queries/accounts/account-notices.ts";
import { listPasskeySessions } from "../../db/queries/identity/passkeys.ts";
import { forgetText } from "../../db/queries/texts/delivery.ts";
import { hasSettledPayments } from "../../db/queries/payments/payments.ts";
import { HOUR_MS, type DriverId } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { formatMessage } from "../../locales/format-message.ts";
import { makeOwnerLink } from "../payments/owner-link.ts";
import { makeUndoToken } from "../identity/accounts/undo.ts";
import { toDriverOwner, type DriverRecord } from "../../db/queries/accounts/drivers.ts";

/** How long the text about a change is tried: a later one alarms more than it helps. */
const TRY_FOR_MS = HOUR_MS;

const TEXTS = {
  phone: "text_changed_phone",
  password: "text_changed_password",
  recovery: "text_changed_password",
  passkeys: "text_changed_passkeys",
  factors: "text_changed_factors",
  deleted: "text_account_deleted",
} as const;

/**
 * Texts the owner of an account each change of it that wasn't sent yet: to the number that it had before, with a link
 * that undoes it. The link's token is made here and kept as a hash; it stands in the fragment, which reaches no server.
 * @returns false if a text is left to be sent
 */
export async function notifyOfChanges(
  deps: Pick<Deps, "db" | "now" | "log" | "texts" | "config" | "keys" | "objectsOf">,
  userId: DriverId,
): Promise<boolean> {
  const untold = await listUntoldNotices(deps.db, userId);
  const isTold = await Promise.all(untold.map((notice) => tellOfChange(deps, notice)));
  return isTold.every(Boolean);
}

async function tellOfChange(
  deps: Parameters<typeof notifyOfChanges>[0],
  { id, userId, kind, phoneNumber, language, changedAt }: AccountNotice,
): Promise<boolean> {
  const { db, now, log, texts, config, keys } = deps;
  const { token, tokenHash } = await makeUndoToken();
  if (!(await claimNotice(db, { id, now: now(), tokenHash }))) return true;
  if (kind === "recovery") await warnPasskeyDevices(deps, userId);
  const receipts = kind === "deleted" ? await receiptsToken({ db, keys }, userId) : null;
  const link = `${config.publicUrl}/${kind === "deleted" ? "contact" : `undo#${token}`}`;
  const body = formatMessage(language, receipts === null ? TEXTS[kind] : "text_account_deleted_receipts", {
    product: config.productName,
    link: receipts === null ? link : `${config.publicUrl}/receipts#${receipts}`,
  });
  const textId = crypto.randomUUID();
  const result = await texts.sendNotice({ to: phoneNumber, body, account: userId, id: textId });
  if (result.kind !== "sent") {
    // A ceiling stops it for now only; a number that is stopped, or in no country of ours, for good.
    const isForNow = result.kind === "failed" ? result.retryable : result.reason === "ceiling";
    if (isForNow && now() - changedAt < TRY_FOR_MS) {
      await releaseNotice(db, id);
      return false;
    }
    log("error", "account.notice.failed", { driverId: userId, kind, reason: result.reason });
  }
  if (kind !== "deleted") return true;
  await deleteNotice(db, id);
  // The driver may be erased by now.
  await forgetText(db, textId);
  return true;
}

/** The token of the link to the receipts of an account that was deleted; null where it never paid. */
async function receiptsToken(
  { db, keys }: Pick<Deps, "db" | "keys">,
  userId: DriverId,
): Promise<string | null> {
  return (await hasSettledPayments(db, userId)) ? makeOwnerLink(keys, "receipts", userId) : null;
}

/**
 * Pushes to the browsers that a passkey signed in that the password was set by a texted code: whoever has the number now
 * gets the text, but not these. Before the subscriptions end with their sessions.
 */
async function warnPasskeyDevices(
  { db, now, log, objectsOf }: Pick<Deps, "db" | "now" | "log" | "objectsOf">,
  userId: DriverId,
): Promise<void> {
  try {
    const sessions = await listPasskeySessions(db, userId, now());
    if (sessions.length === 0) return;
    for (const object of await objectsOf(userId)) await object.warnOfRecovery(sessions);
  } catch (error) {
    log("warn", "account.push.failed", { driverId: userId, ...describeError(error) });
  }
}

/** Acts of a session that its owner hears of. No link undoes them. */
type OwnerNotice = "text_push_added" | "text_calendar_added" | "text_unlinked" | "text_texts_off";

/** Texts the number that a driver signs in with, whichever number other texts go to. Never throws. */
export async function notifyOwner(
  { texts, config, log }: Pick<Deps, "texts" | "config" | "log">,
  record: DriverRecord,
  notice: OwnerNotice,
): Promise<void> {
  const { phoneNumber } = record.row;
  const { driverId, language } = toDriverOwner(record);
  const body = formatMessage(language, notice, { product: config.productName, url: config.publicUrl });
  try {
    const result = await texts.sendNotice({ to: phoneNumber, account: driverId, body });
    if (result.kind !== "sent")
      log("warn", "account.notice.failed", { driverId, kind: notice, reason: result.reason });
  } catch (error) {
    log("warn", "account.notice.failed", { driverId, kind: notice, ...describeError(error) });
  }
}
