import * as z from "zod/mini";
import { localDate } from "../../../db/shapes/work/local-date.ts";
import { shiftCheck } from "../../../db/shapes/work/checks.ts";
import { logEntry } from "../../../db/shapes/log/driver-log.ts";
import { filters } from "../../../db/shapes/work/filters.ts";
import { givenBackBlock } from "../../../db/shapes/work/given-back.ts";
import { notificationPreferences, reminderPreferences } from "../../../db/shapes/notifications.ts";
import { block, warehouse } from "../../../db/shapes/work/offer.ts";
import { epochMs } from "../../../db/shapes/units.ts";
import type { ApiRoute } from "../api-route.ts";
import { user } from "./user.ts";

/** Rows as stored in the database; their columns change with it. */
const rows = z.readonly(z.array(z.looseObject({})));

/**
 * GET /flex/v1/user/export: all data of the driver, as one file. Instants are epoch ms,
 * money is in cents. Tokens, hashes and sealed values are left out. The log comes last and is streamed: a file
 * that was cut off is not valid JSON, so it isn't mistaken for a complete one.
 */
export const driverExport = z.object({
  exportedAt: epochMs,
  /** The account in the user pool; null if the pool isn't ours. */
  account: z.nullable(z.looseObject({})),
  user,
  createdAt: epochMs,
  waitingForSpot: z.boolean(),
  /** Null if the driver never changed them. */
  notifications: z.nullable(notificationPreferences),
  /** Null if the driver never changed them. */
  reminders: z.nullable(reminderPreferences),
  /** The last check before the driver's hours, the loss of the last browser that listened, and the last week that was told. */
  checks: z.object({
    shiftCheck: z.nullable(shiftCheck),
    pushLostAt: z.nullable(epochMs),
    weekTold: z.nullable(localDate),
  }),
  /** Whether the driver lets their sessions be recorded, and since when; null if they never said. */
  recording: z.nullable(z.object({ consent: z.boolean(), at: z.nullable(epochMs) })),
  /** The number of subscribed browsers. Their endpoints are left out. */
  browsersListening: z.int(),
  /** The calendar address, without the address itself; null if there is none. */
  calendar: z.nullable(z.object({ createdAt: epochMs, withPay: z.boolean(), isPaused: z.boolean() })),
  /** The blocks that the driver held in the last year and holds now, as the calendar shows them. */
  blocksHeld: z.readonly(z.array(block)),
  filters: z.object({ version: z.int(), filters }),
  /** The ledger of service time, in ms. */
  service: rows,
  /** The days on which the system could not work for a while, and the time that was given back. */
  lostDays: rows,
  /** The ledger of points. */
  points: rows,
  payments: rows,
  paymentRefunds: rows,
  /** Disputes of these payments, and inquiries of a bank about them. */
  paymentDisputes: rows,
  /** Every captured block, oldest first. */
  blocksWon: z.readonly(z.array(block)),
  /** Their sums by the day of the capture (UTC, days since 1970). */
  wonDays: rows,
  raffleEntries: rows,
  ownPrices: rows,
  /** The spot in the driver's city, or the place in its line; empty before the first linking. */
  spot: rows,
  /** Friends whom the driver invited, with the numbers that the driver entered. */
  invitations: rows,
  /** The referral of the driver's own link; null before the first request. */
  inviteCode: z.nullable(z.string()),
  /** The perks that the driver's own number had once as an invited one: our text, a trial, the inviter's free days. */
  ownInvitation: rows,
  /** The redemptions of points. */
  redemptions: rows,
  /** Scores and comments; without a score the question was skipped. */
  feedback: rows,
  /** Empty if the driver never agreed to one. */
  renewal: rows,
  renewalConsents: rows,
  /** The security events of the account in the last 90 days. */
  security: rows,
  /** Operators' acts on the account, and their reasons: grants, refunds, prices and the like. */
  operatorActs: rows,
  /** The texts of the last three days, without their words. */
  texts: rows,
  /** The subjects of those that were the driver's news. */
  textsAbout: z.readonly(z.array(z.object({ id: z.string(), at: epochMs, about: z.looseObject({}) }))),
  /** The driver's numbers that texts don't reach. */
  textFailures: rows,
  /** Every STOP and START from the driver's numbers. */
  textReplies: rows,
  warehouses: z.readonly(z.array(warehouse)),
  held: z.readonly(z.array(block)),
  /** Blocks that have not started and that the driver gave back. */
  givenBack: z.readonly(z.array(givenBackBlock)),
  /** The last 30 days, oldest first; of a driver who moved, region by region, each with its own `seq`. */
  log: z.readonly(z.array(logEntry)),
  /** The changes of the platform's listings in these days, with the blocks that were held and freed meanwhile. */
  listings: rows,
  /** The number of stored rows that could not be parsed and are missing here. */
  unreadableRows: z.int(),
});
export type DriverExport = z.infer<typeof driverExport>;

/** Taking everything along, and leaving. */
export const ACCOUNT_ROUTES = {
  "DELETE /flex/v1/user": {
    summary:
      "Deletes the account and all that is kept of the driver but for the books, within ten minutes of a sign-in. A payment in progress is canceled, or refunded once it is charged. 204: nobody can sign in or act in its name any more; an erasure that something interrupts is repeated each minute until it is done.",
    auth: "bearer",
    responses: { 204: null },
    errors: ["sign_in_again", "cards_unavailable", "payments_unreachable"],
  },
  "GET /flex/v1/user/export": {
    summary: "Everything that is kept of the driver, as one file. Needs a sign-in of the last minutes.",
    auth: "bearer",
    responses: { 200: driverExport },
    errors: ["not_found", "sign_in_again"],
  },
} as const satisfies Record<string, ApiRoute>;

/** GET /flex/v1/user/recording: whether the driver lets their sessions be recorded; `consent` is null until they were asked. */
export const recordingResponse = z.object({
  consent: z.nullable(z.boolean()),
  /** The identity that the recorder gets. */
  phoneNumber: z.string(),
});
export type RecordingResponse = z.infer<typeof recordingResponse>;

/** PUT /flex/v1/user/recording: the driver's answer, which they can change at any time. */
export const recordingInput = z.object({ consent: z.boolean() });

/** The recording of sessions. */
export const RECORDING_ROUTES = {
  "GET /flex/v1/user/recording": {
    summary: "Whether the driver lets their sessions be recorded. There is no such thing where nothing is.",
    auth: "bearer",
    responses: { 200: recordingResponse },
    errors: ["not_found"],
  },
  "PUT /flex/v1/user/recording": {
    summary: "Allows or ends the recording of the driver's sessions.",
    auth: "bearer",
    body: recordingInput,
    responses: { 200: recordingResponse },
    errors: ["not_found"],
  },
} as const satisfies Record<string, ApiRoute>;
