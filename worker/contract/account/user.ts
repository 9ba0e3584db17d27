import * as z from "zod/mini";
import { language } from "../../../db/shapes/language.ts";
import { setupResponse } from "../../../db/shapes/work/linking.ts";
import { mode, shownMode, specialMode } from "../../../db/shapes/work/filters.ts";
import type { ApiRoute } from "../api-route.ts";
import { earningsResponse } from "../../../db/shapes/work/earnings.ts";

/** The driver's record, which GET /flex/v1/user returns inside `{ Item }`. */
export const user = z.object({
  /** Incremented by every change of the record. Not in records that older versions kept. */
  revision: z.optional(z.int()),
  name: z.string(),
  /** E.164. */
  phoneNumber: z.string(),
  preferredPhoneNumber: z.nullable(z.string()),
  /** Whether a code proved the preferred number. Until then texts go to `phoneNumber`. */
  preferredPhoneVerified: z.optional(z.boolean()),
  language,
  mode: shownMode,
  specialMode: z.nullable(specialMode),
  /** The system switch: 0 on, 1 off. */
  userDisabled: z.union([z.literal(0), z.literal(1)]),
  referral: z.string(),
  humanTimezone: z.string(),
  humanRegion: z.nullable(z.string()),
  flexEmail: z.nullable(z.string()),
  proxyInstalled: z.boolean(),
  setupComplete: z.boolean(),
  /** Without a spot in the city: nothing can be paid or captured. Not in records that older versions kept. */
  waitingForSpot: z.optional(z.boolean()),
  goodStanding: z.boolean(),
  /** A friend's trial begins with the first switch-on. Not in records that older versions kept. */
  trialPending: z.optional(z.boolean()),
  /** The end of the paid time, epoch ms; 0 if none was bought. */
  expirationDateTimestamp: z.number(),
});
export type User = z.infer<typeof user>;

/** The response of every call that reads or changes the record. */
export const userResponse = z.object({ Item: user });
export type UserResponse = z.infer<typeof userResponse>;

/** PUT /flex/v1/user: with how far linking has come, which the next screen begins with; left out where the object can't say. */
export const createdUserResponse = z.extend(userResponse, { setup: z.optional(setupResponse) });
export type CreatedUserResponse = z.infer<typeof createdUserResponse>;

/** Control characters and line breaks. */
const CONTROL = /[\p{Cc}\u2028\u2029]+/gu;
/** Characters that turn the direction of the text around them, or aren't visible at all. */
const INVISIBLE = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/gu;

/** Words that others will read in a line of their own: nothing in them moves or hides what stands beside them. */
const plainWords = z.string().check(
  z.overwrite((words) => words.replaceAll(INVISIBLE, "").replaceAll(CONTROL, " ")),
  z.trim(),
);

const driverName = plainWords.check(z.minLength(2), z.maxLength(100));

/** The sender of a driver, by whatever name the link has for them. */
export const referral = z.string().check(z.trim(), z.minLength(1), z.maxLength(64));

/** A referral as it is kept; null for one that is empty or too long, which must never stop a registration. */
export function parseReferral(given: string | null | undefined): string | null {
  return z.safeParse(referral, given).data ?? null;
}

/** A field that a client may leave out, or say null for, as the record itself does. */
const optionalText = z.optional(z.nullable(z.string()));

/**
 * PUT /flex/v1/user, sealed: the record of a driver who just registered. The password is accepted for clients
 * that send it, and ignored: it belongs to the user pool.
 */
export const userInput = z.object({
  name: driverName,
  password: optionalText,
  phoneNumber: z.string().check(z.regex(/^\+1[0-9]{10}$/)),
  /** The driver's referrer; left out, empty or longer than 64 letters, the product's name in lower case. */
  referral: optionalText,
  /** An IANA zone. */
  humanTimezone: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
});

const preferredPhoneNumber = z.nullable(z.string().check(z.regex(/^\+1[0-9]{10}$/)));

/** POST /flex/v1/user/preferred-phone/verify: the code that was texted to the preferred number. */
export const preferredPhoneCode = z.object({
  code: z.string().check(z.regex(/^([0-9]{6}|[0-9]{10})$/)),
});

/** The path of PUT /flex/v1/user/{phone}: the driver's own number, `+` and digits. */
export const userParams = z.object({ phone: z.string().check(z.maxLength(20)) });

/** PUT /flex/v1/user/{phone}, plain: the details that a driver enters, all of them. */
export const userDetails = z.object({
  name: driverName,
  preferredPhoneNumber,
  /** Where the driver works, an IANA zone. */
  humanTimezone: z.string().check(z.minLength(1), z.maxLength(64)),
  /** The city or region, as the driver entered it. */
  humanRegion: z.nullable(plainWords.check(z.minLength(1), z.maxLength(100))),
});
export type UserDetails = z.infer<typeof userDetails>;

/** PATCH /flex/v1/user, sealed: exactly one of these bodies. A page of a later release may send more fields with it. */
export const userPatch = z.xor([
  z.object({ phoneNumber: z.string(), userDisabled: z.xor([z.literal(0), z.literal(1)]) }),
  z.object({ mode, specialMode: z.optional(z.nullable(specialMode)) }),
  z.object({ language, updateLanguage: z.literal(true) }),
  z.object({
    updateProfile: z.literal(true),
    name: driverName,
    preferredPhoneNumber,
  }),
]);
export type UserPatch = z.infer<typeof userPatch>;

/** The driver's record. */
export const USER_ROUTES = {
  "GET /flex/v1/user": {
    summary: "The driver's record.",
    auth: "bearer",
    responses: { 200: userResponse },
    errors: ["not_found"],
  },
  "PUT /flex/v1/user": {
    summary: "Creates the record of a driver who has just registered. A record that exists stays as it is.",
    auth: "bearer",
    body: userInput,
    responses: { 200: createdUserResponse },
    errors: ["forbidden", "conflict"],
  },
  "PATCH /flex/v1/user": {
    summary: "Changes the system switch, the mode, the language or the profile.",
    auth: "bearer",
    body: userPatch,
    responses: { 200: userResponse },
    errors: ["sign_in_again", "forbidden", "not_found", "filters_incomplete", "no_service"],
  },
  "PUT /flex/v1/user/{phone}": {
    summary: "Replaces the driver's own details.",
    auth: "bearer",
    params: userParams,
    body: userDetails,
    responses: { 200: userResponse },
    errors: ["sign_in_again", "forbidden", "not_found"],
  },
  "GET /flex/v1/user/earnings": {
    summary: "What the driver earned in this week and the last.",
    auth: "bearer",
    responses: { 200: earningsResponse },
    errors: ["not_found"],
  },
  "POST /flex/v1/user/preferred-phone/code": {
    summary: "Texts a code to the preferred number, which gets no other texts before it is proved.",
    auth: "bearer",
    responses: { 204: null },
    errors: ["not_found", "rate_limited", "text_not_sent", "texts_stopped"],
  },
  "POST /flex/v1/user/preferred-phone/verify": {
    summary: "Proves the preferred number by its code.",
    auth: "bearer",
    body: preferredPhoneCode,
    responses: { 200: userResponse },
    errors: ["not_found", "rate_limited", "code_wrong", "code_expired"],
  },
} as const satisfies Record<string, ApiRoute>;
