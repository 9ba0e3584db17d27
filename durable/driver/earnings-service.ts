import type { EarningsResponse } from "../../db/shapes/earnings.ts";
import type { PlatformFailure } from "../engine/types.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { Platform } from "../platform/client.ts";
import type { TokenManager } from "../platform/token-manager.ts";
import { summarizeEarnings, weekRanges, type WeekRange } from "./earnings.ts";
import type { EarningItem, StoredEarnings } from "./storage/stored-shapes.ts";
import type { Store } from "./storage/store.ts";

/** So long an answer is good for. */
const CACHE_TTL_MS = 5 * MINUTE_MS;
/** After a failure the platform is left alone for so long, or for as long as it said. */
const RETRY_AFTER_FAILURE_MS = MINUTE_MS / 2;

type EarningsServiceDeps = {
  platform: Pick<Platform, "readEarnings" | "listBlocks">;
  store: Pick<Store, "state" | "events">;
  now: () => EpochMs;
};

/** Who asks. `quietUntil` is the end of the wait that the platform asked of the capture; earnings wait with it. */
type EarningsRequest = { tokens: TokenManager; timeZone: string; throttledUntil: EpochMs | null };

/** What the driver earned, as the platform last said it. */
export class EarningsService {
  readonly #deps: EarningsServiceDeps;
  #pendingFetch: Promise<StoredEarnings | null> | null = null;
  #retryAt: EpochMs = 0;

  constructor(parts: EarningsServiceDeps) {
    this.#deps = parts;
  }

  /** At most a few minutes old, or what was known before, marked. Null where nothing was ever read. */
  async fetch(request: EarningsRequest): Promise<EarningsResponse["earnings"]> {
    const { store, now } = this.#deps;
    const { timeZone } = request;
    const cached = store.state.earnings();
    if (cached && now() - cached.asOf < CACHE_TTL_MS) {
      return summarizeEarnings(cached, { now: now(), timeZone, isStale: false });
    }
    const mustWait = now() < Math.max(this.#retryAt, request.throttledUntil ?? 0);
    const fresh = mustWait ? null : await this.#fetchOnce(request);
    if (fresh) return summarizeEarnings(fresh, { now: now(), timeZone, isStale: false });
    // Read again: the account may have been unlinked meanwhile.
    const stale = store.state.earnings();
    return stale && summarizeEarnings(stale, { now: now(), timeZone, isStale: true });
  }

  /** Another account, or none: what this one earned is not shown for it. */
  forget(): void {
    this.#pendingFetch = null;
    this.#retryAt = 0;
    this.#deps.store.state.write("earnings", null);
  }

  /** Whoever comes while the platform is being asked shares the answer. One that was overtaken by `forget` comes to nothing. */
  #fetchOnce(request: EarningsRequest): Promise<StoredEarnings | null> {
    if (this.#pendingFetch) return this.#pendingFetch;
    const pending = this.#fetch(request).then((facts) => {
      if (this.#pendingFetch !== pending) return null;
      this.#pendingFetch = null;
      if (facts) this.#deps.store.state.write("earnings", facts);
      return facts;
    });
    this.#pendingFetch = pending;
    return pending;
  }

  async #fetch(request: EarningsRequest): Promise<StoredEarnings | null> {
    const { now, platform, store } = this.#deps;
    const asOf = now();
    const { lastWeek, thisWeek } = weekRanges(asOf, request.timeZone);
    const [before, present, listed] = await Promise.all([
      this.#fetchWeek(request, lastWeek),
      this.#fetchWeek(request, thisWeek),
      request.tokens.withToken((accessToken) =>
        platform.listBlocks({ accessToken, from: lastWeek.from, to: thisWeek.to }),
      ),
    ]);
    for (const result of [before, present, listed]) {
      if (result.kind === "earnings" || result.kind === "blocks") continue;
      this.#retryAt = asOf + RETRY_AFTER_FAILURE_MS;
      if (result.kind === "rate_limited" && result.retryAt !== null) this.#retryAt = result.retryAt;
    }
    if (before.kind !== "earnings" || present.kind !== "earnings" || listed.kind !== "blocks") return null;
    const starts = new Map<string, EpochMs>(
      listed.blocks.map(({ blockId, startsAt }) => [blockId, startsAt]),
    );
    const items = [...before.items, ...present.items].map((item) => ({
      ...item,
      startsAt: starts.get(item.blockId) ?? store.events.wonBlockStartsAt(item.blockId),
    }));
    return { currency: present.currency, asOf, items };
  }

  /** One week's sum: asked for apart, so that a block that nobody lists still counts in its own week. */
  async #fetchWeek(
    { tokens }: EarningsRequest,
    { monday, from, to }: WeekRange,
  ): Promise<
    { kind: "earnings"; currency: string; items: Omit<EarningItem, "startsAt">[] } | PlatformFailure
  > {
    const result = await tokens.withToken((accessToken) =>
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
