import type { CalendarChange, CalendarFeed } from "../../../db/shapes/work/calendar.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { Deps } from "../../deps.ts";
import type { CalendarRead } from "../../runtime/driver-rpc.ts";
import type { Machine } from "../machine.ts";
import type { Store } from "../storage/store.ts";

type CalendarDeps = {
  deps: Pick<Deps, "now">;
  store: Pick<Store, "state" | "heldBlocks">;
  machine: Pick<Machine, "state" | "owner">;
};

/** The driver's calendar address, and the blocks that it shows. */
export class CalendarService {
  readonly #deps: CalendarDeps;

  constructor(deps: CalendarDeps) {
    this.#deps = deps;
  }

  /** Null where there is none. One whose sign-in has expired is paused. */
  feed(): CalendarFeed | null {
    const { deps, store } = this.#deps;
    const feed = store.state.calendar();
    if (!feed?.session || feed.pausedAt !== null || feed.session.expiresAt > deps.now()) return feed;
    return { ...feed, pausedAt: feed.session.expiresAt };
  }

  change(change: CalendarChange): CalendarFeed | null {
    if (change.kind === "made") this.#followHeld();
    const next = changeFeed(this.feed(), change, this.#deps.deps.now());
    this.#deps.store.state.write("calendar", next);
    return next;
  }

  /** A release before kept no blocks for the calendar, and nothing may have changed among them since. */
  #followHeld(): void {
    const { deps, store, machine } = this.#deps;
    const { held, transient } = machine.state;
    store.heldBlocks.follow(held, { isWhole: transient.unreadableHeld.length === 0, now: deps.now() });
  }

  /** Pauses the address where its sign-in is none of these. */
  keepSessions(live: readonly string[]): void {
    const feed = this.feed();
    if (feed === null || feed.pausedAt !== null) return;
    if (feed.session !== null && live.includes(feed.session.id)) return;
    this.#deps.store.state.write("calendar", { ...feed, pausedAt: this.#deps.deps.now() });
  }

  read(feedId: string): CalendarRead {
    const { store, machine } = this.#deps;
    const feed = this.feed();
    const { owner, state } = machine;
    if (owner === null || feed?.feedId !== feedId) return { kind: "gone" };
    const { language, timeZone } = owner;
    if (feed.pausedAt !== null) return { kind: "paused", language, timeZone, since: feed.pausedAt };
    const warehouses = new Map(state.warehouses.map((warehouse) => [warehouse.warehouseId, warehouse]));
    const blocks = store.heldBlocks
      .list()
      .map((held) => ({ ...held, warehouse: warehouses.get(held.block.warehouseId) ?? null }));
    return { kind: "on", language, withPay: feed.withPay, blocks };
  }
}

function changeFeed(feed: CalendarFeed | null, change: CalendarChange, now: EpochMs): CalendarFeed | null {
  switch (change.kind) {
    case "made": {
      const { feedId, withPay, session } = change;
      return { feedId, withPay, createdAt: now, session, pausedAt: null };
    }
    case "pay_set":
      return feed && { ...feed, withPay: change.withPay };
    case "resumed":
      return feed?.feedId === change.feedId ? { ...feed, session: change.session, pausedAt: null } : feed;
    case "removed":
      return null;
  }
}
