import { updateState, updateTransient, type Transition } from "./state/transition.ts";
import type { PollOutcome } from "./state/outcomes.ts";
import type { Contact, DriverState, ListReadability } from "./state/types.ts";
import { MINUTE_MS, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";

/** How often the contact is stored: an idle poll writes no row. */
const STORED_EVERY_MS: DurationMs = 30 * MINUTE_MS;
/** The phase says that responses are unreadable once they have been for this long. */
const TOLD_AFTER_MS: DurationMs = MINUTE_MS;
/** An empty list doesn't show whether lists can be read, but after this long an unreadable one no longer counts. */
const FORGOTTEN_AFTER_MS: DurationMs = 10 * MINUTE_MS;

/** Notes that the platform answered just now. Stored now and then, or when a row is written anyway (`isStored`). */
export function noteContact(transition: Transition, { isStored }: { isStored: boolean }): void {
  const { now } = transition.ctx;
  const { answeredAt, blocksReadAt } = transition.state.contact;
  const { heldFetchedAt } = transition.state.transient;
  if (isStored || isOld(answeredAt, now))
    updateContact(transition, { answeredAt: now, blocksReadAt: heldFetchedAt || blocksReadAt });
}

/** Stores when the platform last answered a poll: the object may be about to leave memory. */
export function recordLastContact(transition: Transition): void {
  const { lastPollAnsweredAt, heldFetchedAt } = transition.state.transient;
  const { blocksReadAt } = transition.state.contact;
  if (lastPollAnsweredAt !== null)
    updateContact(transition, {
      answeredAt: lastPollAnsweredAt,
      blocksReadAt: heldFetchedAt || blocksReadAt,
    });
}

/** When the platform last answered; null if it never did. */
export function lastAnswerAt({
  transient,
  contact,
}: Pick<DriverState, "transient" | "contact">): EpochMs | null {
  const { lastPollAnsweredAt } = transient;
  if (lastPollAnsweredAt === null) return contact.answeredAt;
  return Math.max(lastPollAnsweredAt, contact.answeredAt ?? 0);
}

/** The held blocks were read by a call that was sent at `sentAt`. */
export function noteBlocksRead(
  transition: Transition,
  sentAt: EpochMs,
  { isChanged }: { isChanged: boolean },
): void {
  const { blocksReadAt } = transition.state.contact;
  updateContact(transition, {
    blocksUnreadableSince: null,
    ...((isChanged || blocksReadAt === null) && { blocksReadAt: sentAt }),
  });
}

/** The held blocks could not be read. */
export function noteBlocksUnread(transition: Transition): void {
  const { blocksUnreadableSince } = transition.state.contact;
  updateContact(transition, { blocksUnreadableSince: blocksUnreadableSince ?? transition.ctx.now });
}

/** Notes whether the response to a poll could be read, as a whole and in most of what it lists. */
export function noteReadability(
  transition: Transition,
  outcome: PollOutcome,
  warehouses: ReadonlySet<string>,
): void {
  const { now } = transition.ctx;
  const { offersUnreadableSince: since } = transition.state.contact;
  const { offersUnreadableAt: latestAt } = transition.state.transient;
  if (outcome.kind === "offers")
    updateTransient(transition, { listReadability: readabilityOf(outcome, warehouses) });
  switch (readabilityNow(transition, outcome)) {
    case "unreadable":
      updateContact(transition, { offersUnreadableSince: since ?? now });
      return updateTransient(transition, { offersUnreadableAt: now });
    case "empty":
      if (latestAt !== null && now - latestAt < FORGOTTEN_AFTER_MS) return;
      break;
    case "unknown":
      return;
    case "readable":
      break;
  }
  updateContact(transition, { offersUnreadableSince: null });
  updateTransient(transition, { offersUnreadableAt: null });
}

function readabilityNow({ state }: Transition, outcome: PollOutcome): ListReadability {
  switch (outcome.kind) {
    case "unreadable":
      return "unreadable";
    case "offers":
    case "unchanged":
      return state.transient.listReadability;
    default:
      return "unknown";
  }
}

/** An offer at a warehouse that the driver doesn't have can't be judged, so it counts as unreadable. */
function readabilityOf(
  { offers, skipped = 0 }: Extract<PollOutcome, { kind: "offers" }>,
  warehouses: ReadonlySet<string>,
): ListReadability {
  const placed = offers.filter(({ warehouseId }) => warehouses.has(warehouseId)).length;
  if (skipped + offers.length - placed > placed) return "unreadable";
  return offers.length === 0 ? "empty" : "readable";
}

/** Since when most listed offers can't be read; null if they can, or if it is less than a minute. */
export function offersUnreadableSince({ contact, transient }: DriverState): EpochMs | null {
  const { offersUnreadableSince: since } = contact;
  const { offersUnreadableAt: latestAt } = transient;
  return since !== null && latestAt !== null && latestAt - since >= TOLD_AFTER_MS ? since : null;
}

/** The same for the held blocks. */
export function blocksUnreadableSince({ contact }: DriverState, now: EpochMs): EpochMs | null {
  const { blocksUnreadableSince: since } = contact;
  return since !== null && now - since >= TOLD_AFTER_MS ? since : null;
}

function updateContact(transition: Transition, fields: Partial<Contact>): void {
  const { contact } = transition.state;
  const next = { ...contact, ...fields };
  if (JSON.stringify(next) !== JSON.stringify(contact)) updateState(transition, { contact: next });
}

function isOld(at: EpochMs | null, now: EpochMs): boolean {
  return at === null || at > now || now - at >= STORED_EVERY_MS;
}
