import type { DriverOwner } from "../../../db/shapes/profile.ts";
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type DurationMs,
  type EpochMs,
  type Period,
} from "../../../db/shapes/units.ts";
import { dayOfDate, type LocalDate } from "../../../db/shapes/work/local-date.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { ProposedGain } from "../../../db/shapes/log/passed-over.ts";
import type { BlockList } from "../../../db/shapes/log/driver-log.ts";
import type { DriverNotification, DriverState } from "../../engine/state/types.ts";
import { addUpWeek, mondayAt, weekOf, weeksAfter } from "../../engine/statistics/week.ts";
import { createZone } from "../../engine/schedule/zone.ts";
import { describeError } from "../../runtime/describe-error.ts";
import type { Log } from "../../runtime/log.ts";
import { watcherOf } from "../../watch/watchers.ts";
import type { Deps } from "../../deps.ts";
import {
  MAX_PASSED_OVER,
  MAX_PASSED_OVER_ATTEMPTS,
  passedOverIn,
} from "../../engine/replay/passed-over-log.ts";
import { summarizeInSteps } from "../../engine/replay/what-if.ts";
import { loadLogList, type LogPage } from "../../runtime/log-list.ts";
import type { StateTable } from "../storage/tables/state.ts";
import type { Machine } from "../machine.ts";
import type { Store } from "../storage/store.ts";
import { withCurrentStatus } from "./won-history.ts";

/** Sunday at 18:00 on the driver's clock, or within the half hour after: a city's Sunday evening comes at once. */
const EVENING_MS: DurationMs = 6 * DAY_MS + 18 * HOUR_MS;
const SPREAD_MS: DurationMs = 30 * MINUTE_MS;
/** An object that wakes later than this says nothing any more. */
const LATEST_MS: DurationMs = 5 * HOUR_MS;
type WeekMessageDeps = {
  now: () => EpochMs;
  currency: string;
  machine: { readonly state: Pick<DriverState, "profile">; readonly owner: DriverOwner | null };
  stored: Pick<StateTable, "weekTold" | "write">;
  /** The captures of the last weeks, and the blocks that were held in them. */
  blocks: () => { captured: readonly Block[]; held: readonly Block[] };
  /** The one change of the filters that would have brought most; it may take a while, in which the object polls. */
  findChange: (week: Period) => Promise<ProposedGain | null>;
  notify: (notification: Extract<DriverNotification, { kind: "week" }>, owner: DriverOwner) => void;
  log: Log;
};

/** The evening of a week, as long as its causes are the same: each poll asks for it. */
type KnownEvening = { timeZone: string; monday: LocalDate; at: EpochMs };

/**
 * Tells the driver of their week on Sunday evening, once. Nothing where nothing was captured or worked, and no change of the
 * filters would have helped.
 */
export class WeekMessage {
  readonly #deps: WeekMessageDeps;
  #known: KnownEvening | null = null;

  constructor(deps: WeekMessageDeps) {
    this.#deps = deps;
  }

  /** When the week is told next; null for a driver without service. */
  nextAt(): EpochMs | null {
    const now = this.#deps.now();
    const { owner, state } = this.#deps.machine;
    if (owner === null || (state.profile?.serviceUntil ?? 0) <= now) return null;
    return this.#eveningAfter(now, owner).at;
  }

  /**
   * Queues the message if it is due, and stores in the same moment that the week is told.
   * @returns whether a message was queued
   */
  async run(): Promise<boolean> {
    const { machine, stored, currency, blocks, notify } = this.#deps;
    const at = this.nextAt();
    if (at === null || at > this.#deps.now() || machine.owner === null) return false;
    const { driverId, timeZone, reminders } = machine.owner;
    const week = weekOf(mondayAt(at, timeZone), timeZone);
    const isWanted = reminders.week.text || reminders.week.push;
    const best = isWanted ? await this.#findChange({ from: week.from, to: this.#deps.now() }) : null;
    const { owner } = machine;
    // The account may have been deleted meanwhile.
    if (owner?.driverId !== driverId) return false;
    stored.write("weekTold", week.monday);
    this.#known = null;
    const now = this.#deps.now();
    const known = blocks();
    const figures = addUpWeek(known, { week, now, currency });
    if (figures.captured.blocks === 0 && figures.worked.blocks === 0 && best === null) return false;
    const before = weekOf(weeksAfter(week.monday, -1), timeZone);
    const beforeCents = addUpWeek(known, { week: before, now, currency }).worked.payCents;
    notify({ kind: "week", monday: week.monday, figures, beforeCents, currency, best }, owner);
    return true;
  }

  /** Never throws: the figures are told without a change rather than not at all. */
  async #findChange(week: Period): Promise<ProposedGain | null> {
    try {
      return await this.#deps.findChange(week);
    } catch (error) {
      this.#deps.log("warn", "driver.week_change.failed", describeError(error));
      return null;
    }
  }

  /** The storage was deleted. */
  forget(): void {
    this.#known = null;
  }

  #eveningAfter(now: EpochMs, { timeZone, driverId }: DriverOwner): KnownEvening {
    const known = this.#known;
    if (known && known.timeZone === timeZone && now < known.at && known.at - now < 7 * DAY_MS) return known;
    const told = this.#deps.stored.weekTold();
    const eveningOf = (monday: LocalDate): KnownEvening => {
      const wall = dayOfDate(monday) * DAY_MS + EVENING_MS;
      const at = createZone(timeZone).instantOf(wall, "opening") + watcherOf(driverId, SPREAD_MS);
      return { timeZone, monday, at };
    };
    const monday = mondayAt(now, timeZone);
    const evening = eveningOf(monday);
    const isOver = told === monday || now > evening.at + LATEST_MS;
    this.#known = isOver ? eveningOf(weeksAfter(monday, 1)) : evening;
    return this.#known;
  }
}

/**
 * The one change of the filters that would have let through the most pay in a time, as the driver's page of that week
 * names it. Null if none would. The object polls between its steps, of which each takes some milliseconds.
 */
export async function findWeekChange(
  {
    deps: { config, sleep, now },
    store,
    machine,
  }: {
    deps: Pick<Deps, "config" | "sleep" | "now">;
    store: Pick<Store, "events" | "heldBlocks">;
    machine: Pick<Machine, "state">;
  },
  period: Period,
): Promise<ProposedGain | null> {
  const source = {
    list: async (name: BlockList, page: LogPage) => {
      await sleep(0);
      return withCurrentStatus(store.events.list(name, page), machine.state.held);
    },
  };
  const { from } = period;
  const disliked = await loadLogList(source, "disliked", { from, most: MAX_PASSED_OVER });
  const won = await loadLogList(source, "won", { from: 0, most: MAX_PASSED_OVER_ATTEMPTS });
  const lost = await loadLogList(source, "lost", { from, most: MAX_PASSED_OVER_ATTEMPTS });
  const { profile, warehouses, givenBack } = machine.state;
  if (profile === null) return null;
  const held = [
    ...machine.state.held.filter(isHeldAt(now())),
    ...store.heldBlocks.list().map(({ block }) => block),
  ];
  const log = passedOverIn({ disliked, won, lost, held, givenBack }, period);
  const steps = summarizeInSteps({ ...log, profile, warehouses, currency: config.currency });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value[0]?.proposal ?? null;
    await sleep(0);
  }
}

function isHeldAt(now: EpochMs): (block: Block) => boolean {
  return ({ endsAt, status }) => endsAt > now && status !== "forfeited";
}
