import * as z from "zod/mini";
import { localDate } from "../../../db/shapes/work/local-date.ts";
import type { ApiRoute } from "../api-route.ts";

/** A date on which the system could not work for a while, through no doing of the driver's, and what was given back for it. */
export const lostDay = z.object({ date: localDate, lostMs: z.int(), givenMs: z.int() });
export type LostDayLine = z.infer<typeof lostDay>;

/** GET /flex/v1/lost-days: the last 31 such dates, newest first. A date is there once it is over. */
export const lostDaysResponse = z.object({ days: z.array(lostDay) });
export type LostDaysResponse = z.infer<typeof lostDaysResponse>;

/** Lost time that comes back. */
export const LOST_DAY_ROUTES = {
  "GET /flex/v1/lost-days": {
    summary:
      "The days on which the system could not work for a while, and the service time given back for them.",
    auth: "bearer",
    responses: { 200: lostDaysResponse },
    errors: [],
  },
} as const satisfies Record<string, ApiRoute>;
