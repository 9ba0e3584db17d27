import { and, asc, eq, getTableColumns, like } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { poolCodes } from "../../schema/identity.ts";
import { paymentDisputes } from "../../schema/money.ts";
import { objectSeals } from "../../schema/security.ts";
import {
  paymentCalls,
  paymentRefunds,
  payments,
  pointEntries,
  discounts,
  raffleEntries,
  undeliveredServiceChanges,
  stripeCustomers,
} from "../../schema/payments.ts";
import { undeliveredNews, announcementRetries } from "../../schema/voice.ts";
import {
  feedback,
  invitations,
  invitedNumbers,
  inviteCodes,
  rewardRedemptions,
} from "../../schema/rewards.ts";
import { renewalConsents, renewals, renewalNotices } from "../../schema/renewal.ts";
import { errorGroupsOf } from "../operators/error-groups.ts";
import { closingStatements, readOpen, type OpenAtProcessor } from "../payments/closing.ts";
import { driverObjectsOf } from "../fleet/driver-objects.ts";
import { platformAccountsOf } from "../fleet/platform-accounts.ts";
import { driverStateOf } from "../fleet/reports.ts";
import { inviteTriesOf, devicesOf } from "../rewards/invitations.ts";
import { approvalsOf } from "../operators/approvals.ts";
import { actExportQuery } from "../operators/acts.ts";
import { deletedChatContactsOf } from "./chat-contacts.ts";
import { securityExportQuery, securityRowsOf } from "./security-events.ts";
import {
  blocksWon,
  driverFilters,
  driverNameWords,
  heartbeats,
  lostDays,
  serviceCredits,
  users,
  warehouseFilters,
  wonDays,
} from "../../schema/drivers.ts";
import { spots } from "../../schema/spots.ts";
import { sentTexts } from "../../schema/texts.ts";
import { textExportQueries } from "../texts/delivery.ts";

/** Loads what D1 stores about a driver beside the record and the filters, oldest first, in one round trip. */
export async function loadDriverData(db: Db, driverId: DriverId) {
  const [
    service,
    points,
    paid,
    refunds,
    disputes,
    days,
    raffle,
    prices,
    spot,
    renewal,
    consents,
    invited,
    codes,
    ownInvitation,
    redeemed,
    opinions,
    security,
    texts,
    textFailures,
    textReplies,
    acts,
    lost,
  ] = await db.batch([
    db
      .select()
      .from(serviceCredits)
      .where(eq(serviceCredits.driverId, driverId))
      .orderBy(asc(serviceCredits.at)),
    db.select().from(pointEntries).where(eq(pointEntries.driverId, driverId)).orderBy(asc(pointEntries.at)),
    db.select().from(payments).where(eq(payments.driverId, driverId)).orderBy(asc(payments.createdAt)),
    db
      .select(getTableColumns(paymentRefunds))
      .from(paymentRefunds)
      .innerJoin(payments, eq(payments.id, paymentRefunds.paymentId))
      .where(eq(payments.driverId, driverId))
      .orderBy(asc(paymentRefunds.at)),
    db
      .select(getTableColumns(paymentDisputes))
      .from(paymentDisputes)
      .innerJoin(payments, eq(payments.id, paymentDisputes.paymentId))
      .where(eq(payments.driverId, driverId))
      .orderBy(asc(paymentDisputes.at)),
    db.select().from(wonDays).where(eq(wonDays.driverId, driverId)).orderBy(asc(wonDays.day)),
    db
      .select()
      .from(raffleEntries)
      .where(eq(raffleEntries.driverId, driverId))
      .orderBy(asc(raffleEntries.at)),
    db.select().from(discounts).where(eq(discounts.driverId, driverId)).orderBy(asc(discounts.startsAt)),
    db.select().from(spots).where(eq(spots.driverId, driverId)),
    db.select().from(renewals).where(eq(renewals.driverId, driverId)),
    db
      .select()
      .from(renewalConsents)
      .where(eq(renewalConsents.driverId, driverId))
      .orderBy(asc(renewalConsents.at)),
    db
      .select()
      .from(invitations)
      .where(eq(invitations.inviterId, driverId))
      .orderBy(asc(invitations.createdAt)),
    db.select({ code: inviteCodes.code }).from(inviteCodes).where(eq(inviteCodes.driverId, driverId)),
    db
      .select(getTableColumns(invitedNumbers))
      .from(invitedNumbers)
      .innerJoin(users, eq(users.phoneNumber, invitedNumbers.phoneNumber))
      .where(eq(users.id, driverId)),
    db
      .select()
      .from(rewardRedemptions)
      .where(eq(rewardRedemptions.driverId, driverId))
      .orderBy(asc(rewardRedemptions.at)),
    db.select().from(feedback).where(eq(feedback.driverId, driverId)).orderBy(asc(feedback.at)),
    securityExportQuery(db, driverId),
    ...textExportQueries(db, driverId),
    actExportQuery(db, driverId),
    db.select().from(lostDays).where(eq(lostDays.driverId, driverId)).orderBy(asc(lostDays.date)),
  ]);
  return {
    service,
    lostDays: lost,
    points,
    payments: paid,
    paymentRefunds: refunds,
    paymentDisputes: disputes,
    wonDays: days,
    raffleEntries: raffle,
    ownPrices: prices,
    spot,
    // Only the friends themselves say who they are, and why nothing was credited accuses nobody. Nor are the hashes of the
    // driver's browsers here, which only serve that, and mean nothing to anybody.
    invitations: invited.map(({ friendId, paymentId: _payment, withheld: _withheld, ...invitation }) => ({
      ...invitation,
      isRegistered: friendId !== null,
    })),
    inviteCode: codes[0]?.code ?? null,
    ownInvitation,
    redemptions: redeemed,
    feedback: opinions,
    renewal,
    renewalConsents: consents,
    security,
    texts,
    textFailures,
    textReplies,
    operatorActs: acts,
  };
}

