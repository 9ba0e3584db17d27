import {
  loadAct,
  writeAct,
  type ActLimits,
  type ActRow,
  type NewAct,
} from "../../db/queries/operators/acts.ts";
import type { Config } from "../../durable/runtime/config.ts";
import type { ActEntry, Operator } from "../contract/console/operators.ts";
import type { CheckoutContext } from "../payments/checkout.ts";
import { ApiError } from "../http/errors/api-error.ts";

/** The context of an operator's act. */
export type ConsoleContext = CheckoutContext & { operator: Operator };

/** The request. The key is a new one for each act, and the same one when it is sent again. */
export type AskedAct = Pick<NewAct, "id" | "act" | "driverId" | "what" | "reason">;
/** How it changes things. */
type PlannedAct = Pick<NewAct, "before" | "after" | "worthCents">;
/** An act that stands in the log. `isNew`: this call wrote it. */
export type DoneAct = { act: ActRow; isNew: boolean };
type Effects = Omit<Parameters<typeof writeAct>[2], "limits">;

/** Each lost round was another's change to the driver, after which the act is planned anew. */
const MAX_ROUNDS = 5;

/**
 * Does an act, once per key: plans it by how things stand, and writes it with its effects unless they changed meanwhile.
 * @param plan throws where the act makes no sense as things stand
 * @throws {ApiError} `conflict` where the key was used for another act or others keep writing, `forbidden` where the act is
 *   worth more than support may move for a driver in a day, or this operator for all of them, or they looked at many numbers
 */
export async function performAct(
  { db, deps, operator }: ConsoleContext,
  asked: AskedAct,
  plan: () => Promise<PlannedAct & Effects>,
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
    const limits = limitsOf(deps.config, act);
    const outcome = await writeAct(db, act, { condition, effects, limits });
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
    if (outcome.isOverLimit) throw new ApiError("forbidden");
  }
  throw new ApiError("conflict");
}

/** Support's limits in a day, for one driver and for one operator. An act without a cost that shows no number has none. */
function limitsOf({ operators }: Config, { role, worthCents, act }: NewAct): ActLimits | null {
  if (role !== "support" || (worthCents === 0 && act !== "show_phone")) return null;
  return {
    driverCents: operators?.supportLimitCents ?? 0,
    operatorCents: operators?.supportSumCents ?? 0,
    looks: operators?.supportLooks ?? 0,
  };
}

/** The act that was written under this key, if it is this one. */
function sameAct(known: ActRow, operator: Operator, { act, driverId, what }: AskedAct): DoneAct {
  const isSame = known.operator === operator.name && known.act === act && known.driverId === driverId;
  if (!isSame || JSON.stringify(known.what) !== JSON.stringify(what)) throw new ApiError("conflict");
  return { act: known, isNew: false };
}

/** An act as the log shows it. */
export function toActEntry({ attempt: _attempt, worthCents: _worth, ...entry }: ActRow): ActEntry {
  return entry;
}
