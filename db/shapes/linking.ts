import * as z from "zod/mini";
import { epochMs } from "./units.ts";

/** GET /flex/v1/setup, and the answer of every step: how far linking has come. */
export const setupResponse = z.discriminatedUnion("step", [
  z.object({ step: z.literal("credentials") }),
  z.object({
    step: z.literal("otp"),
    channel: z.enum(["sms", "email"]),
    /** Masked by the platform, as in `*** *** 4821`. */
    destination: z.string(),
    expiresAt: epochMs,
  }),
  z.object({ step: z.literal("approval"), expiresAt: epochMs }),
  z.object({ step: z.literal("linked") }),
]);

export type SetupResponse = z.infer<typeof setupResponse>;
