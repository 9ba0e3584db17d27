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
    if (owner === null) return { kind: "gone" };
    const { language, timeZone } = owner;
    if (feed?.feedId !== feedId) return { kind: "gone", language, timeZone };
    if (feed.pausedAt !== null) return { kind: "paused", language, timeZone, since: feed.pausedAt };
    const warehouses = new Map(state.warehouses.map((warehouse) => [warehouse.warehouseId, warehouse]));
    const held = store.heldBlocks.list().map((one) => {
      return { ...one, warehouse: warehouses.get(one.block.warehouseId) ?? null };
    });
    const { changes, changedAt } = this.#followLook(feed, [
      language,
      ...held.map(({ warehouse }) => warehouse),
    ]);
    const blocks = held.map((one) => ({
      ...one,
      sequence: one.sequence + changes,
      changedAt: Math.max(one.changedAt, changedAt),
    }));
    return { kind: "on", language, withPay: feed.withPay, blocks };
  }

  /** A program takes new words for an entry that it has only where the entry's sequence rose, as for a block that moved. */
  #followLook(feed: CalendarFeed, sources: readonly unknown[]): { changes: number; changedAt: EpochMs } {
    const { deps, store } = this.#deps;
    const of = JSON.stringify([feed.withPay, ...sources]);
    if (feed.look?.of === of) return feed.look;
    const look = feed.look
      ? { of, changes: feed.look.changes + 1, changedAt: deps.now() }
      : { of, changes: 0, changedAt: 0 };
    store.state.write("calendar", { ...feed, look });
    return look;
  }
}

function changeFeed(feed: CalendarFeed | null, change: CalendarChange, now: EpochMs): CalendarFeed | null {
  switch (change.kind) {
    case "made": {
      const { feedId, withPay, session } = change;
      return { feedId, withPay, createdAt: now, session, pausedAt: null, look: null };
    }
    case "pay_set":
      return feed && { ...feed, withPay: change.withPay };
    case "resumed":
      return feed?.feedId === change.feedId ? { ...feed, session: change.session, pausedAt: null } : feed;
    case "removed":
      return null;
  }
}
