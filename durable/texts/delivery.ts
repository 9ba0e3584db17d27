import type { Db } from "../../db/client.ts";
import { clearAlert, raiseAlert } from "../../db/queries/fleet/alerts.ts";
import {
  applyRefusal,
  closeUnsentText,
  insertSentText,
  noteLearnedStop,
} from "../../db/queries/texts/delivery.ts";
import { DAY_MS, type EpochMs } from "../../db/shapes/units.ts";
import { errorName } from "../runtime/describe-error.ts";
import type { Log } from "../runtime/log.ts";
import { mayHaveArrived, type Sms, type SmsResult } from "../sms/sms.ts";
import { areaOf } from "./phone-numbers.ts";
import { toPlainCharacters } from "./segments.ts";

/** Where the gateway reports what became of a text, with the text's id in the query. */
export const REPORT_PATH = "/webhooks/texts/status";
export const REPORT_ID = "text";

/** How long a gateway that failed is reported without another text that went through or failed. */
const GATEWAY_ALERT_MS = DAY_MS;
const GATEWAY_ALERT = "texts.gateway";

/** Sends a text that was admitted, and keeps what is learned of the gateway and of the number. Never throws. */
export type Delivery = (text: {
  to: string;
  body: string;
  account: string | null;
  id?: string;
  onLeave?: () => void;
}) => Promise<SmsResult>;

/** @param deps.publicUrl where the gateway's reports arrive */
export function createDelivery({
  sms,
  db,
  now,
  log,
  publicUrl,
}: {
  sms: Sms;
  db: Db;
  now: () => EpochMs;
  log: Log;
  publicUrl: string;
}): Delivery {
  /** The id under which the gateway reports of a text; null if it can't be stored, and then nobody reports. */
  async function noteText(id: string, to: string, account: string | null): Promise<string | null> {
    try {
      await insertSentText(db, { id, phoneNumber: to, account, sentAt: now() });
      return id;
    } catch (error) {
      log("warn", "texts.note.failed", { error: errorName(error) });
      return null;
    }
  }

  /** A gateway that refuses one number is well. */
  async function reportGateway(result: SmsResult): Promise<void> {
    if (result.kind === "sent") {
      if (await clearAlert(db, GATEWAY_ALERT)) log("info", "texts.gateway.recovered");
      return;
    }
    const { reason } = result;
    if (reason === "number" || reason === "stopped") return;
    const at = now();
    const alert = { name: GATEWAY_ALERT, reason, since: at, until: at + GATEWAY_ALERT_MS };
    if (await raiseAlert(db, alert)) log("error", "texts.gateway.failed", { reason });
  }

  /** The meaning of the gateway's refusal for the number, and that the text was not sent. */
  async function noteRefusal(
    result: SmsResult,
    { id, to }: { id: string | null; to: string },
  ): Promise<void> {
    if (result.kind !== "failed" || id === null || mayHaveArrived(result.reason)) return;
    const at = now();
    // It knows of a STOP that never reached us.
    if (result.reason === "stopped") await noteLearnedStop(db, { textId: id, phoneNumber: to, at });
    else if (result.reason === "number")
      await applyRefusal(db, { id, phoneNumber: to, problem: result.problem, now: at });
    else await closeUnsentText(db, id, at);
  }

  return async ({ to, body, account, id: chosen = crypto.randomUUID(), onLeave }) => {
    const id = await noteText(chosen, to, account);
    const result = await sms.sendText({
      to,
      body: toPlainCharacters(body),
      reportTo: id === null ? null : `${publicUrl}${REPORT_PATH}?${REPORT_ID}=${id}`,
      ...(onLeave && { onLeave }),
    });
    if (result.kind === "failed") log("warn", "texts.failed", { reason: result.reason, area: areaOf(to) });
    try {
      await reportGateway(result);
      await noteRefusal(result, { id, to });
    } catch (error) {
      log("warn", "texts.alert.failed", { error: errorName(error) });
    }
    return result;
  };
}
