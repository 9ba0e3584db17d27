import type { EarningsResponse } from "../../db/shapes/earnings.ts";
import type { PlatformFailure } from "../engine/types.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../deps.ts";
import { summarizeEarnings, weekRanges, type WeekRange } from "./earnings.ts";
import type { EarningItem, StoredEarnings } from "./storage/stored-shapes.ts";
import type { EventLoop } from "./event-loop.ts";
import type { Machine } from "./machine.ts";
import type { Store } from "./storage/store.ts";

/** So long an answer is good for. */
const CACHE_TTL_MS = 5 * MINUTE_MS;
/** And a failure. */
const FAILURE_TTL_MS = MINUTE_MS / 2;

type EarningsServiceDeps = { deps: Deps; store: Store; machine: Machine; loop: EventLoop };

/** What the driver earned, as the platform last said it. */
export class EarningsService {
  readonly #deps: Deps;
  readonly #store: Store;
  readonly #machine: Machine;
  readonly #loop: EventLoop;
  #pendingFetch: Promise<StoredEarnings | null> | null = null;
  /** A failure is kept for a moment, as an answer is. */
  #failedAt: EpochMs | null = null;

  constructor({ deps, store, machine, loop }: EarningsServiceDeps) {
    this.#deps = deps;
    this.#store = store;
    this.#machine = machine;
    this.#loop = loop;
  }

  /** At most a few minutes old, or what was known before, marked. Null where no account is linked, or none was ever read. */
  async fetch(): Promise<EarningsResponse["earnings"]> {
    const { owner, state } = this.#machine;
    if (!owner || state.link.status === "unlinked") return null;
    const { now } = this.#deps;
    const { timeZone } = owner;
    const cached = this.#store.state.earnings();
    if (cached && now() - cached.asOf < CACHE_TTL_MS) {
      return summarizeEarnings(cached, { now: now(), timeZone, isStale: false });
    }
    const hasJustFailed = this.#failedAt !== null && now() - this.#failedAt < FAILURE_TTL_MS;
    const fresh = hasJustFailed ? null : await this.#fetchOnce(timeZone);
    if (fresh) return summarizeEarnings(fresh, { now: now(), timeZone, isStale: false });
    // Read again: the account may have been unlinked meanwhile.
    const stale = this.#store.state.earnings();
    return stale && summarizeEarnings(stale, { now: now(), timeZone, isStale: true });
  }

  /** Another account, or none: what this one earned is not shown for it. */
  forget(): void {
    this.#pendingFetch = null;
    this.#failedAt = null;
    this.#store.state.write("earnings", null);
  }

  /** Whoever comes while the platform is being asked shares the answer. One that was overtaken by `forget` comes to nothing. */
  #fetchOnce(timeZone: string): Promise<StoredEarnings | null> {
    if (this.#pendingFetch) return this.#pendingFetch;
    const pending = this.#fetch(timeZone).then((facts) => {
      if (this.#pendingFetch !== pending) return null;
      this.#pendingFetch = null;
      if (facts) this.#store.state.write("earnings", facts);
      return facts;
    });
    this.#pendingFetch = pending;
    return pending;
  }

  async #fetch(timeZone: string): Promise<StoredEarnings | null> {
    const { now, platform } = this.#deps;
    const asOf = now();
    const { lastWeek, thisWeek } = weekRanges(asOf, timeZone);
    const [before, present, listed] = await Promise.all([
      this.#fetchWeek(lastWeek),
      this.#fetchWeek(thisWeek),
      this.#loop.request((accessToken) =>
        platform.listBlocks({ accessToken, from: lastWeek.from, to: thisWeek.to }),
      ),
    ]);
    if (before.kind !== "earnings" || present.kind !== "earnings" || listed.kind !== "blocks") {
      this.#failedAt = asOf;
      return null;
    }
    const starts = new Map<string, EpochMs>(
      listed.blocks.map(({ blockId, startsAt }) => [blockId, startsAt]),
    );
    const items = [...before.items, ...present.items].map((item) => ({
      ...item,
      startsAt: starts.get(item.blockId) ?? this.#store.events.wonBlockStartsAt(item.blockId),
    }));
    return { currency: present.currency, asOf, items };
  }

  /** One week's sum: asked for apart, so that a block that nobody lists still counts in its own week. */
  async #fetchWeek({
    monday,
    from,
    to,
  }: WeekRange): Promise<
    { kind: "earnings"; currency: string; items: Omit<EarningItem, "startsAt">[] } | PlatformFailure
  > {
    const result = await this.#loop.request((accessToken) =>
      this.#deps.platform.readEarnings({ accessToken, from, to }),
    );
    if (result.kind !== "earnings") return result;
    const { currency, items } = result.earnings;
    return {
      kind: "earnings",
      currency,
      items: items.map(({ blockId, amountCents, tipsCents }) => ({
        blockId,
        week: monday,
        cents: amountCents,
        tipsCents,
      })),
    };
  }
}
