import { readDriver, readRevision } from "../../db/queries/drivers.ts";
import { beat, stopBeating } from "../../db/queries/heartbeats.ts";
import type { Deps } from "../deps.ts";
import type { Profile } from "../engine/types.ts";
import { MINUTE_MS, type EpochMs } from "../engine/units.ts";
import { errorName } from "../log.ts";
import { objectName } from "./name.ts";
import { flushOutbox } from "./outbox.ts";
import type { Store } from "./store.ts";
import { identityOf, type Identity } from "./stored.ts";

const BEAT_EVERY_MS = MINUTE_MS;
/** Later than this after the promised instant, the watchdog looks after the object. */
const BEAT_GRACE_MS = 2 * MINUTE_MS;
const PRUNE_EVERY_MS = 60 * MINUTE_MS;

/** What housekeeping asks of the object. */
export type Household = {
  /** When the object wakes next; null where it waits for nothing. */
  nextAt: () => EpochMs | null;
  /** The revision of the copy that the object has. */
  revision: () => number;
  /** Takes a newer copy. */
  take: (owner: Identity, profile: Profile) => Promise<void>;
};

/** What may wait: copies to D1, texts, the heartbeat. It runs beside the capture, never before it. */
export class Housekeeping {
  readonly #deps: Deps;
  readonly #store: Store;
  readonly #household: Household;
  #running: Promise<void> | null = null;
  #beatAt: EpochMs = 0;
  #prunedAt: EpochMs = 0;

  constructor(household: Household, { deps, store }: { deps: Deps; store: Store }) {
    this.#household = household;
    this.#deps = deps;
    this.#store = store;
  }

  /** The next round beats, however short a while ago the last did: what was promised has changed. */
  beatSoon(): void {
    this.#beatAt = 0;
  }

  /** One round, or the one under way. Never throws. */
  run(owner: Identity): Promise<void> {
    this.#running ??= this.#round(owner)
      .catch((error: unknown) => {
        const facts = { driverId: owner.driverId, error: errorName(error) };
        this.#deps.log("warn", "driver.housekeeping.failed", facts);
      })
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  /** Waits for the round under way. */
  async rest(): Promise<void> {
    await this.#running;
  }

  /** Sends what waits, now. */
  flush(owner: Identity): Promise<void> {
    const { db, sms, push, log, now } = this.#deps;
    return flushOutbox(owner, { store: this.#store, db, sms, push, log, now });
  }

  async #round(owner: Identity): Promise<void> {
    const now = this.#deps.now();
    await this.flush(owner);
    if (now - this.#prunedAt >= PRUNE_EVERY_MS) {
      this.#prunedAt = now;
      this.#store.events.prune(now);
    }
    if (now - this.#beatAt < BEAT_EVERY_MS) return;
    this.#beatAt = now;
    await this.#beat(owner, now);
    await this.#catchUp(owner);
  }

  async #beat(owner: Identity, now: EpochMs): Promise<void> {
    const { db, config } = this.#deps;
    const nextAt = this.#household.nextAt();
    if (nextAt === null) return stopBeating(db, owner.driverId);
    await beat(db, owner.driverId, {
      objectName: objectName(config.platform.region, owner.driverId),
      dueAt: Math.max(nextAt, now + BEAT_EVERY_MS) + BEAT_GRACE_MS,
    });
  }

  /** A copy that was lost on its way from D1 is fetched. */
  async #catchUp(owner: Identity): Promise<void> {
    const { db } = this.#deps;
    const revision = await readRevision(db, owner.driverId);
    if (revision === null || revision <= this.#household.revision()) return;
    const record = await readDriver(db, owner.driverId);
    if (record) await this.#household.take(identityOf(record), record.profile);
  }
}
