import type { Db } from "../../db/client.ts";
import { clearAlert, raiseAlert } from "../../db/queries/fleet/alerts.ts";
import {
  applyRefusal,
  closeUnsentText,
  forgetText,
  insertSentText,
  noteLearnedStop,
  type NewSentText,
} from "../../db/queries/texts/delivery.ts";
import { DAY_MS, type EpochMs } from "../../db/shapes/units.ts";
import { errorName } from "../runtime/describe-error.ts";
import type { Afterwards } from "../runtime/afterwards.ts";
import type { Log } from "../runtime/log.ts";
import { mayHaveArrived, type Sms, type SmsResult } from "../messaging/sms.ts";
import { areaOf } from "./phone-numbers.ts";
import { toPlainCharacters } from "./segments.ts";

/** Where the gateway reports what became of a text, with the text's id in the query. */
export const REPORT_PATH = "/webhooks/texts/status";
export const REPORT_ID = "text";

/** How long a gateway that failed is reported without another text that went through or failed. */
const GATEWAY_ALERT_MS = DAY_MS;
const GATEWAY_ALERT = "texts.gateway";

/** Sends texts that were admitted, and keeps what is learned of the gateway and of the number. Never throws. */
export type Delivery = {
  /** Stores a text, so that the gateway's report of it finds it. */
  prepare(text: {
    to: string;
    account: string | null;
    id?: string;
    about?: string | null;
  }): Promise<PreparedText>;
  /** A text that was stored with what it tells. */
  stored(text: { to: string; id: string }): Pick<PreparedText, "send">;
};

/** A text that is stored and not sent yet. */
export type PreparedText = {
  send(text: { body: string; onLeave?: () => void }): Promise<SmsResult>;
  /** It won't be sent. */
  cancel(): Promise<void>;
};

/**
 * @param deps.publicUrl where the gateway's reports arrive
 * @param deps.afterwards does what a request needn't wait for
 */
export function createDelivery({
  sms,
  db,
  now,
  log,
  publicUrl,
  afterwards = (work) => work(),
}: {
  sms: Sms;
  db: Db;
  now: () => EpochMs;
  log: Log;
  publicUrl: string;
  afterwards?: Afterwards | undefined;
}): Delivery {
  /** The id under which the gateway reports of a text; null if it can't be stored, and then nobody reports. */
  async function noteText(text: Omit<NewSentText, "sentAt">): Promise<string | null> {
    try {
      await insertSentText(db, { ...text, sentAt: now() });
      return text.id;
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

  async function learn(result: SmsResult, text: { id: string | null; to: string }): Promise<void> {
    try {
      await reportGateway(result);
      await noteRefusal(result, text);
    } catch (error) {
      log("warn", "texts.alert.failed", { error: errorName(error) });
    }
  }

  const sender = ({ to, id }: { to: string; id: string | null }): Pick<PreparedText, "send"> => ({
    async send({ body, onLeave }) {
      const result = await sms.sendText({
        to,
        body: toPlainCharacters(body),
        reportTo: id === null ? null : `${publicUrl}${REPORT_PATH}?${REPORT_ID}=${id}`,
        ...(onLeave && { onLeave }),
      });
      if (result.kind === "failed") log("warn", "texts.failed", { reason: result.reason, area: areaOf(to) });
      await afterwards(() => learn(result, { id, to }));
      return result;
    },
  });

  return {
    stored: sender,
    async prepare({ to, account, id: chosen = crypto.randomUUID(), about = null }) {
      const id = await noteText({ id: chosen, phoneNumber: to, account, about });
      return {
        ...sender({ to, id }),
        async cancel() {
          if (id !== null) await forgetText(db, id);
        },
      };
    },
  };
}
