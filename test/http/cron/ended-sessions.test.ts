import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDb } from "../../../db/client.ts";
import { deleteAccount } from "../../../db/queries/accounts/account-changes.ts";
import { endSessionsEffects } from "../../../db/queries/operators/recovery.ts";
import { DAY_MS, driverId, HOUR_MS, MINUTE_MS, type DriverId } from "../../../db/shapes/units.ts";
import type { Env } from "../../../durable/runtime/env.ts";
import { consumeTasks } from "../../../worker/cron/consume-tasks.ts";
import { minuteSteps } from "../../../worker/cron/watchdog.ts";
import { countingStatements } from "../../../worker/http/request-scope.ts";
import { insertDriver } from "../../support/driver-insert.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { openTaskQueue } from "../../support/task-queue.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const idOf = (index: number) => driverId.parse(`6f1f8a52-6d0e-4a26-9d3e-${String(index).padStart(12, "0")}`);
const phoneOf = (index: number) => `+1555${String(index).padStart(7, "0")}`;
/** As `PLATFORM_REGION` has it by default. */
const nameOf = (id: DriverId) => `enam:${id}`;

/** A support chat whose contacts follow their drivers. */
const CHAT = {
  OPS_URL: "https://ops.example",
  CHATWOOT_URL: "https://chat.example",
  CHATWOOT_TOKEN: "token",
  CHATWOOT_HMAC_KEY: "key",
  CHATWOOT_ACCOUNT_ID: "1",
  CHATWOOT_API_TOKEN: "api",
};

