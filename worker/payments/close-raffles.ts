import {
  closeEntries,
  listRaffleDrawEntries,
  listRafflesToClose,
} from "../../db/queries/operators/raffles.ts";
import { beaconRoundFrom } from "../../db/shapes/money/beacon.ts";
import {
  ENTRIES_CLOSE_AFTER_MS,
  entriesHashOf,
  ROUND_AHEAD_MS,
  ticketOf,
} from "../../db/shapes/money/raffle.ts";
import type { Deps } from "../../durable/deps.ts";

type ClosingDeps = Pick<Deps, "db" | "now" | "log"> & { config: Pick<Deps["config"], "beacon"> };

const RAFFLES_PER_RUN = 5;

/**
 * Every minute: closes the entries of raffles that ended a while ago, publishes their fingerprint, and names the round of the
 * public beacon that will draw them. From here on neither a payment nor a refund changes who takes part, and nobody knows the
 * round yet: whoever knows the seed can't bend the draw by either.
 */
export async function closeRaffles(deps: ClosingDeps): Promise<void> {
  const { db, now, log, config } = deps;
  for (const id of await listRafflesToClose(db, now() - ENTRIES_CLOSE_AFTER_MS, RAFFLES_PER_RUN)) {
    const entries = await listRaffleDrawEntries(db, id);
    const tickets = await Promise.all(
      entries.map(({ paymentId, driverId }) => ticketOf({ promotionId: id, paymentId, driverId })),
    );
    const at = now();
    const round = beaconRoundFrom(at + ROUND_AHEAD_MS);
    await closeEntries(db, {
      id,
      paymentIds: entries.map(({ paymentId }) => paymentId),
      tickets,
      entriesHash: await entriesHashOf(tickets),
      beaconRound: round,
      beaconKey: config.beacon.publicKey,
      now: at,
    });
    log("info", "raffle.closed", { raffle: id, entries: tickets.length, round });
  }
}
