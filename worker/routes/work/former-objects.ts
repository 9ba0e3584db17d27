import type { Deps } from "../../../durable/deps.ts";
import { describeError } from "../../../durable/runtime/describe-error.ts";
import type { DriverId, DurationMs } from "../../../db/shapes/units.ts";

/** Within what the runtime allows after a response. */
const WAITS_MS: readonly DurationMs[] = [0, 2_000, 10_000];

/**
 * Lets objects of a former region look whether the driver has linked another since: until one does, two look for blocks of one
 * driver. An object that no try reaches asks within the hour.
 */
export async function wakeFormerObjects(
  deps: Pick<Deps, "objectsOf" | "sleep" | "log">,
  driverId: DriverId,
): Promise<void> {
  for (const waitMs of WAITS_MS) {
    await deps.sleep(waitMs);
    try {
      const [, ...former] = await deps.objectsOf(driverId);
      await Promise.all(former.map((object) => object.wake()));
      return;
    } catch (error) {
      deps.log("warn", "driver.left.unwoken", { driverId, ...describeError(error) });
    }
  }
}
