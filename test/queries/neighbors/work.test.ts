import { describe, expect, it } from "vitest";
import type { Db } from "../../../db/client.ts";
import { cityHours } from "../../../db/schema/fleet.ts";
import { emptyTally } from "../../../db/shapes/fleet.ts";
import { emptyCityCounts } from "../../../db/shapes/city-counts.ts";
import { ALL_DURATIONS, encodeDurations } from "../../../db/shapes/work/durations.ts";
import { saveFleetReports } from "../../../db/queries/fleet/reports.ts";
import { loadDriver } from "../../../db/queries/accounts/drivers.ts";
import { storeRecordingConsent } from "../../../db/queries/accounts/recording-consent.ts";
import { claimPlatformAccount, loadLinkedObject } from "../../../db/queries/fleet/platform-accounts.ts";
import {
  noteDevice,
  countInviteTry,
  listInvitations,
  loadInviteCode,
  loadInvitedNumber,
} from "../../../db/queries/rewards/invitations.ts";
import { insertFeedback, loadFeedbackHistory } from "../../../db/queries/operators/feedback.ts";
import { loadSpendablePoints } from "../../../db/queries/rewards/points.ts";
import { loadPointsLedger, redeemService, redeemTrial } from "../../../db/queries/rewards/rewards.ts";
import { switchOnWithTrial } from "../../../db/queries/rewards/trial.ts";
import { claimSpot, loadSpot, payerSpotStatements, takeFreeSpot } from "../../../db/queries/spots/spots.ts";
import { releaseIfLapsed } from "../../../db/queries/spots/turns.ts";
import { loadWait } from "../../../db/queries/spots/waited-days.ts";
import { endRetry, postponeRetry } from "../../../db/queries/texts/announcement-retries.ts";
import { findTextOf } from "../../../db/queries/texts/delivery.ts";
import { loadNews } from "../../../db/queries/texts/driver-news.ts";
import {
  deleteTakenBlocks,
  leaveBlocks,
  listWaitingBlocks,
  listWonDays,
  replaceWonDays,
} from "../../../db/queries/work/blocks-won.ts";
import {
  DEFAULT_FILTERS,
  markListedWarehouses,
  saveFiltersStatements,
} from "../../../db/queries/work/filters.ts";
import { DAY_MS, type DriverId } from "../../../db/shapes/units.ts";
import {
  NEIGHBOR,
  NOW,
  OWNER,
  expectForeign,
  expectNoChange,
  expectOwnChange,
  expectOwnRead,
  only,
  openHouse,
  openPaymentOf,
  type Furnish,
} from "./house.ts";
import { sql } from "drizzle-orm";

const LATER = NOW + 30 * DAY_MS;
const sum = { currency: "USD", blocks: 1, payCents: 5000, minutes: 60 };
const report = {
  driverId: OWNER,
  tallies: [],
  state: { state: "polling", since: NOW, at: NOW },
} as const;
const INVITED = "+15550100333";
const save = { filters: DEFAULT_FILTERS, saveId: "save", listed: null };
const retry = { announcementId: "line", driverId: OWNER, pending: 2, tries: 1, dueAt: 0 };
const stands =
  (status: string): Furnish =>
  ({ run }, id) => {
    run(`UPDATE spots SET status = ?, offer_ends_at = ? WHERE driver_id = ?`, status, NOW + DAY_MS, id);
    run(`UPDATE users SET waiting_for_spot = 1 WHERE id = ?`, id);
  };
const invites: Furnish = ({ run }, id) =>
  id === OWNER && run(`DELETE FROM invitations WHERE inviter_id = ?`, id);

describe("a driver beside a neighbor reads of the own work alone", () => {
  it.each<[string, (db: Db) => Promise<unknown>, Furnish?]>([
    [
      "record, filters and service",
      (db) => loadDriver(db, OWNER),
      only(NEIGHBOR, ({ add, run }) => {
        run(`UPDATE filters SET version = 9 WHERE driver_id = ?`, NEIGHBOR);
        const durations = encodeDurations(ALL_DURATIONS);
        add("warehouse_filters", {
          driver_id: NEIGHBOR,
          warehouse_id: "W2",
          min_price_cents: 5000,
          durations,
        });
      }),
    ],
    [
      "blocks for the object",
      async (db) => (await listWaitingBlocks(db, OWNER, 9)).map(({ rowId: _rowId, ...waiting }) => waiting),
    ],
    ["sums of days", (db) => listWonDays(db, OWNER)],
    ["news", (db) => loadNews(db, OWNER)],
    ["the linked object", (db) => loadLinkedObject(db, OWNER)],
    ["the spot", (db) => loadSpot(db, OWNER)],
    [
      "the place in line, where the neighbor waits in another city",
      (db) => loadSpot(db, OWNER),
      ({ add, run }, id) => {
        const [city, since] = id === OWNER ? ["city", 5] : ["another", 9];
        const update = `UPDATE spots SET status = 'waiting', city = ?, since = ? WHERE driver_id = ?`;
        run(update, city ?? null, since ?? null, id);
        if (id === OWNER) add("spots", { driver_id: "third", city: "city", status: "waiting", since: 7 });
      },
    ],
    [
      "the city that a report counts for",
      async (db) => {
        const tallies = [{ hour: 1, tally: emptyTally(), city: { ...emptyCityCounts(), offers: 3 } }];
        await saveFleetReports(db, [{ ...report, tallies }]);
        return db.select().from(cityHours);
      },
      ({ run }, id) => run(`UPDATE users SET human_region = ? WHERE id = ?`, id, id),
    ],
    ["the time in line", (db) => loadWait(db, OWNER)],
    ["points to spend", (db) => loadSpendablePoints(db, OWNER)],
    ["points", (db) => loadPointsLedger(db, OWNER)],
    ["invitations", (db) => listInvitations(db, OWNER)],
    ["the invitation of a number", (db) => loadInvitedNumber(db, { inviterId: OWNER, phoneNumber: INVITED })],
    ["when feedback was asked for", (db) => loadFeedbackHistory(db, OWNER, { captures: 9 })],
  ])("%s", async (_what, read, furnish) => {
    expect.hasAssertions();
    await expectOwnRead(read, furnish);
  });
});

