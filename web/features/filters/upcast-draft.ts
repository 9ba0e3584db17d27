import * as z from "zod/mini";
import { filters } from "../../../db/shapes/filters.ts";
import { isRecord, type Upcast } from "../../../db/shapes/versioned.ts";

/** The first drafts were stored without `base`. */
export const upcastDraftV0: Upcast = (stored) =>
  isRecord(stored) ? { ...stored, base: z.safeParse(filters, stored["base"]).data ?? null } : stored;
