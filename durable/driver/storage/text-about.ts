import * as z from "zod/mini";
import { driverNews } from "../../../db/shapes/driver-news.ts";
import { giveBackReminder } from "../../../db/shapes/notifications.ts";
import { place } from "../../../db/shapes/log/attempt.ts";
import { localDate } from "../../../db/shapes/work/local-date.ts";
import { proposedGain } from "../../../db/shapes/log/passed-over.ts";
import { weekFigures } from "../../../db/shapes/work/week.ts";
import { shiftNeed } from "../../../db/shapes/work/checks.ts";
import { block, offer } from "../../../db/shapes/work/offer.ts";
import { question } from "../../../db/shapes/work/question.ts";
import { serviceChange } from "../../../db/shapes/profile.ts";
import { cents, epochMs } from "../../../db/shapes/units.ts";

import { isRecord, type Upcast } from "../../../db/shapes/versioned.ts";

const noService = z.object({ kind: z.literal("no_service"), waitingForSpot: z.boolean() });
const serviceEnding = z.object({
  kind: z.literal("service_ending"),
  endsAt: epochMs,
  remainingMs: z.number(),
});
const news = z.object({ kind: z.literal("news"), news: z.omit(driverNews, { source: true }) });

/** A notification that waits for the end of the driver's quiet hours. */
export const heldNotification = z.discriminatedUnion("kind", [noService, serviceEnding, news]);
export type HeldNotification = z.infer<typeof heldNotification>;

/**
 * The subject of a text to the driver, from which its words can be made anew: the notification, or the number of
 * notifications in an evening's digest. Codes and account notices are sent elsewhere, so neither is ever in here.
 */
export const textAbout = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("captured"), block, place: z._default(z.nullable(place), null) }),
  z.object({ kind: z.literal("probably_captured"), offer, place: z.nullable(place) }),
  z.object({ kind: z.literal("asked"), question }),
  z.object({ kind: z.literal("unreadable") }),
  z.object({ kind: z.literal("needs_link") }),
  z.object({ kind: z.literal("verification_required") }),
  noService,
  serviceEnding,
  news,
  z.object({ kind: z.literal("service_changed"), change: serviceChange, until: z.nullable(epochMs) }),
  z.object({ kind: z.literal("weekly_limit"), until: epochMs }),
  z.object({ kind: z.literal("silence_suspected") }),
  z.object({
    kind: z.literal("give_back_ahead"),
    block,
    reminder: giveBackReminder,
    until: epochMs,
    others: z.int(),
  }),
  z.object({
    kind: z.literal("before_shift"),
    startsAt: epochMs,
    timeZone: z.string(),
    need: shiftNeed,
    more: z.int(),
  }),
  z.object({
    kind: z.literal("week"),
    monday: localDate,
    figures: weekFigures,
    beforeCents: cents,
    currency: z.string(),
    best: z._default(z.nullable(proposedGain), null),
  }),
  z.object({ kind: z.literal("lost_day"), date: localDate, lostMs: z.int(), givenMs: z.int() }),
  z.object({ kind: z.literal("long_wait"), until: epochMs }),
  z.object({ kind: z.literal("digest"), held: z.int() }),
]);
/** Version 1 doesn't say where a captured block is. */
export const upcastTextAboutV1: Upcast = (stored) =>
  isRecord(stored) && stored["kind"] === "captured" ? { place: null, ...stored } : stored;

export type TextAbout = z.infer<typeof textAbout>;
