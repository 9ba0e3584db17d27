import * as z from "zod/mini";
import { offer } from "./offer.ts";

/**
 * GET /flex/v1/blocks/{id}/other-offers: offers to take in its place, the best pay first. Null while no listing
 * is recent enough to say.
 */
export const otherOffersResponse = z.object({ offers: z.nullable(z.array(offer)) });
export type OtherOffersResponse = z.infer<typeof otherOffersResponse>;
