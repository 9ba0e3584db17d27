import * as z from "zod/mini";
import { block, warehouse } from "./offer.ts";
import { epochMs } from "../units.ts";

/** How long a calendar shows what is over. */
export const CALENDAR_PAST_DAYS = 366;

/** The sign-in that a calendar address ends with; null where another pool signs drivers in. */
const session = z.nullable(z.object({ id: z.string(), expiresAt: epochMs }));

/** A driver's calendar address, as their object keeps it. The address itself is computed and never stored. */
export const calendarFeed = z.object({
  /** Part of the address: another one makes another address. */
  feedId: z.uuid(),
  createdAt: epochMs,
  /** Whether the entries say what a block pays. */
  withPay: z.boolean(),
  session,
  /** When the sign-in ended that it goes on with; null while it lasts. */
  pausedAt: z.nullable(epochMs),
  /** The sources of the entries' words besides the blocks, how often these changed, and when last; null until it is read. */
  look: z._default(z.nullable(z.object({ of: z.string(), changes: z.int(), changedAt: epochMs })), null),
});
export type CalendarFeed = z.infer<typeof calendarFeed>;

/** A change that a driver makes to their calendar address. */
export type CalendarChange =
  | { kind: "made"; feedId: string; withPay: boolean; session: z.infer<typeof session> }
  | { kind: "pay_set"; withPay: boolean }
  /** Another sign-in answers for the address `feedId`. */
  | { kind: "resumed"; feedId: string; session: z.infer<typeof session> }
  | { kind: "removed" };

/** A block that the driver holds or held, as a calendar shows it. */
export const calendarBlock = z.object({
  block,
  warehouse: z.nullable(warehouse),
  /** How often its entry was changed since it was first seen, and when last. */
  sequence: z.int(),
  changedAt: epochMs,
});
export type CalendarBlock = z.infer<typeof calendarBlock>;
