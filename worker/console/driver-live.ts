import type { Snapshot } from "../../db/shapes/work/live.ts";
import type { DriverId, DurationMs } from "../../db/shapes/units.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import type { DriverLiveResponse } from "../contract/console/operator-drivers.ts";
import type { ConsoleContext } from "./acts.ts";

/** An operator who looks at a driver does not wait longer for the object. */
const ANSWERS_WITHIN_MS: DurationMs = 8_000;

/** The driver's dashboard now, or why the object has none. */
export async function loadDriverLive(
  { deps }: Pick<ConsoleContext, "deps">,
  driverId: DriverId,
): Promise<DriverLiveResponse> {
  try {
    return { snapshot: await withinTime(deps.driver(driverId).snapshot()), failure: null };
  } catch (error) {
    const described = describeError(error);
    deps.log("error", "console.live.failed", { driverId, ...described });
    const thrown = [described, ...described.causes];
    // The caller's own frames say nothing of the object.
    const place = thrown.findLast(({ frames }) => frames.length > 0)?.frames[0] ?? null;
    return { snapshot: null, failure: { errors: thrown.map((one) => one.error), place } };
  }
}

async function withinTime(answer: Promise<Snapshot>): Promise<Snapshot> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ObjectLateError()), ANSWERS_WITHIN_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The object did not answer in time. */
class ObjectLateError extends Error {
  override name = "ObjectLateError";
}
