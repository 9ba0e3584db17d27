import {
  claimNumber,
  deleteAccount,
  finishAccountChange,
  listAccountChanges,
  loadAccountChange,
  noteTriedChanges,
  postponeAccountChange,
  type AccountChange,
} from "../../db/queries/accounts/account-changes.ts";
import { eraseDriverData } from "../../db/queries/accounts/account-deletion.ts";
import { loadDriver, toDriverOwner } from "../../db/queries/accounts/drivers.ts";
import { findPoolUser } from "../../db/queries/identity/pool-users.ts";
import { listLiveSessions } from "../../db/queries/identity/sessions.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { notifyOfChanges } from "./account-notices.ts";
import { renewChatIdentifiers } from "./chat-contacts.ts";
import { dueAt, isStuck, UnfollowedChangeError } from "./left-changes.ts";
import type { CheckoutContext } from "../payments/checkout.ts";
import { closePayments } from "../payments/close-payments.ts";

/** The targets of an account's changes: D1, the driver's object, the card processor. */
export type AccountContext = Pick<CheckoutContext, "deps" | "cards">;

/** A deleted driver's objects, and the customer at the card processor that was deleted; null if there was none. */
type Known = { objects: Awaited<ReturnType<Deps["objectsOf"]>>; customerId: string | null };

/** Changes that are repeated per minute, the longest waiting first: a deletion takes some 60 statements. */
const BATCH_SIZE = 10;

/**
 * The one place that says what follows when an account is deleted, its number or password changes, or sessions end.
 * Every change of an account leaves a row in `account_changes` in the same batch; this brings everything else to the
 * account's state by then, so it can be repeated, and is, until it has succeeded: - its owner is told by text; - a
 * deleted account: the object is erased and closes its sockets, payments are closed, D1 forgets the driver; - any other:
 * the record and the object get its number, and sockets, push subscriptions and the chat's identity of sessions that have
 * ended end with them, or all of them where an operator disabled the account.
 *
 * Tickets and arrived tokens need no word: they name their session, which is looked up when they are used.
 */
export async function followAccount(context: AccountContext, userId: DriverId): Promise<void> {
  const { db } = context.deps;
  const change = await loadAccountChange(db, userId);
  if (!change) return;
  // First, so that whoever took an account over can't keep its owner from hearing of it.
  const isTold = await notifyOfChanges(context.deps, userId);
  const isGone = change.isDeleted || (await followNumber(context, userId)) === "gone";
  if (isGone) await finishDeletion(context, userId, null);
  await endChange(context, change, isTold);
}

async function endChange(
  { deps: { db, now } }: AccountContext,
  change: Pick<AccountChange, "userId" | "revision">,
  isTold: boolean,
): Promise<void> {
  if (isTold) await finishAccountChange(db, change);
  else await postponeAccountChange(db, change, now());
}

/**
 * Erases a driver whose account was just deleted. The text to its owner is left, or all of it where something fails: that is
 * logged and repeated within two minutes.
 * @returns whether all is erased
 */
export async function eraseDeleted(
  context: AccountContext,
  userId: DriverId,
  known: Known,
): Promise<boolean> {
  return logFailure(context, userId, () => finishDeletion(context, userId, known));
}

/**
 * Texts the owner of an account that was just deleted.
 * @param isErased whether nothing else of the change is left to be followed
 */
export async function notifyOfDeletion(
  context: AccountContext,
  change: Pick<AccountChange, "userId" | "revision">,
  isErased: boolean,
): Promise<void> {
  await logFailure(context, change.userId, async () => {
    const isTold = await notifyOfChanges(context.deps, change.userId);
    if (isErased) await endChange(context, change, isTold);
  });
}

/** Like `followAccount`, for a caller whose own change is made: what fails is logged and repeated within two minutes. */
export async function followAccountSoon(context: AccountContext, userId: DriverId): Promise<void> {
  await logFailure(context, userId, () => followAccount(context, userId));
}

async function logFailure(
  { deps }: AccountContext,
  userId: DriverId,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    deps.log("error", "account.follow.failed", { driverId: userId, ...describeError(error) });
    return false;
  }
}

/**
 * Every minute: what could not be followed at once. A change that fails again lets the others go first.
 * @throws {UnfollowedChangeError} after all, if one has failed for an hour
 */
export async function followLeftChanges(context: AccountContext): Promise<void> {
  const { db, now } = context.deps;
  let areStuck = false;
  const left = await listAccountChanges(db, { ...dueAt(now()), limit: BATCH_SIZE });
  for (const change of left) {
    if (await logFailure(context, change.userId, () => followAccount(context, change.userId))) continue;
    await noteTriedChanges(db, [change], now());
    areStuck ||= isStuck(change, now());
  }
  if (areStuck) throw new UnfollowedChangeError();
}

/** `gone`: a record without an account, which nobody can sign in to. */
async function followNumber({ deps }: AccountContext, userId: DriverId): Promise<"gone" | "followed"> {
  const { db, now } = deps;
  const account = await findPoolUser(db, userId);
  if (!account) {
    // Drivers of another pool have no account here, and a driver who was erased has no record.
    if (deps.config.identity.kind === "cognito" || !(await loadDriver(db, userId))) return "followed";
    await deleteAccount(db, userId, now());
    return "gone";
  }
  await claimNumber(db, { userId, phoneNumber: account.phoneNumber, now: now() });
  const record = await loadDriver(db, userId);
  if (!record) return "followed";
  const live = account.enabled ? await listLiveSessions(db, userId, now()) : [];
  for (const object of await deps.objectsOf(userId)) {
    await object.configure(toDriverOwner(record), record.profile);
    await object.keepSessions(live.map(({ originJti }) => originJti));
  }
  await renewChatIdentifiers(deps, [record]);
  return "followed";
}

/** @param known null if nothing was closed at the card processor yet */
async function finishDeletion(
  { deps, cards }: AccountContext,
  userId: DriverId,
  known: Known | null,
): Promise<void> {
  const { db, now } = deps;
  const checkout = { deps, db, cards };
  await deps.restoreRecord()?.recordErased(userId, now());
  // Before D1 is erased, where they may still be copying to.
  for (const object of known?.objects ?? (await deps.objectsOf(userId))) await object.deleteAccount();
  const { customerId } = known ?? (await closePayments(checkout, userId));
  const left = await eraseDriverData(db, userId, { customerId, now: now() });
  if (left.current === null && left.customerId === null) return;
  // Payments begun in the meantime. Without a record nothing comes after.
  const later = await closePayments(checkout, userId);
  await eraseDriverData(db, userId, { ...later, now: now() });
}
