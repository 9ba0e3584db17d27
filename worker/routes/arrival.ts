import { Hono, type Context } from "hono";
import * as z from "zod";
import type { ArrivalStep } from "../../durable/driver/arriving.ts";
import { blockId, type EpochMs } from "../../durable/engine/units.ts";
import {
  COARSEST_FIX_METERS,
  OLDEST_FIX_MS,
  position,
  type CheckInAnswer,
  type DevicePosition,
  type ImHereAnswer,
  type NextBlockAnswer,
} from "../contract/arrival.ts";
import { issueArrived } from "../http/arrived.ts";
import type { App } from "../http/context.ts";
import { Failure } from "../http/failure.ts";
import { validated } from "../http/validated.ts";
import { callersObject, callersRecord } from "./driver.ts";

/** The arrived frame's token. */
export const imHere = new Hono<App>().get("/data", async (c) => {
  const { keys, now } = c.var.deps;
  const { row } = await callersRecord(c);
  const answer: ImHereAnswer = { token: await issueArrived(keys, { driverId: row.id, now: now() }) };
  c.header("cache-control", "no-store");
  return c.json(answer, 200);
});

/** Where the driver arrives next, and saying so. Both are open to the arrived token too. */
export const arrival = new Hono<App>()
  .get("/next", async (c) => {
    const answer: NextBlockAnswer = await callersObject(c).arrivingAt();
    return c.json(answer, 200);
  })
  .post(
    "/:id/check-in",
    validated("param", z.object({ id: blockId })),
    validated("json", position),
    async (c) => {
      const fix = c.req.valid("json");
      refusePoorFix(fix, c.var.deps.now());
      return c.json(answerOf(c, await callersObject(c).checkIn(c.req.valid("param").id, fix)), 200);
    },
  );

/**
 * A fix that says nothing of where the driver is now. One from the future is a clock that is off.
 * @throws {Failure} `invalid_request`
 */
function refusePoorFix({ observedAt, accuracyMeters }: DevicePosition, now: EpochMs): void {
  if (Math.abs(now - observedAt) > OLDEST_FIX_MS) {
    throw new Failure("invalid_request", { fields: { observedAt: "invalid" } });
  }
  if (accuracyMeters > COARSEST_FIX_METERS) {
    throw new Failure("invalid_request", { fields: { accuracyMeters: "too_large" } });
  }
}

function answerOf(c: Context<App>, step: ArrivalStep): CheckInAnswer {
  if (step.ok) return step.answer;
  const { fault } = step;
  if (fault.code !== "rate_limited" || fault.retryAt === null) throw new Failure(fault.code);
  const waitMs = fault.retryAt - c.var.deps.now();
  throw new Failure(fault.code, { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });
}
