import { loadInvitedNumber } from "../../db/queries/rewards/invitations.ts";
import {
  loadPointsLedger,
  loadRedemption,
  redeemService,
  redeemTrial,
  type PointEntryRow,
  type RedemptionRow,
} from "../../db/queries/rewards/rewards.ts";
import {
  POINTS_COST,
  REWARDS,
  reward,
  type PointEntry,
  type PointEntryKind,
} from "../../db/shapes/money/rewards.ts";
import type { ErrorCode } from "../contract/error-response.ts";
import type { RedeemInput, RewardsResponse } from "../contract/money/rewards.ts";
import type { DriverRecord } from "../../db/queries/accounts/drivers.ts";
import type { CheckoutContext } from "../payments/checkout.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import { checkNumber, textInvitation, toFullNumber, type InviteContext } from "./invite.ts";

const CATALOGUE = REWARDS.map((reward) => ({ reward, points: POINTS_COST[reward] })).toSorted(
  (one, other) => one.points - other.points,
);

/** A driver's points, where they come from, and what they buy. */
export async function listRewards(
  { db }: Pick<CheckoutContext, "db">,
  driverId: DriverId,
): Promise<RewardsResponse> {
  const { points, entries, redemptions } = await loadPointsLedger(db, driverId);
  return {
    points: Math.max(0, points),
    rewards: CATALOGUE,
    entries: describePointEntries(entries, redemptions),
  };
}

/** `record` and `points`: the driver's, if the reward was days of service. */
type Redeemed =
  | { ok: true; isTexted: boolean; record?: DriverRecord | null; points?: number }
  | { ok: false; code: ErrorCode; retryAt?: number };

/** Redeems a reward. A key that was used before answers as it did then, and does nothing again. */
export async function redeemReward(context: InviteContext, input: RedeemInput): Promise<Redeemed> {
  const { deps, record } = context;
  const driverId = record.row.id;
  const redemption = { id: `${driverId}:${input.idempotencyKey}`, driverId, now: deps.now() };
  if (input.reward === "friend_invitation") {
    const phoneNumber = toFullNumber(input.phoneNumber);
    const known = await loadRedemption(deps.db, redemption.id);
    if (known) return redeemedBefore(context, known, phoneNumber);
    return redeemForFriend(context, { ...redemption, phoneNumber });
  }
  const redeemed = await redeemService(context.db, { ...redemption, plan: input.reward });
  const { known, points } = redeemed;
  if (known && known.reward !== input.reward) return conflict();
  if (known) return { ok: true, isTexted: false, record: redeemed.record, points };
  return { ok: false, code: record.row.waitingForSpot ? "waiting_for_spot" : "points_short" };
}

async function redeemForFriend(
  context: InviteContext,
  redemption: { id: string; driverId: DriverId; now: number; phoneNumber: string },
): Promise<Redeemed> {
  const { db } = context.deps;
  const { driverId, phoneNumber } = redemption;
  const refusal = await checkNumber(context, phoneNumber);
  if (refusal) return refusal;
  if (!(await redeemTrial(db, { ...redemption, invitationId: crypto.randomUUID() }))) {
    const winner = await loadRedemption(db, redemption.id);
    if (winner) return redeemedBefore(context, winner, phoneNumber);
    const { points } = await loadPointsLedger(db, driverId);
    if (points < POINTS_COST.friend_invitation) return { ok: false, code: "points_short" };
    const { isRegistered } = await loadInvitedNumber(db, { inviterId: driverId, phoneNumber });
    return { ok: false, code: isRegistered ? "already_registered" : "already_invited" };
  }
  // The trial is the number's from here on, whatever becomes of the text: the driver has the link.
  const sent = await textInvitation(context, { phoneNumber, hasTrial: true });
  return { ok: true, isTexted: sent === "sent" };
}

/** The answer to a call that repeats a friend's trial: the first answer may have been lost. */
async function redeemedBefore(
  { deps: { db } }: InviteContext,
  { driverId, reward, at }: RedemptionRow,
  phoneNumber: string,
): Promise<Redeemed> {
  if (reward !== "friend_invitation") return conflict();
  const { invitation, textedAt } = await loadInvitedNumber(db, { inviterId: driverId, phoneNumber });
  // A number that this driver gave no trial stays unknown to them.
  return { ok: true, isTexted: invitation?.hasTrial === true && textedAt !== null && textedAt >= at };
}

function conflict(): Redeemed {
  return { ok: false, code: "conflict" };
}

const REDEEMED = "reward:";
const PAYMENT = /^payment:[^:]+:(.+)$/;

/** The ledger's entries for the driver to read. Entries that changed nothing are left out. */
export function describePointEntries(
  entries: readonly PointEntryRow[],
  redemptions: readonly RedemptionRow[],
): PointEntry[] {
  const rewards = new Map(redemptions.map((redemption) => [REDEEMED + redemption.id, redemption.reward]));
  return entries
    .filter(({ points }) => points !== 0)
    .map(({ source, points, at }) => ({
      kind: pointEntryKindOf(source),
      // A reward of another version has no words here.
      reward: reward.safeParse(rewards.get(source)).data ?? null,
      points,
      at,
    }));
}

/** The kind of an entry, by its source. */
export function pointEntryKindOf(source: string): PointEntryKind {
  if (source.startsWith(REDEEMED)) return "redeemed";
  const what = PAYMENT.exec(source)?.[1];
  if (what === undefined) return "other";
  switch (what) {
    case "earned":
    case "reserved":
    case "released":
      return what;
    // Points that were released were spent after all.
    case "retaken":
      return "reserved";
    default:
      return what.endsWith(":undone") ? "refund_undone" : "refunded";
  }
}
