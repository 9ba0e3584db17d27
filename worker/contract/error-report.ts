import * as z from "zod/mini";

/** POST /flex/v1/errors, sealed: an error on a signed-in driver's page. */
export const errorReport = z.strictObject({
  /** Where it was caught, as in `error_page`. */
  caller: z.string().check(z.minLength(1), z.maxLength(64)),
  name: z.string().check(z.maxLength(128)),
  message: z.string().check(z.maxLength(2_000)),
  stack: z.nullable(z.string().check(z.maxLength(16_000))),
});
export type ErrorReport = z.infer<typeof errorReport>;

/**
 * POST /status/errors, plain: an error on a visitor's page. Without its message, which may quote what somebody typed; of
 * the stack only the lines that name a place are kept.
 */
export const visitorErrorReport = z.strictObject({
  caller: z.string().check(z.minLength(1), z.maxLength(64)),
  name: z.string().check(z.maxLength(128)),
  stack: z.nullable(z.string().check(z.maxLength(4_000))),
});
export type VisitorErrorReport = z.infer<typeof visitorErrorReport>;
