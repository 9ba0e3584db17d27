import { beforeEach, describe, expect, it } from "vitest";
import { countDeadTasks } from "../../../db/queries/fleet/ended-tasks.ts";
import { countFailingRenewals } from "../../../db/queries/payments/renewals.ts";
import { driverId, type DriverId } from "../../../db/shapes/units.ts";
import type { Deps } from "../../../durable/deps.ts";
import { sendAnnouncements } from "../../../worker/texts/announcements.ts";
import type { CardCheckoutContext } from "../../../worker/payments/checkout.ts";
import { runDueRenewals } from "../../../worker/payments/renewals/renewals.ts";
import { DEAD_QUEUE, runTasks, type TaskBatch } from "../../../worker/cron/consume-tasks.ts";
import { DAY_MS, MINUTE_MS, NOW, openCheckout, type Checkout } from "../../payments/checkout-harness.ts";
import { CHARGE_AT, openRenewedWeek, renewalsOf } from "../../payments/renewals-harness.ts";
import { DATABASE_STATEMENTS_A_SECOND } from "../../bench/scale.ts";
import { openTaskQueue } from "../../support/task-queue.ts";

const DRIVERS = 10_000;
const ids = Array.from({ length: DRIVERS }, (_, index) =>
  driverId.parse(`6f1f8a52-6d0e-4a26-9d3e-${String(index).padStart(12, "0")}`),
);

let at: Checkout;
let tasks: ReturnType<typeof openTaskQueue>;
let statements: number;
/** How often each driver's object was told. */
let heard: Map<DriverId, number>;
/** Objects that can't be reached. */
let down: Set<DriverId>;
let checkout: CardCheckoutContext;

function open(checkoutAt: Checkout): void {
  at = checkoutAt;
  tasks = openTaskQueue(() => at.clock.now);
  heard = new Map();
  down = new Set();
  const driver = (id: DriverId) => ({
    ...at.checkout.deps.driver(id),
    configure: async (...given: Parameters<ReturnType<Deps["driver"]>["configure"]>) => {
      if (down.has(id)) throw new Error("the object is down");
      return at.checkout.deps.driver(id).configure(...given);
    },
    announce: async () => {
      if (down.has(id)) throw new Error("the object is down");
      heard.set(id, (heard.get(id) ?? 0) + 1);
      return { sent: 1, failed: 0, pending: 0 };
    },
  });
  const deps = { ...at.checkout.deps, driver } as unknown as Deps;
  checkout = { ...at.checkout, deps };
}

beforeEach(() => {
  statements = 0;
  open(
    openCheckout({}, () => {
      statements += 1;
    }),
  );
});

const consume = (batch: TaskBatch) => runTasks(checkout, batch);

/** Breaks off before each so manieth batch's end. */
function breakingOff(every: number): typeof consume {
  let batches = 0;
  return async (batch) => {
    batches += 1;
    if (batches % every !== 0) return consume(batch);
    await consume({ ...batch, messages: batch.messages.slice(0, 5) });
    throw new Error("the isolate is gone");
  };
}

function announce(audience: string, of: string | null): void {
  for (const id of ids) at.addDriver(id, { change: { phoneNumber: `+1${id.slice(-10)}` } });
  at.run(`UPDATE users SET language = 'pt' WHERE id >= ?`, ids[DRIVERS - 10] ?? "");
  at.run(
    `INSERT INTO announcements (id, en, es, pt, audience, audience_of, starts_at, ends_at, created_at)
      VALUES ('a', 'Hello', 'Hola', 'Olá', ?, ?, 0, ?, 0)`,
    audience,
    of,
    NOW + DAY_MS,
  );
}
const announcement = () => at.rows(`SELECT told, is_told, pushes_sent, pushes_failed FROM announcements`)[0];

