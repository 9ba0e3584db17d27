import * as z from "zod/mini";
import { check } from "../../../db/shapes/work/checks.ts";
import type { ApiRoute } from "../api-route.ts";

/** GET /flex/v1/checks: a line of each subject, in their order. */
export const checksResponse = z.object({ checks: z.readonly(z.array(check)) });
export type ChecksResponse = z.infer<typeof checksResponse>;

/** Everything that has to be right for a capture. */
export const CHECK_ROUTES = {
  "GET /flex/v1/checks": {
    summary: "Checks everything that a capture needs, and the ways to tell the driver of one.",
    auth: "bearer",
    responses: { 200: checksResponse },
    errors: ["not_found"],
  },
} as const satisfies Record<string, ApiRoute>;
