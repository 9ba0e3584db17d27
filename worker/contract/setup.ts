import * as z from "zod/mini";
import { epochMs } from "../../durable/engine/units.ts";

/** GET /flex/v1/setup, and the answer of every step: how far linking has come. */
export const setupAnswer = z.discriminatedUnion("step", [
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
export type SetupAnswer = z.infer<typeof setupAnswer>;

/** POST /flex/v1/setup/login, sealed. The password is used once and never stored. */
export const setupLogin = z.strictObject({
  email: z.email().check(z.maxLength(254)),
  password: z.string().check(z.minLength(1), z.maxLength(256)),
});
export type SetupLogin = z.infer<typeof setupLogin>;

/** POST /flex/v1/setup/otp, sealed. */
export const setupOtp = z.strictObject({ code: z.string().check(z.regex(/^[0-9]{4,8}$/)) });
export type SetupOtp = z.infer<typeof setupOtp>;
