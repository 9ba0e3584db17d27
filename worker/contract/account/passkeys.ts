import * as z from "zod/mini";
import { epochMs } from "../../../db/shapes/units.ts";
import type { ApiRoute } from "../api-route.ts";

const MAX_NAME_LENGTH = 60;
const MAX_TICKET_LENGTH = 2048;
const passkeyName = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_NAME_LENGTH));

/** A passkey of the driver, without its key. */
export const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: epochMs,
  /** The last sign-in; null before the first. */
  lastUsedAt: z.nullable(epochMs),
  /** Whether it signed the caller in. */
  isCurrent: z.boolean(),
});
export type Passkey = z.infer<typeof passkey>;

/** GET /flex/v1/passkeys: the oldest first. */
export const passkeysResponse = z.object({
  passkeys: z.readonly(z.array(passkey)),
  /** How many a driver may have. */
  limit: z.int(),
  /** From when on the caller can remove passkeys; null if now. A password that a texted code set makes them wait a day. */
  removableFrom: z.nullable(epochMs),
  /** When a texted code set the password, if the caller can undo it: signed in with a passkey from before. */
  recoveredAt: z.nullable(epochMs),
});
export type PasskeysResponse = z.infer<typeof passkeysResponse>;

/** POST /flex/v1/passkeys/offer. */
export const passkeyOffer = z.object({
  /** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
  options: z.looseObject({ challenge: z.string() }),
  /** Comes back with what the browser made of it, once, within five minutes. */
  ticket: z.string(),
});
export type PasskeyOfferResponse = z.infer<typeof passkeyOffer>;

const base64Url = (length: number) =>
  z.string().check(z.minLength(1), z.maxLength(length), z.regex(/^[\w-]+$/));

/** The body of POST /flex/v1/passkeys. */
export const newPasskeyInput = z.object({
  ticket: z.string().check(z.maxLength(MAX_TICKET_LENGTH)),
  name: passkeyName,
  /** `RegistrationResponseJSON` of WebAuthn. */
  credential: z.object({
    id: base64Url(1400),
    rawId: base64Url(1400),
    type: z.literal("public-key"),
    response: z.object({
      clientDataJSON: base64Url(8192),
      attestationObject: base64Url(8192),
      transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(16))),
    }),
  }),
});

/** The body of PATCH /flex/v1/passkeys/{id}. */
export const passkeyChange = z.object({ name: passkeyName });
/** The path of calls for one passkey. */
export const passkeyParams = z.object({ id: z.string().check(z.maxLength(64)) });

/** Ways to sign in without a password. */
export const PASSKEY_ROUTES = {
  "GET /flex/v1/passkeys": {
    summary: "The driver's passkeys. Not known where another user pool signs drivers in.",
    auth: "bearer",
    responses: { 200: passkeysResponse },
    errors: ["not_found"],
  },
  "POST /flex/v1/passkeys/offer": {
    summary: "Starts adding a passkey, within ten minutes of a sign-in.",
    auth: "bearer",
    responses: { 200: passkeyOffer },
    errors: ["not_found", "sign_in_again", "passkeys_full"],
  },
  "POST /flex/v1/passkeys": {
    summary: "Adds the passkey that the browser made of an offer. The account's number gets a text.",
    auth: "bearer",
    body: newPasskeyInput,
    responses: { 200: passkey },
    errors: ["not_found", "sign_in_again", "passkeys_full", "rate_limited"],
  },
  "PATCH /flex/v1/passkeys/{id}": {
    summary: "Gives a passkey another name.",
    auth: "bearer",
    params: passkeyParams,
    body: passkeyChange,
    responses: { 204: null },
    errors: ["not_found"],
  },
  "DELETE /flex/v1/passkeys/{id}": {
    summary:
      "Removes a passkey and ends the sign-ins by it, within ten minutes of a sign-in. The account's number gets a text.",
    auth: "bearer",
    params: passkeyParams,
    responses: { 204: null },
    errors: ["not_found", "sign_in_again", "passkeys_held", "rate_limited"],
  },
  "POST /flex/v1/passkeys/undo-recovery": {
    summary:
      "Undoes a password that a texted code set, for whoever signed in with a passkey from before it: number and passkeys are those of before, every other sign-in ends, and a password has to be set anew.",
    auth: "bearer",
    responses: { 204: null },
    errors: ["not_found", "undo_expired", "conflict"],
  },
} as const satisfies Record<string, ApiRoute>;
