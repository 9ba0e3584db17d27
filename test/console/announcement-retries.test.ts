import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { retryAnnouncements } from "../../worker/texts/announcements.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const NOW = 1_800_000_000_000;

/** A driver who is to hear of an announcement, and an object that says what is scripted, or can't be reached. */
function open({ endsIn = 240 * HOUR_MS, pending = 2 } = {}) {
  const database = migratedDatabase();
  database
    .prepare(
      `INSERT INTO announcements (id, en, es, pt, audience, starts_at, ends_at, created_at) VALUES ('line', 'a', 'b', 'c', 'all', 0, ?, 0)`,
    )
    .run(NOW + endsIn);
  database.exec(
    `INSERT INTO announcement_retries (announcement_id, driver_id, pending, tries, due_at) VALUES ('line', 'driver', ${pending}, 0, ${NOW})`,
  );
  const clock = { now: NOW };
  const asked: number[] = [];
  const script = { answer: null as { sent: number; failed: number; pending: number } | null };
  const announce = async () => {
    asked.push((clock.now - NOW) / MINUTE_MS);
    if (script.answer === null) throw new Error("the object is down");
    return script.answer;
  };
  const deps = {
    db: openDb(bindD1(database)),
    now: () => clock.now,
    log: () => {},
    driver: () => ({ announce }),
  } as unknown as Deps;
  return {
    asked,
    script,
    rows: () => database.prepare(`SELECT tries, pending FROM announcement_retries`).all(),
    pushes: () =>
      database.prepare(`SELECT pushes_sent AS sent, pushes_failed AS failed FROM announcements`).get(),
    told: () => database.prepare(`SELECT told FROM announcements`).get(),
    async minutes(count: number) {
      for (let minute = 0; minute < count; minute += 1) {
        await retryAnnouncements(deps);
        clock.now += MINUTE_MS;
      }
    },
  };
}

it("come back to a driver's object later each time, and give up in the end", async () => {
  const { asked, rows, pushes, minutes } = open();
  await minutes(16);
  expect([asked, rows()]).toEqual([[0, 1, 3, 7, 15], [{ tries: 5, pending: 2 }]]);
  await minutes(60);
  expect([asked.slice(5), rows(), pushes()]).toEqual([[30, 45, 60], [], { sent: 0, failed: 2 }]);
});

it("wait for pushes that are on their way, and count what they came to once", async () => {
  const { asked, script, rows, pushes, minutes } = open();
  script.answer = { sent: 0, failed: 0, pending: 1 };
  await minutes(1);
  expect(rows()).toEqual([{ tries: 1, pending: 1 }]);
  script.answer = { sent: 1, failed: 1, pending: 0 };
  await minutes(9);
  expect([asked, rows(), pushes()]).toEqual([[0, 1], [], { sent: 1, failed: 1 }]);
});

it("tell nobody of an announcement that is over, and count its pushes as failed", async () => {
  const { asked, rows, pushes, minutes } = open({ endsIn: 0 });
  await minutes(1);
  expect([asked, rows(), pushes()]).toEqual([[], [], { sent: 0, failed: 2 }]);
});

it("count a driver as told whose object was reached after all, once, whether pushes are on their way or not", async () => {
  for (const pending of [0, 1]) {
    const { script, rows, pushes, told, minutes } = open({ pending: 0 });
    await minutes(1);
    expect([told(), rows()]).toEqual([{ told: 0 }, [{ tries: 1, pending: 0 }]]);
    script.answer = { sent: 1 - pending, failed: 0, pending };
    await minutes(1);
    expect(told()).toEqual({ told: 1 });
    script.answer = { sent: 1, failed: 0, pending: 0 };
    await minutes(9);
    expect([told(), rows(), pushes()]).toEqual([{ told: 1 }, [], { sent: 1, failed: 0 }]);
  }
});

it("count a driver who was told before as told no second time, and one never reached as one push that failed", async () => {
  const known = open();
  known.script.answer = { sent: 2, failed: 0, pending: 0 };
  await known.minutes(1);
  expect([known.told(), known.rows()]).toEqual([{ told: 0 }, []]);
  const never = open({ pending: 0 });
  await never.minutes(80);
  expect([never.told(), never.rows(), never.pushes()]).toEqual([{ told: 0 }, [], { sent: 0, failed: 1 }]);
});