let clock: number;
beforeEach(() => {
  clock = NOW;
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  for (const level of ["info", "warn", "error"] as const) vi.spyOn(console, level).mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function wait(ms: number): void {
  clock += ms;
  vi.setSystemTime(clock);
}

/** Drivers with an account and a session each, whose objects note what they are told. */
function openFleet(drivers: number, { hasQueue = false, settings = {} } = {}) {
  const database = migratedDatabase();
  const kept = new Map<string, readonly string[]>();
  const down = new Set<string>();
  const consumed: number[] = [];
  const getByName = (name: string) => ({
    configure: async () => {
      if (down.has(name)) throw new Error("the object is down");
    },
    keepSessions: async (live: readonly string[]) => void kept.set(name, live),
    deleteAccount: async () => void kept.set(name, ["deleted"]),
  });
  const tasks = openTaskQueue(() => clock);
  const env = {
    ...DEMO_SETTINGS,
    ...settings,
    DB: bindD1(database),
    DRIVER: { getByName },
    ASSETS: {},
    ...(hasQueue ? { TASKS: tasks.queue } : {}),
  } as unknown as Env;
  const db = openDb(bindD1(database));
  const run = (query: string, ...values: (string | number | null)[]) =>
    void database.prepare(query).run(...values);
  const signIn = (id: DriverId, session: string) =>
    run(
      `INSERT INTO pool_sessions (origin_jti, user_id, created_at, expires_at, last_seen_at) VALUES (?, ?, ?, ?, ?)`,
      session,
      id,
      clock,
      clock + 30 * DAY_MS,
      clock,
    );
  database.exec("BEGIN");
  for (let index = 0; index < drivers; index += 1) {
    const id = idOf(index);
    insertDriver(database, { id, phoneNumber: phoneOf(index) });
    run(
      `INSERT INTO pool_users (id, phone_number, phone_verified, status, enabled, password, attributes, sms_mfa, software_token_mfa, totp_used_step, created_at)
        VALUES (?, ?, 1, 'CONFIRMED', 1, '', '{}', 0, 0, 0, 0)`,
      id,
      phoneOf(index),
    );
    signIn(id, `session of ${id}`);
  }
  database.exec("COMMIT");
  const rows = (query: string) => database.prepare(query).all();
  return {
    /** The statements of each batch of tasks. */
    consumed,
    db,
    down,
    kept,
    rows,
    run,
    signIn,
    tasks,
    left: () => rows(`SELECT count(*) AS changes FROM account_changes`)[0]?.["changes"],
    async endAllSessions() {
      const [first, ...rest] = endSessionsEffects(db, sql`1`, clock);
      if (first) await db.batch([first, ...rest]);
    },
    /** Runs the steps of a minute that follow accounts. @returns the statements of each, and the errors' names */
    async runMinute() {
      const failed: string[] = [];
      const took: Record<string, number> = {};
      for (const { name, statements, run: step } of minuteSteps(env)) {
        if (name !== "account_changes" && name !== "ended_sessions") continue;
        const usage = { statements: 0 };
        await countingStatements(usage, step).catch((error: Error) => failed.push(error.name));
        took[name] = usage.statements;
        expect(usage.statements).toBeLessThanOrEqual(statements);
      }
      return { failed, took };
    },
    /** The queue's consumer, which D1 allows a thousand statements a batch. */
    consume: async (batch: Parameters<typeof consumeTasks>[0]) => {
      const usage = { statements: 0 };
      await countingStatements(usage, () => consumeTasks(batch, env));
      expect(usage.statements).toBeLessThan(1_000);
      consumed.push(usage.statements);
    },
  };
}

describe("where an operator ends all sessions", () => {
  it("the objects of a thousand drivers a minute follow without a queue, from their instant on", async () => {
    const fleet = openFleet(1_200);
    await fleet.endAllSessions();
    expect(fleet.rows(`SELECT DISTINCT changed_at, tried_at FROM account_changes`)).toEqual([
      { changed_at: NOW, tried_at: 0 },
    ]);
    wait(MINUTE_MS);
    expect((await fleet.runMinute()).failed).toEqual([]);
    expect(fleet.kept.size).toBe(1_000);
    wait(MINUTE_MS);
    expect((await fleet.runMinute()).failed).toEqual([]);
    expect([fleet.kept.size, fleet.left()]).toEqual([1_200, 0]);
    expect([...new Set([...fleet.kept.values()].map(String))]).toEqual([""]);
  });

  it("those of ten thousand follow in one minute by the queue, though tasks come twice", async () => {
    const fleet = openFleet(10_000, { hasQueue: true });
    await fleet.endAllSessions();
    wait(MINUTE_MS);
    const { failed, took } = await fleet.runMinute();
    expect([failed, fleet.tasks.waiting()]).toEqual([[], 400]);
    expect(took["ended_sessions"]).toBeLessThanOrEqual(22);
    // The next minute doesn't queue them again.
    wait(MINUTE_MS);
    await fleet.runMinute();
    expect(fleet.tasks.waiting()).toBe(400);
    await fleet.tasks.deliver(fleet.consume, { twice: 9 });
    // Twelve for 25 accounts, and a look at what was done before.
    expect(Math.max(...fleet.consumed)).toBeLessThanOrEqual(10 * 12 + 1);
    expect([fleet.kept.size, fleet.left(), fleet.tasks.waiting()]).toEqual([10_000, 0, 0]);
  });

  it("a deletion doesn't wait for them", async () => {
    const fleet = openFleet(1_200);
    await fleet.endAllSessions();
    wait(1);
    await deleteAccount(fleet.db, idOf(7), clock);
    wait(MINUTE_MS);
    await fleet.runMinute();
    expect(fleet.kept.get(nameOf(idOf(7)))).toEqual(["deleted"]);
  });

  it("those whose task nobody carried out are due again", async () => {
    const fleet = openFleet(30, { hasQueue: true });
    await fleet.endAllSessions();
    wait(MINUTE_MS);
    await fleet.runMinute();
    await fleet.tasks.deliver(async () => {
      throw new Error("the isolate is gone");
    });
    wait(6 * MINUTE_MS);
    await fleet.runMinute();
    expect(fleet.tasks.waiting()).toBe(4);
    await fleet.tasks.deliver(fleet.consume);
    expect(fleet.left()).toBe(0);
  });
});

describe.each([[false], [true]])("ended sessions, by a queue: %s,", (hasQueue) => {
  async function follow(fleet: ReturnType<typeof openFleet>) {
    const { failed } = await fleet.runMinute();
    await fleet.tasks.deliver(fleet.consume);
    return failed;
  }

  it("leave what a later sign-in made, and nothing of a disabled account", async () => {
    const fleet = openFleet(2, { hasQueue });
    await fleet.endAllSessions();
    fleet.signIn(idOf(0), "later");
    fleet.signIn(idOf(1), "disabled");
    fleet.run(`UPDATE pool_users SET enabled = 0 WHERE id = ?`, idOf(1));
    wait(MINUTE_MS);
    await follow(fleet);
    expect(Object.fromEntries(fleet.kept)).toEqual({ [nameOf(idOf(0))]: ["later"], [nameOf(idOf(1))]: [] });
  });

  it("reach a driver's object of a former region too", async () => {
    const fleet = openFleet(2, { hasQueue });
    const former = `weur:${idOf(1)}`;
    fleet.run(
      `INSERT INTO driver_objects (driver_id, object_name, since) VALUES (?, ?, 0), (?, ?, 0)`,
      idOf(1),
      former,
      idOf(1),
      nameOf(idOf(1)),
    );
    await fleet.endAllSessions();
    wait(MINUTE_MS);
    await follow(fleet);
    expect([...fleet.kept.keys()].toSorted()).toEqual([nameOf(idOf(0)), nameOf(idOf(1)), former].toSorted());
  });

  it("are followed again where an object is down, and alert once it was for an hour", async () => {
    const fleet = openFleet(3, { hasQueue });
    fleet.down.add(nameOf(idOf(1)));
    await fleet.endAllSessions();
    // The cron rested meanwhile: a first failure is no alert.
    wait(2 * HOUR_MS);
    expect(await follow(fleet)).toEqual([]);
    expect([fleet.kept.size, fleet.left()]).toEqual([2, 1]);
    wait(MINUTE_MS);
    expect(await follow(fleet)).toEqual(["UnfollowedChangeError"]);
    fleet.down.clear();
    wait(MINUTE_MS);
    await follow(fleet);
    expect(fleet.left()).toBe(0);
  });

  it("give each driver's chat another identifier", async () => {
    const fleet = openFleet(3, { hasQueue, settings: CHAT });
    const former = (index: number) => `jornada-${phoneOf(index)}-${idOf(index)}`;
    for (const index of [0, 1])
      fleet.run(
        `INSERT INTO chat_contacts (identifier, driver_id, is_deleted, tries) VALUES (?, ?, 0, 0)`,
        former(index),
        idOf(index),
      );
    await fleet.endAllSessions();
    wait(MINUTE_MS);
    await follow(fleet);
    const present = (index: number) => `${former(index)}-${NOW.toString(36)}`;
    expect(
      fleet.rows(`SELECT identifier, driver_id, successor, due_at FROM chat_contacts ORDER BY identifier`),
    ).toEqual(
      [0, 1].flatMap((index) => [
        {
          identifier: former(index),
          driver_id: idOf(index),
          successor: present(index),
          due_at: NOW + MINUTE_MS,
        },
        { identifier: present(index), driver_id: idOf(index), successor: null, due_at: null },
      ]),
    );
    expect(fleet.left()).toBe(0);
  });

  it("are followed by themselves where the account's number has to follow too", async () => {
    const fleet = openFleet(3, { hasQueue });
    await fleet.endAllSessions();
    fleet.run(`UPDATE pool_users SET phone_number = '+15550100999' WHERE id = ?`, idOf(1));
    wait(MINUTE_MS);
    await follow(fleet);
    expect(fleet.left()).toBe(0);
    expect(fleet.rows(`SELECT phone_number FROM users WHERE id = '${idOf(1)}'`)).toEqual([
      { phone_number: "+15550100999" },
    ]);
  });
});