describe("a driver beside a neighbor changes the own work alone", () => {
  it.each<[string, (db: Db) => Promise<unknown>, Furnish?]>([
    [
      "has blocks taken over",
      async (db) => deleteTakenBlocks(db, OWNER, await listWaitingBlocks(db, OWNER, 9)),
    ],
    [
      "gets a block",
      async (db) => {
        const waiting = await listWaitingBlocks(openHouse([OWNER]).db, OWNER, 9);
        const later = waiting.map((one) => ({ ...one, block: { ...one.block, acceptedAt: NOW + 1 } }));
        await leaveBlocks(db, OWNER, later);
      },
    ],
    ["saves filters", (db) => db.batch(saveFiltersStatements(db, OWNER, { ...save, version: 1 }))],
    ["has the listed warehouses noted", (db) => markListedWarehouses(db, OWNER, [])],
    ["has sums of days replaced", (db) => replaceWonDays(db, { driverId: OWNER, days: [20_000] }, [])],
    [
      "gets sums of days",
      (db) => replaceWonDays(db, { driverId: OWNER, days: [20_001] }, [{ ...sum, day: 20_001 }]),
    ],
    [
      "lets sessions be recorded",
      (db) => storeRecordingConsent(db, { driverId: OWNER, consent: true, at: NOW }),
    ],
    ["gets a spot by paying", (db) => payForSpot(db), stands("waiting")],
    [
      "takes a free spot",
      async (db) => takeFreeSpot(db, OWNER, { wait: await loadWait(db, OWNER), now: NOW }),
      stands("offered"),
    ],
    [
      "loses a spot",
      (db) =>
        releaseIfLapsed(db, { driverId: OWNER, since: 0, checkAt: NOW, revision: 1 }, NOW + 30 * DAY_MS),
    ],
    [
      "loses a spot, where the neighbor pays and lost one at the same time",
      (db) => releaseIfLapsed(db, { driverId: OWNER, since: 0, checkAt: NOW, revision: 1 }, LATER),
      only(NEIGHBOR, ({ run }) => {
        run(`UPDATE payments SET status = 'processing' WHERE id = ?`, openPaymentOf(NEIGHBOR));
        run(`UPDATE spots SET status = 'left', since = ? WHERE driver_id = ?`, LATER, NEIGHBOR);
      }),
    ],
    [
      "comes to a city, where the neighbor pays",
      (db) => claimSpot(db, { driverId: OWNER, region: "full", now: LATER }),
      (house, id) => {
        if (id === OWNER) house.run(`DELETE FROM payments WHERE driver_id = ?`, id);
        else house.run(`UPDATE payments SET status = 'processing' WHERE id = ?`, openPaymentOf(id));
        house.run(`INSERT INTO city_spots (city, spots) VALUES ('full', 0) ON CONFLICT DO NOTHING`);
      },
    ],
    [
      "has a spot looked at again",
      (db) => releaseIfLapsed(db, { driverId: OWNER, since: 0, checkAt: NOW, revision: 1 }, NOW),
    ],
    [
      "redeems points",
      (db) => redeemService(db, { id: `${OWNER}:1`, driverId: OWNER, now: NOW, plan: "3days" }),
      ({ run }, id) => run(`UPDATE point_entries SET points = 5000 WHERE driver_id = ?`, id),
    ],
    [
      "redeems points for a friend",
      (db) => {
        const friend = { phoneNumber: INVITED, invitationId: "new" };
        return redeemTrial(db, { id: `${OWNER}:1`, driverId: OWNER, now: NOW, ...friend });
      },
      ({ run }, id) => run(`UPDATE point_entries SET points = 5000 WHERE driver_id = ?`, id),
    ],
    [
      "begins a trial",
      (db) => switchOnWithTrial(db, OWNER, NOW),
      ({ run }, id) => run(`UPDATE users SET trial_pending = 1 WHERE id = ?`, id),
    ],
    [
      "is switched on, where the neighbor's trial is to begin",
      (db) => switchOnWithTrial(db, OWNER, NOW),
      only(NEIGHBOR, ({ run }) => run(`UPDATE users SET trial_pending = 1 WHERE id = ?`, NEIGHBOR)),
    ],
    [
      "asks to invite a number",
      (db) => {
        const ask = { driverId: OWNER, sessionId: null, phoneNumber: INVITED, most: 3 };
        return countInviteTry(db, { ...ask, windowMs: DAY_MS, now: NOW });
      },
    ],
    ["gets a link to invite by", (db) => loadInviteCode(db, OWNER, "fresh").catch(() => null), noCode],
    ["uses a browser", (db) => noteDevice(db, { driverId: OWNER, deviceHash: "hash", now: NOW })],
    [
      "uses a browser, where the neighbor has as many as are kept",
      (db) => noteDevice(db, { driverId: OWNER, deviceHash: "hash", now: NOW }),
      only(NEIGHBOR, ({ add }) => {
        for (let nth = 0; nth < 20; nth += 1)
          add("driver_devices", { driver_id: NEIGHBOR, device_hash: `hash ${nth}` });
      }),
    ],
    ["reports to the fleet", (db) => saveFleetReports(db, [report])],
    [
      "gives feedback",
      (db) => {
        const answer = { id: "new", driverId: OWNER, score: 5, comment: null };
        return insertFeedback(db, { ...answer, at: NOW, everyMs: DAY_MS });
      },
      // The neighbor answered a moment ago.
      ({ run }, id) => id === NEIGHBOR && run(`UPDATE feedback SET at = ? WHERE driver_id = ?`, NOW, id),
    ],
    ["got an announcement", (db) => endRetry(db, retry, { told: 0, sent: 1, failed: 0 })],
    [
      "is to get an announcement later",
      (db) => postponeRetry(db, retry, { told: 0, pending: 1, dueAt: NOW }),
    ],
  ])("%s", async (_what, act, furnish) => {
    expect.hasAssertions();
    await expectOwnChange(act, furnish);
  });

  it("invites a number that the neighbor has invited", async () => {
    expect.hasAssertions();
    const read = (db: Db) => loadInvitedNumber(db, { inviterId: OWNER, phoneNumber: INVITED });
    await expectOwnRead(async (db) => [await read(db), (await loadDriver(db, OWNER)) !== null], invites);
  });
});

