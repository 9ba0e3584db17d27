import * as z from "zod/mini";
import { LANGUAGES } from "../../../db/shapes/language.ts";
import { recordOf } from "../../../db/shapes/record-of.ts";
import { identityCheck, type IdentityCheck } from "../../../db/shapes/operators.ts";
import { audienceKind } from "../../../db/shapes/announcement.ts";
import { BEACON_SIGNATURE } from "../../../db/shapes/money/beacon.ts";
import { planForSale } from "../../../db/shapes/money/plans.ts";
import { epochMs } from "../../../db/shapes/units.ts";
import { actReason } from "./operators.ts";

export const MAX_ANNOUNCEMENT_LENGTH = 240;

/** Drivers' text in one language. */
const announcementLine = z.string().check(
  z.overwrite((words) => words.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")),
  z.trim(),
  z.minLength(1),
  z.maxLength(MAX_ANNOUNCEMENT_LENGTH),
);

const id = z.string().check(z.regex(/^[\w:-]{1,128}$/));
const notZero = z.refine<number>((count) => count !== 0);

/** An operator's act on a driver. Days and points below zero are taken. */
export const driverAct = z.discriminatedUnion("act", [
  z.strictObject({
    act: z.literal("days"),
    days: z.int().check(z.minimum(-365), z.maximum(365), notZero),
    reason: actReason,
  }),
  z.strictObject({
    act: z.literal("points"),
    points: z.int().check(z.minimum(-100_000), z.maximum(100_000), notZero),
    reason: actReason,
  }),
  z.strictObject({
    act: z.literal("refund"),
    paymentId: id,
    cents: z.int().check(z.minimum(1)),
    /** Goodwill: the driver keeps days and points. */
    keepsDays: z.boolean(),
    reason: actReason,
  }),
  z.strictObject({
    act: z.literal("special_price"),
    plan: planForSale,
    priceCents: z.int().check(z.minimum(1)),
    endsAt: epochMs,
    reason: actReason,
  }),
  z.strictObject({ act: z.literal("end_price"), discountId: id, reason: actReason }),
  z.strictObject({ act: z.literal("sign_out"), reason: actReason }),
  z.strictObject({ act: z.literal("unlink"), reason: actReason }),
  z.strictObject({ act: z.literal("disable"), reason: actReason }),
  z.strictObject({ act: z.literal("enable"), reason: actReason }),
  z.strictObject({ act: z.literal("test_text"), reason: actReason }),
  /** A text of the last days that did not arrive, to the number that it did not reach. Codes and account notices are none. */
  z.strictObject({ act: z.literal("resend_text"), textId: id, reason: actReason }),
  z.strictObject({ act: z.literal("show_phone"), reason: actReason }),
  /** Asks Stripe about one payment, and settles it by the answer. */
  z.strictObject({ act: z.literal("check_payment"), paymentId: id, reason: actReason }),
  z.strictObject({ act: z.literal("end_renewal"), reason: actReason }),
  /** Forgets wrong guesses at passwords and codes, which hold up sign-ins. */
  z.strictObject({ act: z.literal("unlock"), reason: actReason }),
  /** The number that the account signs in by, of a driver who lost the phone. */
  z.strictObject({
    act: z.literal("change_number"),
    phoneNumber: z.string().check(z.regex(/^\+1\d{10}$/)),
    checks: z.array(identityCheck).check(
      z.minLength(2),
      z.refine<IdentityCheck[]>((checks) => new Set(checks).size === checks.length),
    ),
    reason: actReason,
  }),
  /** Both wait for the yes of another operator, an owner. */
  z.strictObject({ act: z.literal("export_data"), reason: actReason }),
  z.strictObject({ act: z.literal("erase"), reason: actReason }),
]);
export type DriverAct = z.infer<typeof driverAct>;

const prizeText = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));
/** As it stands in the address of the raffle's page. */
const raffle = z.string().check(z.regex(/^[\w-]{1,64}$/));