describe("an announcement", () => {
  it("reaches ten thousand drivers within a minute, each of whom counts once though tasks come twice and break off", async () => {
    announce("all", null);
    statements = 0;
    await sendAnnouncements(checkout.deps, { queue: tasks.queue });
    // One look at what holds, and for each page of a thousand one that reads it and one that notes it; an empty one ends it.
    expect([statements, tasks.waiting()]).toEqual([1 + 2 * 11, 400]);
    statements = 0;
    const batches = await tasks.deliver(breakingOff(7), { twice: 9 });
    expect(batches).toBeLessThanOrEqual(45);
    // Each task counts in three statements, each batch looks up its announcement and what was done before.
    expect(statements).toBeLessThanOrEqual(3 * 445 + 2 * 45);
    while (tasks.waiting() > 0) {
      at.clock.now += MINUTE_MS / 2;
      await tasks.deliver(consume);
    }
    expect(at.clock.now - NOW).toBeLessThanOrEqual(MINUTE_MS);
    expect(heard.size).toBe(DRIVERS);
    expect(announcement()).toEqual({ told: DRIVERS, is_told: 1, pushes_sent: DRIVERS, pushes_failed: 0 });
    expect(tasks.dead).toEqual([]);
  });

  it("is queued twice by a run that is cut off before it noted how far it came, and counts once", async () => {
    announce("all", null);
    await sendAnnouncements(checkout.deps, { queue: tasks.queue });
    at.run(`UPDATE announcements SET told_up_to = '', is_told = 0`);
    await sendAnnouncements(checkout.deps, { queue: tasks.queue });
    expect(tasks.waiting()).toBe(800);
    await tasks.deliver(consume);
    expect(announcement()).toMatchObject({ told: DRIVERS, pushes_sent: DRIVERS });
  });

  it("goes to those whom it is for, and comes back to objects that can't be reached", async () => {
    announce("language", "pt");
    down = new Set(ids.slice(-2));
    await sendAnnouncements(checkout.deps, { queue: tasks.queue });
    await tasks.deliver(consume, { twice: 1 });
    expect([...heard.keys()]).toEqual(ids.slice(-10, -2));
    expect(announcement()).toMatchObject({ told: 8, is_told: 1 });
    expect(at.rows(`SELECT driver_id, tries FROM announcement_retries ORDER BY driver_id`)).toEqual(
      ids.slice(-2).map((id) => ({ driver_id: id, tries: 0 })),
    );
  });

  it("that is over reaches nobody else", async () => {
    announce("all", null);
    await sendAnnouncements(checkout.deps, { queue: tasks.queue });
    at.clock.now = NOW + DAY_MS;
    await tasks.deliver(consume);
    expect([heard.size, tasks.waiting()]).toEqual([0, 0]);
  });
});

/** Quiet hours in a time zone that this runtime doesn't know. */
const UNKNOWN_ZONE = `UPDATE users SET human_timezone = 'Mars/Olympus',
  notifications = '{"quietHours":{"fromMinute":1320,"toMinute":420}}' WHERE id = ?1`;

