import * as z from "zod/mini";
import { language } from "../../../db/shapes/language.ts";
import { shownPlan } from "../../../db/shapes/money/plans.ts";
import { readsAs } from "../../../db/shapes/tolerant.ts";
import { cents, epochMs } from "../../../db/shapes/units.ts";
import type { ApiRoute } from "../api-route.ts";

/** The terms that a driver agreed to, and how they stand now. `ended`: it was turned off, or another consent has its place. */
export const renewalTerms = z.object({
  status: readsAs(z.enum(["on", "paused", "ended"]), "on"),
  plan: shownPlan,
  /** The most that is charged. */
  capCents: cents,
  currency: z.string(),
  /** The version of the words that were agreed to. */
  words: z.int(),
  agreedAt: epochMs,
  /** When it was turned off; null while it is not. */
  withdrawnAt: z.nullable(epochMs),
});
export type RenewalTerms = z.infer<typeof renewalTerms>;

/** GET /flex/v1/renewal-link: what the link in a text ends. */
export const renewalLinkResponse = z.extend(renewalTerms, {
  /** The language of the text. */
  language,
});
export type RenewalLinkResponse = z.infer<typeof renewalLinkResponse>;

/** The link that turns a renewal off without signing in. */
export const RENEWAL_LINK_ROUTES = {
  "GET /flex/v1/renewal-link": {
    summary: "The renewal that a link turns off, and what was agreed to. Reading it changes nothing.",
    auth: "owner_link",
    responses: { 200: renewalLinkResponse },
    errors: ["undo_expired"],
  },
  "POST /flex/v1/renewal-link": {
    summary: "Turns it off, with what is being charged if the bank still allows that. It works once.",
    auth: "owner_link",
    responses: { 204: null },
    errors: ["undo_expired"],
  },
} as const satisfies Record<string, ApiRoute>;
