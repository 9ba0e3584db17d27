import {
  finishAccountChanges,
  listEndedSessions,
  noteTriedChanges,
  type AccountChange,
} from "../../db/queries/accounts/account-changes.ts";
import { loadDrivers, toDriverOwner, type DriverRecord } from "../../db/queries/accounts/drivers.ts";
import { loadEndedSessions, loadSessionsAndObjects } from "../../db/queries/accounts/ended-sessions.ts";
import { partsOf } from "../../db/parts-of.ts";
import { MINUTE_MS, type DriverId } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { objectName } from "../../durable/driver/object-name.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { sendTasks, type TaskOf, type TaskQueue } from "../cron/tasks.ts";
import { renewChatIdentifiers } from "./chat-contacts.ts";
import { dueAt, isStuck, UnfollowedChangeError } from "./left-changes.ts";

/** How many accounts are followed together, and how many such batches a minute begins, where no queue does it. */
const BATCH_SIZE = 100;
const BATCHES_PER_RUN = 10;
/** The most statements of a batch, and those of each driver with an object of a former region beside them. */
const STATEMENTS_A_BATCH = 16;
const STATEMENTS_A_FORMER = 3;
/** The most that a run takes. */
const STATEMENTS_PER_RUN = 460;
/** With a queue: how many are queued at once, how often a minute, and in which tasks. */
const PAGE_SIZE = 1_000;
const PAGES_PER_RUN = 20;
const ACCOUNTS_A_TASK = 25;
/** Changes whose task nobody carried out by then are due again. */
const LEASE_MS = 5 * MINUTE_MS;

type FollowerDeps = Pick<Deps, "db" | "now" | "log" | "config" | "driver" | "objectsOf">;

/**
 * Every minute: follows accounts of which nothing but sessions changed, many at a time, since an operator may end all
 * drivers' at once: by the queue as fast as that goes, and without one a part of them now, the others in the next minutes.
 * @throws {UnfollowedChangeError} after all, if one has failed for an hour
 */
export async function followEndedSessions(deps: FollowerDeps, queue: TaskQueue | null): Promise<void> {
  const areStuck = await (queue ? queueEndedSessions(deps, queue) : followBatches(deps));
  if (areStuck) throw new UnfollowedChangeError();
}

/** @returns whether one that is queued has failed for an hour */
async function queueEndedSessions({ db, now }: Pick<Deps, "db" | "now">, queue: TaskQueue): Promise<boolean> {
  let areStuck = false;
  for (let page = 0; page < PAGES_PER_RUN; page += 1) {
    const until = now() + LEASE_MS;
    const due = await listEndedSessions(db, { ...dueAt(now()), limit: PAGE_SIZE });
    await noteTriedChanges(db, due, until);
    const ids = due.map(({ userId }) => userId);
    await sendTasks(
      queue,
      partsOf(ids, ACCOUNTS_A_TASK).map((drivers) => ({
        kind: "follow",
        version: 1,
        id: `follow:${until}:${drivers[0]}`,
        drivers,
      })),
    );
    areStuck ||= due.some((change) => isStuck(change, now()));
    if (due.length < PAGE_SIZE) break;
  }
  return areStuck;
}

/** @returns whether one that failed again has for an hour */
async function followBatches(deps: FollowerDeps): Promise<boolean> {
  const { db, now } = deps;
  let areStuck = false;
  let left = STATEMENTS_PER_RUN;
  for (let batch = 0; batch < BATCHES_PER_RUN; batch += 1) {
    if (left < STATEMENTS_A_BATCH + STATEMENTS_A_FORMER * BATCH_SIZE) break;
    const due = await listEndedSessions(db, { ...dueAt(now()), limit: BATCH_SIZE });
    if (due.length === 0) break;
    const { failed, formers } = await followTogether(deps, due);
    left -= STATEMENTS_A_BATCH + STATEMENTS_A_FORMER * formers;
    areStuck ||= failed.some((change) => isStuck(change, now()));
  }
  return areStuck;
}

/** Carries out a task. Accounts of which more has changed since are left to the cron. */
export async function followSessionsOf(deps: FollowerDeps, { drivers }: TaskOf<"follow">): Promise<void> {
  const changes = await loadEndedSessions(deps.db, drivers);
  if (changes.length > 0) await followTogether(deps, changes);
}

/** @returns the changes that failed, and of how many drivers there are objects of former regions */
async function followTogether(
  deps: FollowerDeps,
  changes: readonly AccountChange[],
): Promise<{ failed: AccountChange[]; formers: number }> {
  const { db, now, config } = deps;
  const ids = changes.map(({ userId }) => userId);
  const records = await loadDrivers(db, ids);
  const { live, objectNames } = await loadSessionsAndObjects(db, ids, now());
  const hasFormer = (id: DriverId) =>
    objectNames.get(id)?.some((name) => name !== objectName(config.platform.region, id)) ?? false;
  const results = await Promise.all(
    changes.map(async (change) => {
      const { userId } = change;
      const record = records.get(userId) ?? null;
      const isFormer = hasFormer(userId);
      const isTold =
        record === null || (await tellObjects(deps, record, { isFormer, live: live.get(userId) ?? [] }));
      return { change, record, isFormer, isTold };
    }),
  );
  const told = results.filter(({ isTold }) => isTold);
  await renewChatIdentifiers(
    deps,
    told.flatMap(({ record }) => record ?? []),
  );
  await finishAccountChanges(
    db,
    told.map(({ change }) => change),
  );
  const failed = results.flatMap(({ isTold, change }) => (isTold ? [] : [change]));
  await noteTriedChanges(db, failed, now());
  return { failed, formers: results.filter(({ isFormer }) => isFormer).length };
}

/** Lets a driver's objects keep what live sessions made, and nothing else. @returns false if that fails, which is logged */
async function tellObjects(
  { driver, objectsOf, log }: FollowerDeps,
  record: DriverRecord,
  { isFormer, live }: { isFormer: boolean; live: readonly string[] },
): Promise<boolean> {
  const driverId = record.row.id;
  try {
    for (const object of isFormer ? await objectsOf(driverId) : [driver(driverId)]) {
      await object.configure(toDriverOwner(record), record.profile);
      await object.keepSessions(live);
    }
    return true;
  } catch (error) {
    log("error", "account.follow.failed", { driverId, ...describeError(error) });
    return false;
  }
}
