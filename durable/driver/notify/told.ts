import type { DriverNotification } from "../../engine/state/types.ts";
import { MINUTE_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";

/** Nothing is told twice within so long, whatever makes it true again. */
const SILENT_FOR_MS: DurationMs = 10 * MINUTE_MS;

/** When each kind of notification was last sent, as long as it must not be sent again. */
export type Told = Readonly<Record<string, EpochMs>>;

/**
 * Adds a notification that is about to be sent.
 * @returns null if it was sent a moment ago: then it is not sent again
 */
export function withNotified(told: Told, notification: DriverNotification, now: EpochMs): Told | null {
  const subject = subjectOf(notification);
  const fresh = Object.entries(told).filter(([, at]) => at <= now && now - at < SILENT_FOR_MS);
  if (fresh.some(([known]) => known === subject)) return null;
  return { ...Object.fromEntries(fresh), [subject]: now };
}

/** The subject of a notification: each block, payment and piece of news is its own, a kind of request to the driver is one. */
function subjectOf(notification: DriverNotification): string {
  switch (notification.kind) {
    case "captured":
      return `captured ${notification.block.blockId} ${notification.block.acceptedAt}`;
    case "probably_captured":
      return `probably_captured ${notification.offer.offerId}`;
    case "asked":
      return `asked ${notification.question.questionId}`;
    case "offers_told":
      return `offers_told ${notification.offer.offerId} ${notification.offer.payCents}`;
    case "service_changed":
      return `service_changed ${notification.change.source}`;
    case "news":
      return `news ${notification.news.kind} ${notification.news.subject}`;
    case "announcement":
      return `announcement ${notification.announcement.id}`;
    case "give_back_ahead":
      return `give_back_ahead ${notification.block.blockId} ${notification.block.startsAt} ${notification.reminder}`;
    case "week":
      return `week ${notification.monday}`;
    case "lost_day":
      return `lost_day ${notification.date}`;
    case "before_shift":
      return `before_shift ${notification.startsAt}`;
    case "service_ending":
      return `service_ending ${notification.endsAt} ${notification.remainingMs}`;
    case "no_service":
      return `no_service ${notification.waitingForSpot}`;
    default:
      return notification.kind;
  }
}
