import { loadAct } from "../../db/queries/operators/acts.ts";
import { toDriverOwner } from "../../db/queries/accounts/drivers.ts";
import { MINUTE_MS, type DriverId, type EpochMs } from "../../db/shapes/units.ts";
import type { ResentText } from "../../db/shapes/text-delivery.ts";
import { formatMessage } from "../../locales/format-message.ts";
import { followAccountSoon } from "../accounts/account-changes.ts";
import type { ActResponse, DecisionInput } from "../contract/console/operators.ts";
import type { DriverAct } from "../contract/console/operator-acts.ts";
import { deliverNews } from "../texts/driver-news.ts";
import { ApiError } from "../http/errors/api-error.ts";
import {
  factsOf,
  OverLimitError,
  performAct,
  toActEntry,
  type Approval,
  type ConsoleContext,
} from "./acts.ts";
import { loadFailedTextNumber, loadRecord, planOf } from "./act-plans.ts";
import { askForApproval, declineRequest, loadOpenRequest, NEEDS_TWO } from "./requests.ts";
import { abandonCharge } from "./support-plans.ts";
import { carryOut } from "./orders.ts";

/** A number is shown again under its key for as long as an answer may be lost: the log has a line of each later look. */
const SHOWN_FOR_MS = 10 * MINUTE_MS;

/** Acts above whose limits no request goes to an owner: it would keep the whole number. An owner does them. */
const UNASKED: ReadonlySet<string> = new Set<DriverAct["act"]>(["show_phone", "change_number"]);

/**
 * Does what an operator asked to a driver, once per key, and what follows from it.
 * @param id the act's idempotency key
 * @throws {ApiError} where the act makes no sense as things stand, or is more than the operator may do
 */
export async function actOnDriver(
  context: ConsoleContext,
  { driverId, id }: { driverId: DriverId; id: string },
  input: DriverAct,
): Promise<ActResponse> {
  const target = { driverId, id };
  // Sent again after the yes, it answers as it was done.
  if (NEEDS_TWO.has(input.act) && !(await loadAct(context.db, id)))
    return askForApproval(context, target, { input, worthCents: 0 });
  try {
    return await perform(context, target, input);
  } catch (error) {
    if (!(error instanceof OverLimitError) || UNASKED.has(error.act.act)) throw error;
    return askForApproval(context, target, { input, worthCents: error.act.worthCents });
  }
}

async function perform(
  context: ConsoleContext,
  { driverId, id }: { driverId: DriverId; id: string },
  input: DriverAct,
  approval: Approval | null = null,
): Promise<ActResponse> {
  const { act, reason } = input;
  const what = {
    ...factsOf(input),
    ...(approval && { approvedBy: approval.by, approvedFor: approval.reason }),
  };
  const plan = planOf({ context, driverId, id }, input);
  const done = await performAct(context, { id, act, driverId, what, reason }, plan, approval);
  return {
    act: toActEntry(done.act),
    ...(await followUp(context, { driverId, id, isNew: done.isNew, at: done.act.at }, input)),
  };
}

/**
 * Decides a request: does what it asks for, once, under its own key and as things stand now, or ends it.
 * @throws {ApiError} `forbidden` for one's own, `conflict` where it is decided, has ended, or makes no sense any more
 */
export async function decideRequest(
  context: ConsoleContext,
  id: string,
  decision: DecisionInput,
): Promise<ActResponse> {
  const request = await loadOpenRequest(context, id);
  if (!decision.approve) return declineRequest(context, request, decision);
  const { driverId, operator: name, role } = request.approval;
  return perform({ ...context, operator: { name, role } }, { driverId, id }, request.input, {
    id,
    by: context.operator.name,
    reason: decision.reason,
  });
}

/**
 * The follow-up of an act, once it is written. Following one again changes nothing, but for a text, which can't be taken
 * back.
 */
async function followUp(
  context: ConsoleContext,
  { driverId, id, isNew, at }: { driverId: DriverId; id: string; isNew: boolean; at: EpochMs },
  input: DriverAct,
): Promise<Omit<ActResponse, "act">> {
  switch (input.act) {
    case "days":
      await deliverNews(context.deps, driverId);
      return { status: "done" };
    case "refund":
    case "unlink":
    case "erase": {
      const outcome = await carryOut(context, id);
      if (outcome === "failed") throw new ApiError("conflict");
      return { status: outcome };
    }
    case "end_renewal":
      await abandonCharge(context, driverId);
      return { status: "done" };
    case "sign_out":
    case "disable":
    case "enable":
    case "change_number":
      await followAccountSoon(context, driverId);
      return { status: "done" };
    case "test_text":
      if (isNew) await sendTestText(context, driverId);
      return { status: "done" };
    case "resend_text":
      if (isNew) await resendText(context, driverId, input.textId);
      return { status: "done" };
    case "show_phone": {
      if (context.deps.now() - at > SHOWN_FOR_MS) throw new ApiError("conflict");
      const { phoneNumber, preferredPhoneNumber } = (await loadRecord(context, driverId)).row;
      return { status: "done", phones: { phoneNumber, preferredPhoneNumber } };
    }
    case "points":
    case "special_price":
    case "end_price":
    case "check_payment":
    case "unlock":
    case "export_data":
      return { status: "done" };
  }
}

async function sendTestText(context: ConsoleContext, driverId: DriverId): Promise<void> {
  const { texts, config } = context.deps;
  const { phoneNumber, language } = toDriverOwner(await loadRecord(context, driverId));
  const body = formatMessage(language, "text_test", { product: config.productName });
  requireSent(await texts.sendTest({ to: phoneNumber, body, account: driverId }));
}

/** The driver's object knows what it was about, and makes its words anew. */
async function resendText(context: ConsoleContext, driverId: DriverId, textId: string): Promise<void> {
  const to = await loadFailedTextNumber(context, { driverId, textId });
  const driver = context.deps.driver(driverId);
  requireSent(await driver.resendText({ id: textId, to }));
}

/** @throws {ApiError} where it was not sent */
function requireSent(result: ResentText): void {
  switch (result) {
    case "sent":
      return;
    case "stopped":
      throw new ApiError("texts_stopped");
    case "limit":
      throw new ApiError("rate_limited");
    case "failed":
    case "not_kept":
    case "over":
      throw new ApiError("text_not_sent");
  }
}
