import { describe, expect, it } from "vitest";
import { openDb } from "../../../db/client.ts";
import { runSteps, type CronStep } from "../../../worker/cron/run-steps.ts";
import { countStatement } from "../../../worker/http/request-scope.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";

const START = Date.parse("2026-11-21T12:00:00Z");

function open() {
  const database = migratedDatabase();
  const clock = { now: START };
  const trip = { isDown: false, hangs: false };
  /** Waits that are longer last for ever. */
  const limit = { ms: Infinity };
  const ran: string[] = [];
  const logged: string[] = [];
  const db = openDb(
    bindD1(database, async (work) => {
      if (trip.isDown) throw new Error("D1 is down");
      if (trip.hangs) await new Promise(() => {});
      return work();
    }),
  );
  const deps = {
    db,
    now: () => clock.now,
    // A step that never ends meets its limit at once, and the run its end.
    sleep: async (ms: number) => {
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
      if (ms > limit.ms) await new Promise(() => {});
    },
    log: (_level: string, event: string) => logged.push(event),
  };
  const step = (
    name: string,
    { statements = 10, takes = 0, ...more }: Partial<CronStep & { takes: number }> = {},
  ) => ({
    name,
    statements,
    run: async () => {
      ran.push(name);
      clock.now += 1;
      for (let count = 0; count < takes; count += 1) countStatement();
    },
    ...more,
  });
  return {
    clock,
    limit,
    trip,
    logged,
    step,
    rows: () => database.prepare("SELECT * FROM cron_steps ORDER BY name").all(),
    async run(steps: readonly CronStep[], isClosed = false) {
      ran.length = 0;
      const failed = await runSteps(deps, steps, { isClosed, overdueMs: 1_000, lastsMs: 60_000 });
      return { ran: [...ran], failed };
    },
  };
}

describe("a cron's steps", () => {
  it("run each on their own: one that throws stops no other, and keeps its last success", async () => {
    const cron = open();
    await cron.run([cron.step("spots")]);
    cron.clock.now = START + 100;
    const broken = cron.step("spots", {
      run: async () => {
        throw new TypeError("broken");
      },
    });
    const outcome = await cron.run([broken, cron.step("renewals")]);
    expect(outcome).toEqual({ ran: ["renewals"], failed: ["spots"] });
    expect(cron.rows()).toEqual([
      {
        name: "renewals",
        started_at: START + 100,
        succeeded_at: START + 101,
        failure: null,
        overdue_at: START + 1_100,
      },
      {
        name: "spots",
        started_at: START + 101,
        succeeded_at: START + 1,
        failure: "TypeError",
        overdue_at: START + 1_000,
      },
    ]);
  });

  it("don't wait for one that hangs", async () => {
    const cron = open();
    const hanging = cron.step("orders", { run: () => new Promise(() => {}) });
    expect(await cron.run([hanging, cron.step("news")])).toEqual({ ran: ["news"], failed: ["orders"] });
    expect(cron.rows()).toContainEqual(
      expect.objectContaining({ name: "orders", failure: "StepTimeoutError" }),
    );
  });

  it("come first that need no database, where that hangs", async () => {
    const cron = open();
    const steps = [cron.step("objects"), cron.step("alerts", { needsNoDatabase: true })];
    expect((await cron.run(steps)).ran).toEqual(["objects", "alerts"]);
    cron.trip.hangs = true;
    expect((await cron.run(steps)).ran).toEqual(["alerts", "objects"]);
    expect(cron.logged).toContain("cron.steps.unknown");
  });

  it("go on alone if they take longer, which the run waits for and stores", async () => {
    const cron = open();
    const ends: ((error?: Error) => void)[] = [];
    const late = (name: string) =>
      cron.step(name, {
        run: () =>
          new Promise<void>((resolve, reject) => {
            ends.push((error) => (error ? reject(error) : resolve()));
          }),
      });
    const endLate = cron.step("news", {
      run: async () => {
        // After the run has come to its end.
        setTimeout(() => ends.forEach((end, index) => end(index === 0 ? undefined : new RangeError("no"))));
      },
    });
    cron.limit.ms = 20_000;
    const { failed } = await cron.run([late("payments"), late("books"), endLate]);
    expect(failed).toEqual(["books"]);
    expect(cron.rows()).toMatchObject([
      { name: "books", succeeded_at: null, failure: "RangeError" },
      { name: "news" },
      { name: "payments", succeeded_at: START, failure: null },
    ]);
  });

  it("run at most 950 statements together; those that don't fit come first in the next run", async () => {
    const cron = open();
    const steps = ["events", "renewals", "spots"].map((name) =>
      cron.step(name, { statements: 800, takes: 700 }),
    );
    expect((await cron.run(steps)).ran).toEqual(["events"]);
    expect((await cron.run(steps)).ran).toEqual(["renewals"]);
    expect((await cron.run(steps)).ran).toEqual(["spots"]);
    expect((await cron.run(steps)).ran).toEqual(["events"]);
  });

  it("start only within the minute, and take up where the last run ended", async () => {
    const cron = open();
    const slow = (name: string) =>
      cron.step(name, {
        run: async () => {
          cron.clock.now += 30_000;
        },
      });
    const steps = [slow("events"), slow("renewals"), cron.step("spots")];
    expect((await cron.run(steps)).ran).toEqual([]);
    expect((await cron.run(steps)).ran).toEqual(["spots"]);
  });

  it("rest while the deployment is closed, and are not missed then", async () => {
    const cron = open();
    const steps = [cron.step("objects", { runsClosed: true }), cron.step("renewals")];
    expect((await cron.run(steps, true)).ran).toEqual(["objects"]);
    expect(cron.rows()).toContainEqual({
      name: "renewals",
      started_at: START,
      succeeded_at: null,
      failure: null,
      overdue_at: START + 1_000,
    });
  });

  it("run without the table of their runs", async () => {
    const cron = open();
    cron.trip.isDown = true;
    expect(await cron.run([cron.step("objects")])).toEqual({ ran: ["objects"], failed: [] });
    expect(cron.logged).toEqual(["cron.steps.unknown", "cron.steps.unknown"]);
  });

  it("begin within fifty seconds of the run, else they are the next one's", async () => {
    for (const [takesMs, ran] of [
      [49_999, ["next"]],
      [50_000, []],
    ] as const) {
      const cron = open();
      const slow: CronStep = {
        name: "slow",
        statements: 1,
        run: async () => {
          cron.clock.now += takesMs;
        },
      };
      expect((await cron.run([slow, cron.step("next")])).ran).toEqual(ran);
      expect(cron.logged).toEqual(ran.length === 0 ? ["cron.step.postponed"] : []);
    }
  });
});
