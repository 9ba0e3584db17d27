import type { EarningsAnswer } from "../../worker/contract/earnings.ts";
import type { PlatformFailure } from "../engine/types.ts";
import { MINUTE_MS, type EpochMs } from "../engine/units.ts";
import type { Platform } from "../platform/client.ts";
import type { TokenKeeper } from "../platform/tokens.ts";
import { foldEarnings, weeksOf, type Earned, type EarningsFacts, type WeekSpan } from "./earnings.ts";
import type { Store } from "./store.ts";

/** So long an answer is good for. */
const FRESH_MS = 5 * MINUTE_MS;
/** After a failure the platform is left alone for so long, or for as long as it said. */
const AGAIN_MS = MINUTE_MS / 2;

type Parts = {
  platform: Pick<Platform, "readEarnings" | "listBlocks">;
  store: Pick<Store, "state" | "events">;
  now: () => EpochMs;
};

/** Who asks. `quietUntil` is the end of the wait that the platform asked of the capture; earnings wait with it. */
type Asker = { tokens: TokenKeeper; timeZone: string; quietUntil: EpochMs | null };

/** What the driver earned, as the platform last said it. */
export class EarningsDesk {
  readonly #parts: Parts;
  #reading: Promise<EarningsFacts | null> | null = null;
  #askAgainAt: EpochMs = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** At most a few minutes old, or what was known before, marked. Null where nothing was ever read. */
  async read(asker: Asker): Promise<EarningsAnswer["earnings"]> {
    const { store, now } = this.#parts;
    const { timeZone } = asker;
    const known = store.state.earnings();
    if (known && now() - known.asOf < FRESH_MS) {
      return foldEarnings(known, { now: now(), timeZone, isStale: false });
    }
    const isHeldBack = now() < Math.max(this.#askAgainAt, asker.quietUntil ?? 0);
    const fresh = isHeldBack ? null : await this.#askOnce(asker);
    if (fresh) return foldEarnings(fresh, { now: now(), timeZone, isStale: false });
    // Read again: the account may have been unlinked meanwhile.
    const before = store.state.earnings();
    return before && foldEarnings(before, { now: now(), timeZone, isStale: true });
  }

  /** Another account, or none: what this one earned is not shown for it. */
  forget(): void {
    this.#reading = null;
    this.#askAgainAt = 0;
    this.#parts.store.state.write("earnings", null);
  }

  /** Whoever comes while the platform is being asked shares the answer. One that was overtaken by `forget` comes to nothing. */
  #askOnce(asker: Asker): Promise<EarningsFacts | null> {
    if (this.#reading) return this.#reading;
    const reading = this.#ask(asker).then((facts) => {
      if (this.#reading !== reading) return null;
      this.#reading = null;
      if (facts) this.#parts.store.state.write("earnings", facts);
      return facts;
    });
    this.#reading = reading;
    return reading;
  }

  async #ask(asker: Asker): Promise<EarningsFacts | null> {
    const { now, platform, store } = this.#parts;
    const asOf = now();
    const { lastWeek, thisWeek } = weeksOf(asOf, asker.timeZone);
    const [before, present, listed] = await Promise.all([
      this.#week(asker, lastWeek),
      this.#week(asker, thisWeek),
      asker.tokens.withToken((accessToken) =>
        platform.listBlocks({ accessToken, from: lastWeek.from, to: thisWeek.to }),
      ),
    ]);
    for (const answer of [before, present, listed]) {
      if (answer.kind === "earnings" || answer.kind === "blocks") continue;
      this.#askAgainAt = asOf + AGAIN_MS;
      if (answer.kind === "rate_limited" && answer.retryAt !== null) this.#askAgainAt = answer.retryAt;
    }
    if (before.kind !== "earnings" || present.kind !== "earnings" || listed.kind !== "blocks") return null;
    const starts = new Map<string, EpochMs>(
      listed.blocks.map(({ blockId, startsAt }) => [blockId, startsAt]),
    );
    const items = [...before.items, ...present.items].map((item) => ({
      ...item,
      startsAt: starts.get(item.blockId) ?? store.events.startOfWon(item.blockId),
    }));
    return { currency: present.currency, asOf, items };
  }

  /** One week's sum: asked for apart, so that a block that nobody lists still counts in its own week. */
  async #week(
    { tokens }: Asker,
    { monday, from, to }: WeekSpan,
  ): Promise<{ kind: "earnings"; currency: string; items: Omit<Earned, "startsAt">[] } | PlatformFailure> {
    const answer = await tokens.withToken((accessToken) =>
      this.#parts.platform.readEarnings({ accessToken, from, to }),
    );
    if (answer.kind !== "earnings") return answer;
    const { currency, items } = answer.earnings;
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