describe("a driver changes nothing where only a neighbor", () => {
  it.each<[string, Parameters<typeof expectNoChange>[0], Furnish]>([
    [
      "has filters of this save",
      (db) => db.batch(saveFiltersStatements(db, OWNER, { ...save, version: 0 })),
      only(OWNER, ({ run }) => run(`UPDATE filters SET save_id = 'own' WHERE driver_id = ?`, OWNER)),
    ],
    [
      "has the record as it was when the spot was looked at",
      (db) => releaseIfLapsed(db, { driverId: OWNER, since: 0, checkAt: NOW, revision: 1 }, LATER),
      only(OWNER, ({ run }) => run(`UPDATE users SET revision = 2 WHERE id = ?`, OWNER)),
    ],
    [
      "has a spot since now",
      (db) => payForSpot(db, sql`0`),
      (house, id) => {
        stands("waiting")(house, id);
        house.run(`UPDATE spots SET since = ? WHERE driver_id = ?`, id === OWNER ? NOW - DAY_MS : NOW, id);
      },
    ],
  ])("%s", async (_what, act, furnish) => {
    expect.hasAssertions();
    await expectNoChange(act, furnish);
  });
});

describe("a driver comes to nothing with a neighbor's", () => {
  it("text", async () => {
    expect.hasAssertions();
    await expectForeign((db, id) => findTextOf(db, { driverId: id, id: `text of ${NEIGHBOR}` }));
  });

  it("code of an invitation", async () => {
    const at = openHouse([NEIGHBOR, OWNER], noCode);
    const fresh = `code of ${NEIGHBOR}`;
    await expect(loadInviteCode(at.db, OWNER, fresh)).rejects.toThrow("another driver has this invite code");
  });

  it("account of the platform, which stays the neighbor's", async () => {
    const at = openHouse([NEIGHBOR, OWNER]);
    const theirs = at.rowsOf(NEIGHBOR);
    const claim = { accountId: `account of ${NEIGHBOR}`, driverId: OWNER, objectName: "new", linkedAt: NOW };
    expect(await claimPlatformAccount(at.db, claim)).toMatchObject({
      driverId: NEIGHBOR,
      objectName: "object",
    });
    expect(at.rowsOf(NEIGHBOR)).toEqual(theirs);
  });
});

function noCode({ run }: { run: (query: string, id: string) => void }, id: DriverId): void {
  if (id === OWNER) run(`DELETE FROM invite_codes WHERE driver_id = ?`, id);
}

async function payForSpot(db: Db, where = sql`1`): Promise<void> {
  const [first, ...rest] = await payerSpotStatements(db, OWNER, { now: NOW, where });
  if (first) await db.batch([first, ...rest]);
}
