import * as z from "zod";
import { isBeaconOf } from "../../db/shapes/money/verify-beacon.ts";
import type { Deps } from "../../durable/deps.ts";
import { errorName } from "../../durable/runtime/describe-error.ts";

type BeaconDeps = Pick<Deps, "send" | "log"> & { config: Pick<Deps["config"], "beacon"> };

const REQUEST_LIMIT_MS = 10_000;

const answer = z.object({ round: z.number(), signature: z.string() });

/** A round's signature from the beacon's servers, verified; null if they don't have it or it isn't right. */
export async function fetchBeacon(
  { send, log, config }: BeaconDeps,
  { round, publicKey }: { round: number; publicKey: string },
): Promise<string | null> {
  const fail = (reason: string) => {
    log("error", "raffle.beacon.failed", { round, reason });
    return null;
  };
  try {
    const response = await send(
      new Request(`${config.beacon.url}/public/${round}`, { signal: AbortSignal.timeout(REQUEST_LIMIT_MS) }),
    );
    if (!response.ok) return fail(`status ${response.status}`);
    const given = answer.safeParse(await response.json());
    if (!given.success) return fail("unreadable");
    const { signature } = given.data;
    if (given.data.round !== round) return fail("another round");
    return (await isBeaconOf(round, { signature, publicKey })) ? signature : fail("wrong signature");
  } catch (error) {
    return fail(errorName(error));
  }
}