/**
 * Erases a driver. Payments, the two ledgers, what was agreed to about renewals and what operators did stay, for
 * accounting: they refer to a random id only. The renewal and the link to the Stripe customer are deleted. Numbers that
 * had our one text, a trial or a reward stay in a list of their own, so that none of them happens twice. The driver's
 * identifiers at the support chat stay until the contacts there are deleted. Safe to repeat.
 * @param closed.customerId the Stripe customer that is deleted there; null if there was none
 * @returns what was begun at Stripe in the meantime. Its customer is not forgotten
 */
export async function eraseDriverData(
  db: Db,
  driverId: DriverId,
  { customerId, now }: { customerId: string | null; now: EpochMs },
): Promise<OpenAtProcessor> {
  const erased = await db.batch([
    ...closingStatements(db, driverId, now),
    db.delete(users).where(eq(users.id, driverId)),
    db.delete(driverNameWords).where(eq(driverNameWords.driverId, driverId)),
    securityRowsOf(db, driverId),
    db.delete(driverFilters).where(eq(driverFilters.driverId, driverId)),
    db.delete(warehouseFilters).where(eq(warehouseFilters.driverId, driverId)),
    db.delete(blocksWon).where(eq(blocksWon.driverId, driverId)),
    db.delete(wonDays).where(eq(wonDays.driverId, driverId)),
    db.delete(lostDays).where(eq(lostDays.driverId, driverId)),
    db.delete(heartbeats).where(eq(heartbeats.driverId, driverId)),
    driverStateOf(db, driverId),
    platformAccountsOf(db, driverId),
    driverObjectsOf(db, driverId),
    errorGroupsOf(db, driverId),
    db.delete(objectSeals).where(eq(objectSeals.driverId, driverId)),
    db.delete(poolCodes).where(eq(poolCodes.userId, driverId)),
    db.delete(raffleEntries).where(eq(raffleEntries.driverId, driverId)),
    db.delete(discounts).where(eq(discounts.driverId, driverId)),
    db.delete(inviteCodes).where(eq(inviteCodes.driverId, driverId)),
    db.delete(invitations).where(eq(invitations.inviterId, driverId)),
    db.update(invitations).set({ friendId: null }).where(eq(invitations.friendId, driverId)),
    db.delete(rewardRedemptions).where(eq(rewardRedemptions.driverId, driverId)),
    db.delete(feedback).where(eq(feedback.driverId, driverId)),
    db.delete(renewals).where(eq(renewals.driverId, driverId)),
    db.delete(renewalNotices).where(eq(renewalNotices.driverId, driverId)),
    db
      .delete(stripeCustomers)
      .where(and(eq(stripeCustomers.driverId, driverId), eq(stripeCustomers.customerId, customerId ?? ""))),
    db.delete(paymentCalls).where(like(paymentCalls.subject, `%:${driverId}`)),
    db.delete(spots).where(eq(spots.driverId, driverId)),
    db.delete(announcementRetries).where(eq(announcementRetries.driverId, driverId)),
    db.delete(sentTexts).where(eq(sentTexts.account, driverId)),
    approvalsOf(db, driverId),
    db.delete(undeliveredNews).where(eq(undeliveredNews.driverId, driverId)),
    db.delete(undeliveredServiceChanges).where(eq(undeliveredServiceChanges.driverId, driverId)),
    inviteTriesOf(db, driverId),
    devicesOf(db, driverId),
    deletedChatContactsOf(db, driverId),
  ]);
  const left = readOpen(erased);
  return { ...left, customerId: left.customerId === customerId ? null : left.customerId };
}