/** The highest list price, in cents: far below the most that Stripe charges, fee included. */
const MAX_LIST_PRICE_CENTS = 9_999_999;

/** A list price of a plan, from an instant ahead or (null) at once. */
export const newListPrice = z.object({
  plan: planForSale,
  priceCents: z.int().check(z.minimum(1), z.maximum(MAX_LIST_PRICE_CENTS)),
  startsAt: z.nullable(epochMs),
});
export type NewListPrice = z.infer<typeof newListPrice>;

/** An operator's act on the whole deployment. */
export const deploymentAct = z.discriminatedUnion("act", [
  /** A lower price of a plan for everybody, between two instants. */
  z.strictObject({
    act: z.literal("sale"),
    plan: planForSale,
    priceCents: z.int().check(z.minimum(1)),
    startsAt: epochMs,
    endsAt: epochMs,
    reason: actReason,
  }),
  z.strictObject({ act: z.literal("end_sale"), saleId: id, reason: actReason }),
  z.strictObject({ act: z.literal("list_price"), ...newListPrice.shape, reason: actReason }),
  /** A line to drivers for a while, in all languages. `audienceOf`: the city or the language; null for all drivers. */
  z.strictObject({
    act: z.literal("announce"),
    ...recordOf(LANGUAGES, () => announcementLine),
    audience: audienceKind,
    audienceOf: z.nullable(z.string().check(z.minLength(1), z.maxLength(100))),
    startsAt: epochMs,
    endsAt: epochMs,
    reason: actReason,
  }),
  z.strictObject({ act: z.literal("end_announcement"), announcementId: id, reason: actReason }),
  /** After the database was restored; a leaked signing key; everybody signs in anew. */
  z.strictObject({
    act: z.enum(["after_restore", "release_renewals", "revoke_keys", "rotate_keys", "end_sessions"]),
    reason: actReason,
  }),
  z.strictObject({ act: z.enum(["resolve_error", "reopen_error"]), errorId: id, reason: actReason }),
  /** Null takes the limit away. Nobody loses the spot that they have. */
  z.strictObject({
    act: z.literal("city_spots"),
    city: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
    spots: z.nullable(z.int().check(z.minimum(0), z.maximum(1_000_000))),
    /** That the first limit of a city that no driver is in is meant: a mistyped one would let linking come before paying. */
    isNewCity: z.optional(z.boolean()),
    reason: actReason,
  }),
  z.strictObject({
    act: z.literal("raffle"),
    raffle,
    plan: planForSale,
    startsAt: epochMs,
    endsAt: epochMs,
    winners: z.int().check(z.minimum(1), z.maximum(1000)),
    prize: z.nullable(z.strictObject(recordOf(LANGUAGES, () => prizeText))),
    /** SHA-256 of the seed, which is public from now on. */
    seedHash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    /** The seed as the operator's browser or program sealed it; null where the operator keeps it. */
    sealedSeed: z.nullable(z.string().check(z.regex(/^v[12](\.[\w-]{8,400}){3,4}$/))),
    reason: actReason,
  }),
  z.strictObject({ act: z.literal("end_raffle"), raffle, reason: actReason }),
  /** Points for each driver in a raffle that is over and can't be drawn, since its seed is lost. Once a raffle. */
  z.strictObject({
    act: z.literal("compensate_raffle"),
    raffle,
    points: z.int().check(z.minimum(1), z.maximum(100_000)),
    reason: actReason,
  }),
  /** With the seed, which the server gets only now, and the beacon's signature if the server can't fetch it. */
  z.strictObject({
    act: z.literal("draw"),
    raffle,
    seed: z.string().check(z.minLength(1), z.maxLength(200)),
    signature: z.optional(z.string().check(z.regex(BEACON_SIGNATURE))),
    reason: actReason,
  }),
]);
export type DeploymentAct = z.infer<typeof deploymentAct>;
