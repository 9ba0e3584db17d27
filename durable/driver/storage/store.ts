import { DAY_MS, type EpochMs } from "../../../db/shapes/units.ts";
import type { DriverState } from "../../engine/state/types.ts";
import type { Log } from "../../runtime/log.ts";
import { migrate, WON_BLOCKS_STEP } from "./migrations.ts";
import { AnnouncementPushTable, PushSubscriptionTable } from "./tables/push-subscriptions.ts";
import { AttemptTable } from "./tables/attempts.ts";
import { EventTable } from "./tables/events.ts";
import { HeldBlockTable } from "./tables/held-blocks.ts";
import { LiveSessionTable, UsedTicketTable } from "./tables/live-sessions.ts";
import { ListingTable } from "./tables/listings.ts";
import { OutboxTable } from "./tables/outbox.ts";
import { SentTextTable } from "./tables/sent-texts.ts";
import { StateTable, type MachineField } from "./tables/state.ts";
import { UnreadableRows } from "./tables/unreadable-rows.ts";
import { VerdictTable } from "./tables/verdicts.ts";
import { WonBlockTable } from "./tables/won-blocks.ts";
import { CLEAN_THROTTLE, escalateThrottle } from "../../engine/state/cadence.ts";

/** How long the log is kept, and with it the lists of rejected and lost offers. Captured blocks stay. */
const LOG_RETENTION_MS = 30 * DAY_MS;

type StoreDeps = {
  log: Log;
  now: () => EpochMs;
  objectName: string | null;
  /** The public key that pushes are signed for; null, or left out, where none are sent. */
  vapidKey?: string | null;
};

/**
 * The object's SQLite database. All table methods are synchronous, so everything between two awaits is one
 * transaction. Each row has the version of its shape. A row that can't be parsed is set aside; it never throws.
 */
export class Store {
  readonly #storage: DurableObjectStorage;
  readonly #now: () => EpochMs;
  readonly #attempts: AttemptTable;
  readonly #verdicts: VerdictTable;
  readonly state: StateTable;
  readonly events: EventTable;
  readonly outbox: OutboxTable;
  readonly pushSubscriptions: PushSubscriptionTable;
  readonly sentTexts: SentTextTable;
  readonly announcementPushes: AnnouncementPushTable;
  readonly tickets: UsedTicketTable;
  readonly liveSessions: LiveSessionTable;
  readonly wonBlocks: WonBlockTable;
  readonly heldBlocks: HeldBlockTable;
  readonly listings: ListingTable;
  readonly unreadable: UnreadableRows;

  constructor(storage: DurableObjectStorage, deps: StoreDeps) {
    this.#storage = storage;
    this.#now = deps.now;
    const steps = migrate(storage);
    this.unreadable = new UnreadableRows(storage.sql, deps);
    this.#attempts = new AttemptTable(storage.sql, this.unreadable);
    this.#verdicts = new VerdictTable(storage.sql, this.unreadable);
    this.state = new StateTable(storage.sql, this.unreadable);
    this.events = new EventTable(storage.sql, this.unreadable);
    this.outbox = new OutboxTable(storage.sql, this.unreadable);
    this.pushSubscriptions = new PushSubscriptionTable(storage.sql, this.unreadable, {
      state: this.state,
      vapidKey: deps.vapidKey ?? null,
    });
    this.sentTexts = new SentTextTable(storage.sql, this.unreadable);
    this.announcementPushes = new AnnouncementPushTable(storage.sql);
    this.tickets = new UsedTicketTable(storage.sql);
    this.liveSessions = new LiveSessionTable(storage.sql);
    this.wonBlocks = new WonBlockTable(storage.sql, this.unreadable);
    this.heldBlocks = new HeldBlockTable(storage.sql, this.unreadable);
    this.listings = new ListingTable(storage.sql);
    if (steps > 0 && steps < WON_BLOCKS_STEP) this.#keepLoggedCaptures();
  }

  /** A former release had captured blocks in the log alone, which forgets them. */
  #keepLoggedCaptures(): void {
    const whole = { cursor: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER };
    for (const { seq, event } of this.events.list("won", whole))
      if (event.kind === "attempt_settled" && event.attempt.outcome.status === "won") {
        const { attemptId, outcome } = event.attempt;
        this.wonBlocks.add({ attemptId, block: outcome.block }, seq);
      }
  }

  /** The saved state, with fields that were never saved and the transient part from `initial`. */
  load(initial: DriverState): DriverState {
    const { fields, lost } = this.state.load();
    const saved = {
      ...initial,
      ...fields,
      verdicts: this.#verdicts.load(),
      ...this.#attempts.load(),
    };
    const now = this.#now();
    const state = replaceLostFields(saved, { lost, freshKeyPrefix: initial.keyPrefix, now });
    this.save(saved, state);
    // As after a sign-out by the platform, D1's record must show that the account is not linked.
    if (state.link !== saved.link)
      this.outbox.add({ kind: "record_changed", change: { proxyInstalled: false } }, now);
    return state;
  }

  /** Writes what changed between two states, compared by reference. An idle poll writes nothing. */
  save(before: DriverState, after: DriverState): void {
    this.state.save(before, after);
    if (before.verdicts !== after.verdicts) this.#verdicts.save(before.verdicts, after.verdicts);
    if (before.openAttempts !== after.openAttempts || before.doubtedAttempts !== after.doubtedAttempts)
      this.#attempts.save(before, after);
  }

  /** Deletes rows past the retention period. */
  prune(now: EpochMs): void {
    this.events.prune(now - LOG_RETENTION_MS);
    this.listings.prune(now - LOG_RETENTION_MS);
    this.unreadable.prune(now - LOG_RETENTION_MS);
    this.#attempts.prune(now - LOG_RETENTION_MS);
    this.sentTexts.prune(now);
    this.announcementPushes.prune(now - LOG_RETENTION_MS);
    this.heldBlocks.prune(now);
  }

  /** Deletes everything and recreates the schema. */
  async reset(): Promise<void> {
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
    this.state.forget();
    this.outbox.forget();
    migrate(this.#storage);
  }
}

/**
 * Replaces machine fields that could not be parsed. They already have their initial values, which are safe for most:
 * without a profile the driver is off until it is loaded from D1, and held blocks are fetched before the next accept.
 * This handles the fields whose initial value is not safe.
 */
function replaceLostFields(
  state: DriverState,
  { lost, freshKeyPrefix, now }: { lost: ReadonlySet<MachineField>; freshKeyPrefix: string; now: EpochMs },
): DriverState {
  if (lost.size === 0) return state;
  const next = { ...state };
  // Linking again restores both. A driver who was never linked has no warehouses to lose.
  if (lost.has("link") || lost.has("warehouses")) next.link = { status: "signed_out" };
  // The platform may have asked us to wait, so start with the first step of the throttle.
  if (lost.has("throttle")) next.throttle = escalateThrottle(CLEAN_THROTTLE, { now, retryAt: null });
  // Attempt ids are idempotency keys, so no id may be used twice.
  if (lost.has("keyPrefix") || lost.has("attemptSeq")) {
    next.keyPrefix = freshKeyPrefix;
    next.attemptSeq = 0;
  }
  return next;
}
