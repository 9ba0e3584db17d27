import {
  checkInParams,
  checkInResponse,
  devicePosition,
  imHereResponse,
  nextBlockResponse,
  type CheckInError,
} from "../../../db/shapes/work/check-in.ts";
import type { ApiRoute } from "../api-route.ts";

const CHECK_IN_ERRORS = [
  "not_found",
  "not_linked",
  "verification_required",
  "platform_unreachable",
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
