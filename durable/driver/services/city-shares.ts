import { addCityShares } from "../../../db/queries/fleet/city-offer-hours.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import { cityWeekOf } from "../../../db/shapes/work/city-hours.ts";
import { isLastPage, parseListingRow, type ListingChange } from "../../../db/shapes/log/listing.ts";
import { DAY_MS, MINUTE_MS, type DriverId, type EpochMs } from "../../../db/shapes/units.ts";
import type { Deps } from "../../deps.ts";
import { countCityShares } from "../../engine/statistics/city-shares.ts";
import { describeError } from "../../runtime/describe-error.ts";
import { watcherOf } from "../../watch/watchers.ts";
import type { ListingLog } from "../logs/listing-log.ts";
import type { Machine } from "../machine.ts";
import type { Store } from "../storage/store.ts";

/** Rows that are read in one go, between which the object can poll. */
const PAGE_SIZE = 50;
/** Older offers stay out of the city's figures. */
const MAX_SPAN_MS = 7 * DAY_MS;

type CitySharesDeps = Pick<Deps, "db" | "config" | "log" | "sleep"> & {
  store: Pick<Store, "listings" | "state">;
  machine: Pick<Machine, "state">;
  listings: Pick<ListingLog, "store">;
};

/**
 * Adds the offers that appeared to the driver to the city's figures, once a day, at a minute of the driver's own.
 * Nothing that is added says whose it was. The object keeps in which weeks it counted the driver, so that nobody is
 * counted twice.
 *
 * It stores that before D1 is asked: a crash or a lost answer loses a day of one driver, and adds none twice. So the
 * five drivers that figures wait for are never fewer.
 */
export class CityShares {
  readonly #deps: CitySharesDeps;

  constructor(deps: CitySharesDeps) {
    this.#deps = deps;
  }

  /** Adds what is due. Never throws. */
  async addDue({ driverId }: DriverOwner, now: EpochMs): Promise<void> {
    const { db, store, log } = this.#deps;
    const last = store.state.cityShares();
    if (last === null) return store.state.write("cityShares", { countedTo: now, counted: [] });
    if (dayOf(driverId, now) <= dayOf(driverId, last.countedTo)) return;
    try {
      const uncounted = await this.#count(Math.max(last.countedTo, now - MAX_SPAN_MS), now);
      const known = new Set(last.counted.map(keyOf));
      const shares = uncounted.map((share) => ({ ...share, drivers: known.has(keyOf(share)) ? 0 : 1 }));
      const counted = [...last.counted, ...shares.filter(({ drivers }) => drivers > 0)]
        .filter(({ week }) => week >= cityWeekOf(now) - 1)
        .map(({ week, warehouseId }) => ({ week, warehouseId }));
      store.state.write("cityShares", { countedTo: now, counted });
      await addCityShares(db, shares);
    } catch (error) {
      log("warn", "driver.city_shares.failed", { driverId, ...describeError(error) });
    }
  }

  async #count(from: EpochMs, to: EpochMs) {
    const { config, machine } = this.#deps;
    // A day more, so that an offer of before isn't new.
    const changes = await this.#read(from - DAY_MS);
    const { warehouses } = machine.state;
    return countCityShares({ changes, from, warehouses, currency: config.currency }, to);
  }

  async #read(since: EpochMs): Promise<ListingChange[]> {
    const { store, listings, sleep } = this.#deps;
    // The newest changes wait in memory until something else is written.
    listings.store();
    const changes: ListingChange[] = [];
    for (let after = since - 1; ;) {
      const page = store.listings.page({ after, limit: PAGE_SIZE });
      for (const row of page) changes.push(...parseListingRow(row));
      const last = page.at(-1);
      if (!last || isLastPage(page, PAGE_SIZE)) return changes;
      after = last.at;
      await sleep(0);
    }
  }
}

/** A day that begins at a minute of the driver's own, so that objects don't add at once. */
function dayOf(driverId: DriverId, at: EpochMs): number {
  return Math.floor((at - watcherOf(driverId, DAY_MS / MINUTE_MS) * MINUTE_MS) / DAY_MS);
}

function keyOf({ week, warehouseId }: { week: number; warehouseId: string }): string {
  return `${week} ${warehouseId}`;
}