describe("renewals", () => {
  const due = `SELECT count(*) AS drivers FROM renewals WHERE due_at <= ?`;
  const END = NOW + 30 * DAY_MS;

  /** All are due now, and have weeks until their notice. */
  function renewAll(drivers = 1_000, serviceMs = END - NOW): void {
    for (const id of ids.slice(0, drivers)) {
      at.addDriver(id, { serviceMs, change: { phoneNumber: `+1${id.slice(-10)}` } });
      at.run(
        `INSERT INTO renewals (driver_id, status, plan, cap_cents, currency, consent_id, method_id, method, due_at, tries, revision)
          VALUES (?, 'on', '7days', 5022, 'USD', ?, 'pm_1', 'card', ?, 0, 1)`,
        id,
        `c-${id}`,
        NOW,
      );
    }
  }

  it("of ten thousand drivers are queued in one minute by eleven statements, each once", async () => {
    renewAll(DRIVERS, 0);
    statements = 0;
    await runDueRenewals(checkout, tasks.queue);
    // A statement keeps a thousand of them for the queue; the last finds none.
    expect([statements, tasks.waiting()]).toEqual([11, 400]);
    // The next minute doesn't queue them again.
    at.clock.now += MINUTE_MS;
    await runDueRenewals(checkout, tasks.queue);
    expect(tasks.waiting()).toBe(400);
  });

  it("that wait take eight statements for twenty-five, and one more where their task comes twice", async () => {
    renewAll();
    await runDueRenewals(checkout, tasks.queue);
    statements = 0;
    await tasks.deliver(consume, { twice: 10 });
    expect(tasks.waiting()).toBe(0);
    // A batch of ten tasks looks up what was done before.
    expect(statements).toBeLessThanOrEqual(8 * 40 + 4 + 5);
    const looks = at.rows(`SELECT DISTINCT revision, tries, due_at FROM renewals`);
    expect(looks).toEqual([{ revision: 3, tries: 0, due_at: END - 49 * 60 * MINUTE_MS }]);
  });

  /** All have their card, and are to be told now. */
  function tellAll(drivers: number, whileAsking = () => {}): void {
    renewAll(drivers, 40 * 60 * MINUTE_MS);
    at.run(`INSERT INTO stripe_customers (driver_id, customer_id) SELECT driver_id, 'cus_1' FROM renewals`);
    const card = { id: "pm_1", type: "card" as const, brand: "visa", last4: "4242" };
    at.bank.processor.listSavedCards = async () => {
      whileAsking();
      return [{ ...card, expMonth: 12, expYear: 2099, mayBeShown: true }];
    };
  }

  it("that tell pass over one that was turned off meanwhile, and come back to an object that is down", async () => {
    const [off = "", unreachable = ""] = ids;
    const turnOff = `UPDATE renewals SET status = 'off', due_at = NULL, revision = 9 WHERE driver_id = ?`;
    tellAll(25, () => at.run(turnOff, off));
    down = new Set(ids.slice(1, 2));
    await runDueRenewals(checkout, tasks.queue);
    await tasks.deliver(consume);
    const told = `SELECT count(*) AS drivers FROM renewals WHERE noticed_cents = 5022 AND revision = 3`;
    expect(at.rows(told)).toEqual([{ drivers: 24 }]);
    expect(at.rows(`SELECT status, revision, noticed_cents FROM renewals WHERE driver_id = ?`, off)).toEqual([
      { status: "off", revision: 9, noticed_cents: null },
    ]);
    expect(at.rows(`SELECT driver_id, kind FROM service_news`)).toEqual([
      { driver_id: unreachable, kind: "renewal_ahead" },
    ]);
  });

  it("that can't go on are paused, and those beside them told", async () => {
    tellAll(25);
    at.run(`UPDATE renewals SET method_id = 'pm_gone' WHERE driver_id = ?`, ids[0] ?? "");
    at.run(`UPDATE renewals SET plan = 'gone' WHERE driver_id = ?`, ids[1] ?? "");
    at.run(`UPDATE renewals SET cap_cents = 100 WHERE driver_id = ?`, ids[2] ?? "");
    await runDueRenewals(checkout, tasks.queue);
    await tasks.deliver(consume);
    const states = `SELECT status, pause, count(*) AS drivers FROM renewals GROUP BY 1, 2 ORDER BY 3, 2`;
    expect(at.rows(states)).toEqual([
      { status: "paused", pause: "method_gone", drivers: 1 },
      { status: "paused", pause: "over_cap", drivers: 1 },
      { status: "paused", pause: "plan_gone", drivers: 1 },
      { status: "on", pause: null, drivers: 22 },
    ]);
  });

  it.each([
    ["a time zone", UNKNOWN_ZONE],
    ["preferences", `UPDATE users SET notifications = '{"', reminders = '7' WHERE id = ?1`],
    [
      "a language and a mode",
      `UPDATE users SET language = 'tlh', mode = 'warp', special_mode = 'x' WHERE id = ?1`,
    ],
    ["a plan", `UPDATE renewals SET plan = '{}' WHERE driver_id = ?1`],
    ["a cap", `UPDATE renewals SET cap_cents = 'much', currency = '' WHERE driver_id = ?1`],
    [
      "a notice",
      `UPDATE renewals SET noticed_end = 'soon', noticed_cents = 'x', noticed_at = 'y' WHERE driver_id = ?1`,
    ],
    ["service time", `UPDATE service_credits SET duration_ms = 'long' WHERE driver_id = ?1`],
    [
      "filters",
      `INSERT INTO filters (driver_id, version, save_id, min_hourly_cents, schedule, limits, dates) VALUES (?1, 'v', '', 'x', '{', '[', '9')`,
    ],
    [
      "a price",
      `INSERT INTO price_cuts (id, kind, plan, price_cents, driver_id, starts_at, ends_at) VALUES ('x', 'warp', '{}', 'cheap', ?1, 0, 9e15)`,
    ],
    ["points", `INSERT INTO point_entries (source, driver_id, points, at) VALUES ('x', ?1, 'many', 0)`],
  ])("tell the others of a task where one has %s that can't be read", async (_what, garble) => {
    tellAll(25);
    at.run(garble, ids[3] ?? "");
    await runDueRenewals(checkout, tasks.queue);
    await tasks.deliver(consume);
    expect([tasks.waiting(), tasks.dead.length]).toEqual([0, 0]);
    const told = `SELECT count(*) AS drivers FROM renewals WHERE noticed_cents = 5022 AND driver_id <> ?`;
    expect(at.rows(told, ids[3] ?? "")).toEqual([{ drivers: 24 }]);
  });

  it("with a record that can't be read are logged and repeated later, each time later, and counted after three hours", async () => {
    tellAll(25);
    at.run(UNKNOWN_ZONE, ids[3] ?? "");
    const waits = [5, 10, 20, 40, 60, 60, 60];
    for (const waitMinutes of waits) {
      expect(await countFailingRenewals(checkout.db)).toBe(0);
      await runDueRenewals(checkout, tasks.queue);
      await tasks.deliver(consume);
      expect(at.rows(`SELECT due_at AS at FROM renewals WHERE driver_id = ?`, ids[3] ?? "")).toEqual([
        { at: at.clock.now + waitMinutes * MINUTE_MS },
      ]);
      at.clock.now += waitMinutes * MINUTE_MS;
    }
    const failed = at.log.mock.calls.filter(([, event]) => event === "payments.renewal.failed");
    expect(failed.map(([, , facts]) => facts?.["driverId"])).toEqual(waits.map(() => ids[3]));
    expect(await countFailingRenewals(checkout.db)).toBe(1);
    at.run(`UPDATE users SET human_timezone = 'America/New_York' WHERE id = ?`, ids[3] ?? "");
    await runDueRenewals(checkout, tasks.queue);
    await tasks.deliver(consume);
    expect(await countFailingRenewals(checkout.db)).toBe(0);
  });

  it("that tell take one statement each at most: ten thousand a minute are less than half of what the database bears", async () => {
    tellAll(1_000);
    await runDueRenewals(checkout, tasks.queue);
    statements = 0;
    await tasks.deliver(consume);
    expect(tasks.waiting()).toBe(0);
    expect(statements).toBeLessThanOrEqual(1_000);
    expect(10 * statements).toBeLessThan((DATABASE_STATEMENTS_A_SECOND * 60) / 2);
    expect(at.rows(`SELECT DISTINCT revision, tries, noticed_cents FROM renewals`)).toEqual([
      { revision: 3, tries: 0, noticed_cents: 5022 },
    ]);
    // Each driver's object heard of it.
    expect(at.rows(`SELECT count(*) AS news FROM service_news`)).toEqual([{ news: 0 }]);
  });

  it("are due again where nobody carries out their tasks, so that none is lost", async () => {
    renewAll();
    await runDueRenewals(checkout, tasks.queue);
    expect(at.rows(due, at.clock.now)).toEqual([{ drivers: 0 }]);
    await tasks.deliver(breakingOff(2));
    at.clock.now += 15 * MINUTE_MS;
    const again = openTaskQueue(() => at.clock.now);
    await runDueRenewals(checkout, again.queue);
    expect(again.waiting()).toBeGreaterThan(5);
    await again.deliver(consume);
    expect(at.rows(`SELECT DISTINCT revision FROM renewals`)).toEqual([{ revision: 3 }]);
  });

  it("are charged once, however often and at whatever time their task comes", async () => {
    open(await openRenewedWeek());
    const { comeToCharge, charged, asked } = renewalsOf(() => at);
    await comeToCharge();
    expect(at.clock.now).toBe(CHARGE_AT);
    await runDueRenewals(checkout, tasks.queue);
    const bodies: TaskBatch[] = [];
    await tasks.deliver(async (batch) => {
      bodies.push(batch);
      await Promise.all([consume(batch), consume(batch), consume(batch)]);
    });
    for (const minutes of [5, 15, 60]) {
      at.clock.now = CHARGE_AT + minutes * MINUTE_MS;
      for (const batch of bodies) await consume(batch);
    }
    expect(charged()).toEqual(["settled"]);
    expect(asked("confirmWithoutDriver")).toHaveLength(1);
  });

  it("ask the card processor six times for a charge", async () => {
    open(await openRenewedWeek());
    const { comeToCharge, charged } = renewalsOf(() => at);
    await comeToCharge();
    const before = at.bank.asked.length;
    await runDueRenewals(checkout, tasks.queue);
    await tasks.deliver(consume);
    expect(charged()).toEqual(["settled"]);
    expect(at.bank.asked.slice(before).map(([name]) => name)).toEqual([
      "listSavedCards",
      "fetchIntent",
      "createIntent",
      "fetchIntent",
      "confirmWithoutDriver",
      "fetchIntent",
    ]);
  });

  it("wait while an owner has to let them go on, and are due again", async () => {
    renewAll();
    await runDueRenewals(checkout, tasks.queue);
    const held = { renewalsHeldSince: async () => NOW };
    const deps = { ...checkout.deps, restoreRecord: () => held } as unknown as Deps;
    await tasks.deliver((batch) => runTasks({ ...checkout, deps }, batch));
    expect(at.rows(`SELECT DISTINCT revision FROM renewals`)).toEqual([{ revision: 1 }]);
    expect(at.rows(due, NOW + 15 * MINUTE_MS)).toEqual([{ drivers: 1_000 }]);
  });
});

