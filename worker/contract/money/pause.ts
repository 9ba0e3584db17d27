import { pauseInput, pauseResponse } from "../../../db/shapes/money/pause.ts";
import type { ApiRoute } from "../api-route.ts";

/** Pausing the days of service. */
export const PAUSE_ROUTES = {
  "GET /flex/v1/pause": {
    summary: "The pause of the driver's service that runs, and what the year still has.",
    auth: "bearer",
    responses: { 200: pauseResponse },
    errors: ["not_found"],
  },
  "POST /flex/v1/pause": {
    summary:
      "Pauses the driver's service for whole days from now on. Where that isn't possible, the response says why.",
    auth: "bearer",
    body: pauseInput,
    responses: { 200: pauseResponse },
    errors: ["not_found"],
  },
  "DELETE /flex/v1/pause": {
    summary: "Ends the pause that runs. What is left of it no longer delays the end of the service.",
    auth: "bearer",
    responses: { 200: pauseResponse },
    errors: ["not_found"],
  },
} as const satisfies Record<string, ApiRoute>;
