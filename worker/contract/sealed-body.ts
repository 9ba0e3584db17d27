import * as z from "zod/mini";

/**
 * The calls whose body is sealed. The server can't open the body of any other call, and the page always seals
 * these.
 */
export const SEALED_ROUTES = [
  "PUT /flex/v1/user",
  "PATCH /flex/v1/user",
  "POST /flex/v1/setup/login",
  "POST /flex/v1/setup/otp",
  "POST /flex/v1/payments/prepare",
  "POST /flex/v1/errors",
] as const;
export type SealedRoute = (typeof SEALED_ROUTES)[number];

/**
 * A body of one of those calls: AES-256-GCM over `{ at, caller, body }`, `at` being the instant of sealing and
 * `caller` the `sub` of the token that it is sent with, which may be left out. GET
 * /status/health hands out the key (`x-amz-version-id`) and its `id` (`x-amz-cf-id`), both Base64. The IV is the
 * first 12 bytes of SHA-256 over the text of `id` and the bytes of `nonce`, and the additional data is the call, as in
 * `PATCH /flex/v1/user`. Refused where the key is older than a day or `at` more than five minutes off
 * or the body was used before (`seal_expired`: ask for a new key and repeat once), and where it was changed or belongs
 * to another call or caller (`seal_broken`).
 */
export const sealedBody = z.strictObject({
  v: z.literal(1),
  id: z.base64().check(z.maxLength(64)),
  nonce: z.base64().check(z.minLength(16), z.maxLength(64)),
  data: z.base64().check(z.maxLength(64_000)),
});
export type SealedBody = z.infer<typeof sealedBody>;
