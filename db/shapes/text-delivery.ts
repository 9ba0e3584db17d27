import * as z from "zod/mini";
import { epochMs } from "./units.ts";

/**
 * How far a text came, in the gateway's words. `other`: a word that we don't know, which says nothing. A text that is
 * `delivered`, `undelivered`, `failed`, `canceled` or `read` stays that.
 */
export const textStatus = z.enum([
  "accepted",
  "scheduled",
  "queued",
  "sending",
  "sent",
  "delivered",
  "undelivered",
  "failed",
  "canceled",
  "read",
  "other",
]);
export type TextStatus = z.infer<typeof textStatus>;

/** Whether a text certainly didn't arrive. */
export function hasTextFailed(status: TextStatus): boolean {
  return status === "undelivered" || status === "failed";
}

/** Statuses that nothing changes any more. */
export const FINAL_TEXT_STATUSES = [
  "delivered",
  "undelivered",
  "failed",
  "canceled",
  "read",
] as const satisfies readonly TextStatus[];

/**
 * Why texts don't reach a number. `landline`: it takes none. `unknown_number`: nobody has it, or no longer. `blocked`: its
 * phone or its carrier blocks our texts. `unreachable`: it is off or without signal. `filtered`: a carrier objects to our
 * texts, whoever they are for. `other`: the gateway gave no reason that we know.
 */
export const textProblem = z.enum([
  "landline",
  "unknown_number",
  "blocked",
  "unreachable",
  "filtered",
  "other",
]);
export type TextProblem = z.infer<typeof textProblem>;

const OF_NUMBER: ReadonlySet<TextProblem> = new Set(["landline", "unknown_number", "blocked", "unreachable"]);
const PERMANENT: ReadonlySet<TextProblem> = new Set(["landline", "unknown_number", "blocked"]);

/** Whether a problem is the number's own: any other is the sender's, and every number may have it. */
export function isAboutNumber(problem: TextProblem): boolean {
  return OF_NUMBER.has(problem);
}

/** Whether another try doesn't help. */
export function isPermanent(problem: TextProblem): boolean {
  return PERMANENT.has(problem);
}

/** After so many failures of a number in a row no text to it is tried: permanent ones, and ones of any kind. */
export const PAUSE_AFTER = { permanent: 3, any: 10 } as const;

/** The reply of a number's owner by text: no more texts, or texts again. */
export const textWord = z.enum(["stop", "start"]);
export type TextWord = z.infer<typeof textWord>;

/**
 * Whether texts reach a number. `failing`: the last one did not arrive, the next is tried. `paused`: so many didn't that none
 * is tried. `stopped`: its owner replied STOP. `other`: what only a later release knows.
 */
export const textDelivery = z.discriminatedUnion("status", [
  z.object({ status: z.literal("ok") }),
  z.object({ status: z.literal("failing"), problem: textProblem, since: epochMs }),
  z.object({ status: z.literal("paused"), problem: textProblem, since: epochMs }),
  z.object({ status: z.literal("stopped"), since: epochMs }),
  z.object({ status: z.literal("other") }),
]);
export type TextDelivery = z.infer<typeof textDelivery>;

/**
 * The outcome of sending a text again. `limit`: too many in an hour or a day. `not_kept`: what it was about is not known,
 * or nothing that may be sent again. `over`: it asks for what the driver has done since, or can't do any more.
 */
export type ResentText = "sent" | "stopped" | "limit" | "failed" | "not_kept" | "over";
