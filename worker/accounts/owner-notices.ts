import { toDriverOwner, type DriverRecord } from "../../db/queries/accounts/drivers.ts";
import type { Deps } from "../../durable/deps.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { formatMessage } from "../../locales/format-message.ts";

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
