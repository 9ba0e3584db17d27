import * as z from "zod/mini";
import { cityState, sharedState } from "../../db/shapes/city-health.ts";
import { epochMs } from "../../db/shapes/units.ts";
import { localDate } from "../../db/shapes/work/local-date.ts";
import type { ApiRoute } from "./api-route.ts";

/** How many days are shown. */
export const SHOWN_DAYS = 30;

/** A day of a city, by its own calendar. `unknown`: hardly any of it is known. */
export const cityDayHealth = z.object({
  date: localDate,
  state: cityState,
  slowMinutes: z.int(),
  downMinutes: z.int(),
});
export type CityDayHealth = z.infer<typeof cityDayHealth>;

/** How the platform treats the drivers of a city, without any figure of drivers, offers or calls. */
export const cityHealthNow = z.object({
  city: z.string(),
  timeZone: z.string(),
  state: cityState,
  /** When that began. */
  since: epochMs,
  /** Whether the cause is ours, and not the platform's. */
  isOurs: z.boolean(),
  /** The states of a driver's system that most drivers at work in the city are in. */
  shared: z.array(sharedState),
  /** The last 30 days, oldest first, today last. */
  days: z.array(cityDayHealth),
});
export type CityHealthNow = z.infer<typeof cityHealthNow>;

/** GET /status/platform: the cities in which something was known in the last 30 days, by name. */
export const platformHealthResponse = z.object({ cities: z.array(cityHealthNow) });
export type PlatformHealthResponse = z.infer<typeof platformHealthResponse>;

/** The platform's health, in public. */
export const PLATFORM_HEALTH_ROUTES = {
  "GET /status/platform": {
    summary: "How the delivery platform treats drivers in each city, now and in the last 30 days.",
    auth: "none",
    responses: { 200: platformHealthResponse },
    errors: [],
  },
} as const satisfies Record<string, ApiRoute>;
