import * as z from "zod/mini";
import * as announcement from "../../db/shapes/announcement.ts";
import * as pause from "../../db/shapes/money/pause.ts";
import * as rewards from "../../db/shapes/money/rewards.ts";
import * as cityHours from "../../db/shapes/work/city-hours.ts";
import * as cityHealth from "../../db/shapes/city-health.ts";
import * as notifications from "../../db/shapes/notifications.ts";
import * as attempt from "../../db/shapes/log/attempt.ts";
import * as checkIn from "../../db/shapes/work/check-in.ts";
import * as checks from "../../db/shapes/work/checks.ts";
import * as driverLog from "../../db/shapes/log/driver-log.ts";
import * as earnings from "../../db/shapes/work/earnings.ts";
import * as filterChange from "../../db/shapes/work/filter-change.ts";
import * as filters from "../../db/shapes/work/filters.ts";
import * as givenBack from "../../db/shapes/work/given-back.ts";
import * as linking from "../../db/shapes/work/linking.ts";
import * as live from "../../db/shapes/work/live.ts";
import * as offer from "../../db/shapes/work/offer.ts";
import * as offerHours from "../../db/shapes/work/offer-hours.ts";
import * as otherOffers from "../../db/shapes/work/other-offers.ts";
import * as passedOverGroups from "../../db/shapes/log/passed-over.ts";
import * as phase from "../../db/shapes/work/phase.ts";
import * as replayReports from "../../db/shapes/work/replay.ts";
import * as verdict from "../../db/shapes/work/verdict.ts";
import { CONTRACTS } from "./api-routes.ts";
import * as errorResponse from "./error-response.ts";
import * as sealedBody from "./sealed-body.ts";

const SHAPES: readonly object[] = [
  announcement,
  attempt,
  checkIn,
  checks,
  cityHealth,
  cityHours,
  driverLog,
  earnings,
  errorResponse,
  filterChange,
  filters,
  givenBack,
  linking,
  live,
  notifications,
  offer,
  offerHours,
  otherOffers,
  passedOverGroups,
  pause,
  phase,
  replayReports,
  rewards,
  sealedBody,
  verdict,
];

/** Shapes that have a name in the document: single values are described where they stand. */
const NAMED_TYPES: ReadonlySet<string> = new Set(["object", "union", "enum"]);

function isNamedShape(value: unknown): value is z.ZodMiniType {
  return value instanceof z.ZodMiniType && NAMED_TYPES.has(value._zod.def.type);
}

/**
 * The shapes of the API by the name that each has in the document: `blocksResponse`, which a contract exports, is
 * `BlocksResponse`. Every body of a call is one of them.
 */
export const API_SCHEMAS: ReadonlyMap<string, z.ZodMiniType> = new Map(
  [...SHAPES, ...CONTRACTS]
    .flatMap((module) => Object.entries<unknown>({ ...module }))
    .flatMap(([name, shape]) =>
      isNamedShape(shape) ? [[name.charAt(0).toUpperCase() + name.slice(1), shape] as const] : [],
    ),
);
