import * as z from "zod/mini";
import { block, offer } from "../../../db/shapes/work/offer.ts";
import { blockList, type BlockList } from "../../../db/shapes/log/driver-log.ts";
import { lostReason } from "../../../db/shapes/log/attempt.ts";
import { judgedRule, reason } from "../../../db/shapes/work/verdict.ts";
import { otherOffersResponse } from "../../../db/shapes/work/other-offers.ts";
import { blockId, epochMs } from "../../../db/shapes/units.ts";
import { passedOverGroup } from "../../../db/shapes/log/passed-over.ts";
import {
  checkInParams,
  checkInResponse,
  devicePosition,
  imHereResponse,
  nextBlockResponse,
  type CheckInError,
} from "../../../db/shapes/work/check-in.ts";
import type { ApiRoute } from "../api-route.ts";

/** Captured blocks are paged by when they were captured and their id (`blockId`), the others by their place in the log. */
const CURSORS: Readonly<Record<BlockList, RegExp>> = {
  won: /^[0-9]{1,16}_[!-~]{1,200}$/,
  disliked: /^[0-9]{1,16}$/,
  lost: /^[0-9]{1,16}$/,
};

/** GET /flex/v1/blocks/passed-over: those with the most to gain first. */
export const passedOverResponse = z.object({
  /** The version of the filters that it is computed with. */
  filtersVersion: z.int(),
  currency: z.string(),
  /** When the oldest of the offers was passed over; null where there are none. */
  since: z.nullable(epochMs),
  groups: z.array(passedOverGroup),
});
export type PassedOverResponse = z.infer<typeof passedOverResponse>;

/** GET /flex/v1/blocks. `cursor` is the one of the page before, of the same list. */
export const blocksQueryInput = z
  .object({
    type: z._default(blockList, "won"),
    cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,16}(?:_[!-~]{1,200})?$/))),
  })
  .check(
    z.refine(({ type, cursor }) => cursor === undefined || CURSORS[type].test(cursor), { path: ["cursor"] }),
  );

/** The path of POST /flex/v1/blocks/{id}/take-again: a block that the driver gave back. */
export const takeAgainParams = z.object({ id: blockId });

/** The path of GET /flex/v1/blocks/{id}/other-offers: a block that the driver holds. */
export const heldBlockParams = z.object({ id: blockId });

/**
 * A list item. `at` is when the offer was captured, rejected or lost. `seq` is unique in its list; below zero for captured
 * blocks that came without a place in the log.
 */
export const blockItem = z.discriminatedUnion("type", [
  z.object({ type: z.literal("won"), seq: z.int(), at: epochMs, block }),
  z.object({
    type: z.literal("disliked"),
    seq: z.int(),
    at: epochMs,
    offer,
    reasons: z.array(reason),
    rule: z.optional(judgedRule),
  }),
  z.object({ type: z.literal("lost"), seq: z.int(), at: epochMs, offer, reason: lostReason }),
]);
export type BlockItem = z.infer<typeof blockItem>;

/**
 * The sums of a whole list. Pay and minutes are those of captured blocks that were not given back, in the currency of the
 * newest.
 */
export const listTotal = z.object({
  count: z.int(),
  payCents: z.int(),
  minutes: z.int(),
  currency: z.nullable(z.string()),
});
export type ListTotal = z.infer<typeof listTotal>;

/** GET /flex/v1/blocks: newest first, 50 a page; `cursor` null on the last. The first page comes with the list's total. */
export const blocksResponse = z.object({
  items: z.array(blockItem),
  cursor: z.nullable(z.string()),
  total: z._default(z.nullable(listTotal), null),
});
export type BlocksResponse = z.infer<typeof blocksResponse>;

/** Offers that were captured, passed over or lost. */
export const BLOCK_ROUTES = {
  "GET /flex/v1/blocks": {
    summary: "Blocks that were captured, passed over or lost; newest first, 50 a page.",
    auth: "bearer",
    query: blocksQueryInput,
    responses: { 200: blocksResponse },
    errors: [],
  },
  "GET /flex/v1/blocks/passed-over": {
    summary:
      "What the filters passed over in the last seven days (the newest 2,000 offers), by reason, and what one change would have let through.",
    auth: "bearer",
    responses: { 200: passedOverResponse },
    errors: ["not_found", "rate_limited"],
  },
  "GET /flex/v1/blocks/{id}/other-offers": {
    summary: "Offers at the time of a held block that the driver's filters would take in its place.",
    auth: "bearer",
    params: heldBlockParams,
    responses: { 200: otherOffersResponse },
    errors: ["not_found"],
  },
  "POST /flex/v1/blocks/{id}/take-again": {
    summary: "Lets a block that the driver gave back be taken if it is offered again.",
    auth: "bearer",
    params: takeAgainParams,
    responses: { 204: null },
    errors: ["not_found"],
  },
} as const satisfies Record<string, ApiRoute>;

const CHECK_IN_ERRORS = [
  "not_found",
  "not_linked",
  "verification_required",
  "platform_unreachable",
  "platform_refused",
  "rate_limited",
] as const satisfies readonly CheckInError["code"][];

/** Checking in, also from the arrived frame. */
export const CHECK_IN_ROUTES = {
  "GET /flex/v1/user/im-here/data": {
    summary: "A token of ten minutes for the arrived frame.",
    auth: "bearer",
    responses: { 200: imHereResponse },
    errors: ["not_found"],
  },
  "GET /flex/v1/blocks/next": {
    summary: "The next block to check in to, and its warehouse.",
    auth: "arrived",
    responses: { 200: nextBlockResponse },
    errors: [],
  },
  "POST /flex/v1/blocks/{id}/check-in": {
    summary: "Checks in to a block at the position that the driver's device measured.",
    auth: "arrived",
    params: checkInParams,
    body: devicePosition,
    responses: { 200: checkInResponse },
    errors: CHECK_IN_ERRORS,
  },
} as const satisfies Record<string, ApiRoute>;