describe("a task", () => {
  const message = (body: unknown, attempts = 1) => {
    const answers: unknown[] = [];
    return {
      answers,
      one: {
        id: "m1",
        body,
        attempts,
        ack: () => void answers.push("ack"),
        retry: (options?: { delaySeconds?: number }) => void answers.push(options),
      },
    };
  };
  const answerTo = async (body: unknown, attempts?: number, queue = "jornada-tasks") => {
    const { answers, one } = message(body, attempts);
    await consume({ queue, messages: [one] });
    return answers;
  };

  it("of a later release waits for it, longer each time", async () => {
    const tomorrow = { kind: "tomorrow", version: 1, id: "t" };
    expect(await answerTo(tomorrow)).toEqual([{ delaySeconds: 30 }]);
    expect(await answerTo(tomorrow, 3)).toEqual([{ delaySeconds: 120 }]);
    expect(await answerTo(tomorrow, 7)).toEqual([{ delaySeconds: 900 }]);
  });

  it("that every try failed at is counted once", async () => {
    const body = { kind: "announce", version: 1, id: "t", announcementId: "a", drivers: [ids[0]] };
    expect(await answerTo(body, 1, DEAD_QUEUE)).toEqual(["ack"]);
    expect(await answerTo(body, 1, DEAD_QUEUE)).toEqual(["ack"]);
    expect(await answerTo("rubbish", 1, DEAD_QUEUE)).toEqual(["ack"]);
    expect(await countDeadTasks(checkout.db, NOW - DAY_MS)).toEqual({ tasks: 2, firstAt: NOW });
  });

  it("waits while the deployment is closed", async () => {
    const deps = { ...checkout.deps, config: { ...checkout.deps.config, maintenance: { until: null } } };
    const { answers, one } = message({});
    await runTasks({ ...checkout, deps }, { queue: "jornada-tasks", messages: [one] });
    expect(answers).toEqual([{ delaySeconds: 300 }]);
  });
});
