import * as z from "zod/mini";

/** POST /flex/v1/setup/login, sealed. The password is used once and never stored. */
export const setupLogin = z.strictObject({
  email: z.email().check(z.maxLength(254)),
  password: z.string().check(z.minLength(1), z.maxLength(256)),
});
export type SetupLogin = z.infer<typeof setupLogin>;

/** POST /flex/v1/setup/otp, sealed. */
export const setupOtp = z.strictObject({ code: z.string().check(z.regex(/^[0-9]{4,8}$/)) });
export type SetupOtp = z.infer<typeof setupOtp>;
