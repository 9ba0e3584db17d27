import {
  ACCESS_ACTS,
  loadAct,
  writeAct,
  type ActLimits,
  type ActRow,
  type NewAct,
} from "../../db/queries/operators/acts.ts";
import { approvedBatch } from "../../db/queries/operators/approvals.ts";
import type { Config } from "../../durable/runtime/config.ts";
import type { ActFacts, ActKind } from "../../db/shapes/operators.ts";
import type { ActEntry, Operator } from "../contract/console/operators.ts";
import type { CheckoutContext } from "../payments/checkout.ts";
import { ApiError } from "../http/errors/api-error.ts";
import type { DriverAct } from "../contract/console/operator-acts.ts";
import type { DriverId } from "../../db/shapes/units.ts";

/** The context of an operator's act. */
export type ConsoleContext = CheckoutContext & { operator: Operator };

/** The request. The key is a new one for each act, and the same one when it is sent again. */
export type AskedAct = Pick<NewAct, "id" | "act" | "driverId" | "what" | "reason">;
/** How it changes things. */
type PlannedAct = Pick<NewAct, "before" | "after" | "worthCents">;
/** An act that stands in the log. `isNew`: this call wrote it. */
export type DoneAct = { act: ActRow; isNew: boolean };
/** An owner's yes to an act that another operator asked for, and why they gave it. */
export type Approval = { id: string; by: string; reason: string };

/** The act is worth more than support may move in a day: an owner may say yes to it. */
export class OverLimitError extends ApiError {
  readonly act: Pick<NewAct, "act" | "worthCents">;

  constructor(act: NewAct) {
    super("forbidden");
    this.act = act;
  }
}

type Effects = Omit<Parameters<typeof writeAct>[2], "limits">;

/** Each lost round was another's change to the driver, after which the act is planned anew. */
const MAX_ROUNDS = 5;

/**
 * Does an act, once per key: plans it by how things stand, and writes it with its effects unless they changed meanwhile.
 * @param plan throws where the act makes no sense as things stand
 * @param approval an owner's yes, which ends with the act: no limit holds, and nobody can say it again
 * @throws {ApiError} `conflict` where the key was used for another act or others keep writing, `forbidden` where the act is
 *   worth more than support may move for a driver in a day, or this operator for all of them, or they did as often as a day
 *   allows
 */
export async function performAct(
  { db, deps, operator }: ConsoleContext,
  asked: AskedAct,
  plan: () => Promise<PlannedAct & Effects>,
  approval: Approval | null = null,
): Promise<DoneAct> {
  // Sent again, it answers as it did, however things stand by now.
  const known = await loadAct(db, asked.id);
  if (known) return sameAct(known, operator, asked);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { condition, effects, ...planned } = await plan();
    const act: NewAct = {
      ...asked,
      ...planned,
      operator: operator.name,
      role: operator.role,
      at: deps.now(),
    };
    const outcome = await writeAct(db, act, {
      ...(approval
        ? approvedBatch(db, { id: approval.id, by: approval.by, now: deps.now() }, { condition, effects })
        : { condition, effects }),
      limits: approval ? null : limitsOf(deps.config, act),
    });
    if (outcome.status === "done") {
      deps.log("info", "operator.act", {
        act: act.act,
        actId: act.id,
        driverId: act.driverId,
        role: act.role,
      });
      return { act: outcome.act, isNew: true };
    }
    if (outcome.status === "repeated") return sameAct(outcome.act, operator, asked);
    if (outcome.isOverLimit) throw new OverLimitError(act);
  }
  throw new ApiError("conflict");
}

/** Acts of support that cost nothing, and are counted. */
const COUNTED: ReadonlySet<ActKind> = new Set(["show_phone", "change_number", ...ACCESS_ACTS]);

/**
 * The limits of a day: support's, for one driver and for one operator, and anybody's of exports. An act of support without a
 * cost has none, unless it is counted.
 */
function limitsOf({ operators }: Config, { role, worthCents, act }: NewAct): ActLimits | null {
  const isFree = role !== "support" || (worthCents === 0 && !COUNTED.has(act));
  if (isFree && act !== "export") return null;
  return {
    driverCents: operators?.supportLimitCents ?? 0,
    operatorCents: operators?.supportSumCents ?? 0,
    looks: operators?.supportLooks ?? 0,
    exports: operators?.exportsPerDay ?? 0,
    numbers: operators?.supportNumbers ?? 0,
    access: operators?.supportAccess ?? 0,
  };
}

/** The act that was written under this key, if it is this one. */
function sameAct(known: ActRow, operator: Operator, { act, driverId, what }: AskedAct): DoneAct {
  const isSame = known.operator === operator.name && known.act === act && known.driverId === driverId;
  // The line of an approved act also names who approved it, and why.
  const { approvedBy: _by, approvedFor: _why, ...stored } = known.what;
  const { approvedBy: _asked, approvedFor: _for, ...given } = what;
  if (!isSame || JSON.stringify(stored) !== JSON.stringify(given)) throw new ApiError("conflict");
  return { act: known, isNew: false };
}

/** An act as the log shows it. */
export function toActEntry({ attempt: _attempt, worthCents: _worth, ...entry }: ActRow): ActEntry {
  return entry;
}

/** The log's facts about an act on a driver. Of a phone number it has the end. */
export function factsOf(input: DriverAct): ActFacts {
  if (input.act === "change_number")
    return { end: input.phoneNumber.slice(-4), checks: input.checks.join(", ") };
  const { act: _act, reason: _reason, ...what } = input;
  return what;
}

/** Plans an act by how things stand now. */
export type ActPlan = Parameters<typeof performAct>[2];

/** A driver, and the act's key, which its effects are named by. */
export type Target = { context: ConsoleContext; driverId: DriverId; id: string };
