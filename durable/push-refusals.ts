import type { Db } from "../db/client.ts";
import { raiseAlert } from "../db/queries/fleet/alerts.ts";
import { MINUTE_MS, type EpochMs } from "../db/shapes/units.ts";
import { errorName } from "./runtime/describe-error.ts";
import type { PushRefusals } from "./messaging/push.ts";
import type { Log } from "./runtime/log.ts";

const ALERT = "push.refused";
const IN_A_ROW = 3;
/** The alert ends by itself so long after the last that was refused, and is renewed so often meanwhile. */
const ALERT_LIFE_MS = 15 * MINUTE_MS;
const RENEW_MS = 5 * MINUTE_MS;

/** One browser may have subscribed with the keys of before, so it takes two: `first`, and whether another was refused since. */
type Seen = { inARow: number; first: string | null; areSeveral: boolean; toldAt: EpochMs | null };

/** Shared by all objects of this isolate, each of which sends few. Lost with the isolate, which counts anew. */
const seenHere: Seen = { inARow: 0, first: null, areSeveral: false, toldAt: null };

/** Raises an alert where push services refuse notification after notification, as with keys of two pairs. */
export function createPushRefusals(
  { db, now, log }: { db: Db; now: () => EpochMs; log: Log },
  seen: Seen = seenHere,
): PushRefusals {
  return {
    noteAccepted() {
      Object.assign(seen, { inARow: 0, first: null, areSeveral: false });
    },
    async noteRefused(status, endpoint) {
      seen.inARow += 1;
      seen.first ??= endpoint;
      seen.areSeveral ||= endpoint !== seen.first;
      const at = now();
      if (!seen.areSeveral || seen.inARow < IN_A_ROW) return;
      if (seen.toldAt !== null && Math.abs(at - seen.toldAt) < RENEW_MS) return;
      seen.toldAt = at;
      const alert = { name: ALERT, reason: String(status), since: at, until: at + ALERT_LIFE_MS };
      try {
        if (await raiseAlert(db, alert)) log("error", "push.refused", { status });
      } catch (error) {
        log("warn", "push.alert.failed", { error: errorName(error) });
      }
    },
  };
}
