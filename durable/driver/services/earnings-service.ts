import { Temporal } from "temporal-polyfill";
import type { EarningsResponse, EarningsDay, EarningsWeek } from "../../../db/shapes/work/earnings.ts";
import { possibleNow } from "../../../db/shapes/work/possible-now.ts";
import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { isLinked } from "../../engine/link.ts";
import type { PlatformFailure } from "../../engine/state/outcomes.ts";
import type { Deps } from "../../deps.ts";
import type { EarningItem, StoredEarnings } from "../storage/stored-shapes.ts";
import type { EventLoop } from "../event-loop.ts";
import type { Machine } from "../machine.ts";
import type { Store } from "../storage/store.ts";

/** How long fetched earnings are served from storage. */
const CACHE_TTL_MS = 5 * MINUTE_MS;
/** How long to wait after a failed fetch. */
const FAILURE_TTL_MS = MINUTE_MS / 2;

type EarningsServiceDeps = { deps: Deps; store: Store; machine: Machine; loop: EventLoop };

/** The driver's earnings, fetched from the platform and cached. */
export class EarningsService {
  readonly #deps: Deps;
  readonly #store: Store;
  readonly #machine: Machine;
  readonly #loop: EventLoop;
  #pendingFetch: Promise<StoredEarnings | null> | null = null;
  /** When the latest fetch failed, so that the platform isn't called again right away. */
  #failedAt: EpochMs | null = null;

  constructor({ deps, store, machine, loop }: EarningsServiceDeps) {
    this.#deps = deps;
    this.#store = store;
    this.#machine = machine;
    this.#loop = loop;
  }

  /**
   * Earnings at most five minutes old, or older ones marked stale, which stay known after the platform has signed the
   * driver out. Null if no account is linked or they were never fetched.
   */
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
    const { fetchEarnings } = possibleNow({ phase: state.phase, isLinked: isLinked(state) }, now());
    const fresh = hasJustFailed || !fetchEarnings ? null : await this.#fetchOnce(timeZone);
    if (fresh) return summarizeEarnings(fresh, { now: now(), timeZone, isStale: false });
    // Loaded again, because the account may have been unlinked during the fetch.
    const stale = this.#store.state.earnings();
    return stale && summarizeEarnings(stale, { now: now(), timeZone, isStale: true });
  }

  /** Deletes the cached earnings, which belong to the account that was linked before. */
  forget(): void {
    this.#pendingFetch = null;
    this.#failedAt = null;
    this.#store.state.write("earnings", null);
  }

  /** Concurrent callers share one fetch. A fetch during which `forget` was called is discarded. */
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
      listed.blocks.flatMap(({ blockId, startsAt }) =>
        blockId === null || startsAt === null ? [] : [[blockId, startsAt] as const],
      ),
    );
    const items = [...before.items, ...present.items].map((item) => ({
      ...item,
      startsAt: starts.get(item.blockId) ?? this.#store.events.wonBlockStartsAt(item.blockId),
    }));
    return { currency: present.currency, asOf, items };
  }

  /** One week's earnings. Fetched per week, so that a block whose start nobody knows still counts in the right week. */
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

type Earnings = NonNullable<EarningsResponse["earnings"]>;

/** A week in the driver's time zone: [from, to) as instants, and the date of its Monday. */
type WeekRange = { monday: string; from: EpochMs; to: EpochMs };

/** Last week and this week in the driver's time zone. A week with a clock change has 167 or 169 hours. */
export function weekRanges(now: EpochMs, timeZone: string): { lastWeek: WeekRange; thisWeek: WeekRange } {
  const today = dateOf(now, timeZone);
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const span = (first: Temporal.PlainDate): WeekRange => ({
    monday: first.toString(),
    from: midnightOf(first, timeZone),
    to: midnightOf(first.add({ days: 7 }), timeZone),
  });
  return { lastWeek: span(monday.subtract({ days: 7 })), thisWeek: span(monday) };
}

/**
 * Groups stored earnings by day, for this week and last as of `now`. Still correct for figures that were fetched
 * before a week ended. A block without a start counts in its week's total but on no day.
 */
export function summarizeEarnings(
  facts: StoredEarnings,
  { now, timeZone, isStale }: { now: EpochMs; timeZone: string; isStale: boolean },
): Earnings {
  const { lastWeek, thisWeek } = weekRanges(now, timeZone);
  const placed = facts.items.map((item) => ({
    ...item,
    date: item.startsAt === null ? null : dateOf(item.startsAt, timeZone).toString(),
  }));
  const summarize = (week: WeekRange): EarningsWeek => {
    const dates = datesOf(week);
    const own = placed.filter(({ date, week: monday }) =>
      date === null ? monday === week.monday : dates.includes(date),
    );
    const days = dates.map((date): EarningsDay => ({
      date,
      ...sum(own.filter((item) => item.date === date)),
    }));
    return { ...sum(own), days };
  };
  return {
    currency: facts.currency,
    today: dateOf(now, timeZone).toString(),
    timeZone,
    thisWeek: summarize(thisWeek),
    lastWeek: summarize(lastWeek),
    asOf: facts.asOf,
    isStale,
  };
}

function sum(items: readonly EarningItem[]): { blocks: number; cents: number; tipsCents: number } {
  return {
    blocks: items.length,
    cents: items.reduce((total, { cents }) => total + cents, 0),
    tipsCents: items.reduce((total, { tipsCents }) => total + tipsCents, 0),
  };
}

function datesOf({ monday }: WeekRange): string[] {
  const first = Temporal.PlainDate.from(monday);
  return Array.from({ length: 7 }, (_, days) => first.add({ days }).toString());
}

function dateOf(at: EpochMs, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate();
}

/** The first instant of a day, even if a clock change skips midnight. */
function midnightOf(date: Temporal.PlainDate, timeZone: string): EpochMs {
  return date.toZonedDateTime(timeZone).epochMilliseconds;
}
