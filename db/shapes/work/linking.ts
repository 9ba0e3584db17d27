import * as z from "zod/mini";
import { epochMs, type EpochMs } from "../units.ts";

/** GET /flex/v1/setup, and the response of every linking step: the step that comes next. */
export const setupResponse = z.discriminatedUnion("step", [
  z.object({ step: z.literal("credentials") }),
  z.object({
    step: z.literal("otp"),
    channel: z.enum(["sms", "email", "other"]),
    /** Masked by the platform, as in `*** *** 4821`. */
    destination: z.string(),
    expiresAt: epochMs,
  }),
  z.object({ step: z.literal("approval"), expiresAt: epochMs }),
  z.object({ step: z.literal("linked") }),
  /** A step of a later release. */
  z.object({ step: z.literal("other") }),
]);

export type SetupResponse = z.infer<typeof setupResponse>;

/** Why a linking step failed. Each `code` is an error code of the API. */
export type LinkError =
  | {
      code:
        | "link_credentials_wrong"
        | "link_code_expired"
        | "link_denied"
        | "link_expired"
        | "link_account_taken";
    }
  | { code: "link_code_wrong"; attemptsLeft: number | null }
  | { code: "rate_limited" | "link_locked"; retryAt: EpochMs | null }
  /** `url`: the page for it, if the platform names one that is safe to open. A former release's object leaves it out. */
  | { code: "verification_required"; url?: string | null }
  | { code: "platform_unreachable" | "platform_refused" }
  /** Nothing that the platform or the driver did. */
  | { code: "internal" };

/** `linkedEmail`: in the answer of the call that completed the linking. */
export type LinkResult =
  | { ok: true; response: SetupResponse; linkedEmail?: string }
  | { ok: false; error: LinkError };
