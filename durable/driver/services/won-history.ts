import {
  deleteTakenBlocks,
  leaveBlocks,
  listWaitingBlocks,
  listWonDays,
  replaceWonDays,
} from "../../../db/queries/work/blocks-won.ts";
import {
  NEWEST_WON,
  wonDayOf,
  type WonBlock,
  type WonDay,
  type WonPosition,
  type WonSum,
  type LogEntry,
} from "../../../db/shapes/log/driver-log.ts";
import type { DriverId } from "../../../db/shapes/units.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { Deps } from "../../deps.ts";
import { isNamedByOffer } from "../../engine/complete-blocks.ts";
import type { DriverState } from "../../engine/state/types.ts";
import type { Store } from "../storage/store.ts";

/** How many blocks go to or come from D1 at once. */
const CARRIED = 200;

type WonHistoryDeps = { db: Deps["db"]; store: Pick<Store, "wonBlocks"> };

/**
 * The driver's captured blocks, which stand in the object for good; D1 has the sums of each day. The object takes over blocks
 * that D1 still holds of a former release, or of the driver's object in a former region, before anybody reads.
 */
export class WonHistory {
  readonly #deps: WonHistoryDeps;
  #taking: Promise<void> | null = null;

  constructor(deps: WonHistoryDeps) {
    this.#deps = deps;
  }

  /** One page after a position, newest first. @throws if it is the first, and D1 does not answer */
  async page(driverId: DriverId | null, page: { after: WonPosition; limit: number }): Promise<WonBlock[]> {
    if (page.after.at === NEWEST_WON.at) await this.takeOver(driverId);
    return this.#deps.store.wonBlocks.page(page).map(({ seq, at, block }) => ({ seq, at, block }));
  }

  /** The sums of all of them, by currency. @throws if D1 does not answer */
  async sums(driverId: DriverId | null): Promise<WonSum[]> {
    await this.takeOver(driverId);
    return this.#deps.store.wonBlocks.sums();
  }

  /** Takes the blocks that wait in D1. Stored here before they are deleted there. */
  async takeOver(driverId: DriverId | null): Promise<void> {
    if (driverId === null) return;
    this.#taking ??= this.#takeAll(driverId).finally(() => {
      this.#taking = null;
    });
    await this.#taking;
  }

  /** Mends the days of which D1 has other sums, as after it was restored. Days that only D1 knows stay. */
  async compare(driverId: DriverId): Promise<void> {
    const { db, store } = this.#deps;
    const known = new Set((await listWonDays(db, driverId)).map(keyOf));
    const other = store.wonBlocks.days().filter((sum) => !known.has(keyOf(sum)));
    await this.sendDays(
      driverId,
      other.map(({ day }) => day),
    );
  }

  /** Sends the sums of days as they are now. */
  async sendDays(driverId: DriverId, days: readonly number[]): Promise<void> {
    const { db, store } = this.#deps;
    const distinct = [...new Set(days)];
    if (distinct.length === 0) return;
    const sums = distinct.flatMap((day) => store.wonBlocks.days(day));
    await replaceWonDays(db, { driverId, days: distinct }, sums);
  }

  /** Leaves all blocks in D1 for the driver's other object. */
  async leave(driverId: DriverId): Promise<void> {
    const { db, store } = this.#deps;
    for (let after = NEWEST_WON; ;) {
      const blocks = store.wonBlocks.page({ after, limit: CARRIED });
      const last = blocks.at(-1);
      if (!last) return;
      await leaveBlocks(db, driverId, blocks);
      after = { at: last.at, blockId: last.block.blockId };
    }
  }

  async #takeAll(driverId: DriverId): Promise<void> {
    const { db, store } = this.#deps;
    for (;;) {
      const waiting = await listWaitingBlocks(db, driverId, CARRIED);
      if (waiting.length === 0) return;
      for (const { rowId, ...captured } of waiting) store.wonBlocks.add(captured, -rowId);
      await this.sendDays(
        driverId,
        waiting.map(({ block }) => wonDayOf(block.acceptedAt)),
      );
      await deleteTakenBlocks(db, driverId, waiting);
    }
  }
}

function keyOf({ day, currency, blocks, payCents, minutes }: WonDay): string {
  return [day, currency, blocks, payCents, minutes].join(" ");
}

/** Replaces the blocks in log entries with their present state on the platform, for example checked in or given back. */
export function withCurrentStatus(rows: readonly LogEntry[], held: DriverState["held"]): LogEntry[] {
  return rows.map(({ seq, event }) => {
    if (event.kind !== "attempt_settled" || event.attempt.outcome.status !== "won") return { seq, event };
    const block = currentBlock(event.attempt.outcome.block, held);
    return { seq, event: { ...event, attempt: { ...event.attempt, outcome: { status: "won", block } } } };
  });
}

function currentBlock(block: Block, held: DriverState["held"]): Block {
  const listed = held.find(({ blockId }) => blockId === block.blockId);
  if (listed || !isNamedByOffer(block)) return listed ?? block;
  return held.find(({ offerId }) => offerId === block.offerId) ?? block;
}
