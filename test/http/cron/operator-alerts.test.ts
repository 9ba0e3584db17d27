import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openDb } from "../../../db/client.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { alertRequest, type AlertMessage } from "../../../worker/cron/alert-request.ts";
import type { DatabaseOutage } from "../../../durable/runtime/env.ts";
import { alertOperators } from "../../../worker/cron/alert-operators.ts";
import type { AlertDeps } from "../../../worker/cron/send-alert.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const sender = {
  productName: "Jornada",
  publicUrl: "https://drivers.test",
  consoleUrl: "https://drivers.test",
};
const message: AlertMessage = {
  id: "platform.down:1",
  event: "begins",
  name: "platform.down",
  reason: "unreachable",
  since: NOW,
  endedAt: null,
};

describe("an alert", () => {
  const target = { url: "https://alerts.test/hook", key: "secret" };
  const bodyOf = async (
    form: "webhook" | "slack" | "pagerduty" | "email",
    change: Partial<AlertMessage> = {},
  ) => {
    const request = await alertRequest({ ...target, form }, { ...message, ...change }, { sender, now: NOW });
    return { request, text: await request.clone().text(), body: JSON.parse(await request.text()) };
  };

  it("is signed for a webhook, with the instant of sending", async () => {
    const { request, text, body } = await bodyOf("webhook");
    const signature = createHmac("sha256", "secret").update(`${NOW}.${text}`).digest("hex");
    expect(request.headers.get("x-jornada-signature")).toBe(`t=${NOW},v1=${signature}`);
    expect(body).toMatchObject({
      id: "platform.down:1:begins",
      event: "begins",
      name: "platform.down",
      endedAt: null,
    });
  });

  it("triggers and resolves one incident at PagerDuty", async () => {
    expect((await bodyOf("pagerduty")).body).toMatchObject({
      routing_key: "secret",
      dedup_key: "platform.down:1",
      event_action: "trigger",
    });
    const { body } = await bodyOf("pagerduty", { event: "ends", endedAt: NOW });
    expect(body).toMatchObject({ dedup_key: "platform.down:1", event_action: "resolve" });
  });

  it("leads to the console where that is, also at a host of its own, and to health at drivers' address", async () => {
    const seeOf = async (name: string) => {
      const request = await alertRequest(
        { ...target, form: "email" },
        { ...message, name },
        { sender: { ...sender, consoleUrl: "https://ops.test" }, now: NOW },
      );
      return /See (\S+)/.exec(JSON.parse(await request.text()).text)?.[1];
    };
    expect([await seeOf("platform.down"), await seeOf("limits.looks.0"), await seeOf("cron.spots")]).toEqual([
      "https://ops.test/ops",
      "https://ops.test/ops/requests",
      "https://drivers.test/status/health",
    ]);
  });

  it("says of each trouble with renewals what it is, and where to look", async () => {
    const textOf = async (name: string) =>
      (await bodyOf("email", { id: `${name}:1`, name, reason: "1+" })).body.text;
    expect(await textOf("renewals.held")).toContain("npm run ops -- release-renewals");
    const failing = await textOf("renewals.failing");
    expect(failing).toContain("Renewals fail at every look (renewals.failing: 1+)");
    expect(failing).toContain("See https://drivers.test/status/health");
    expect(failing).not.toContain("restored");
  });

  it("holds no link or mention for Slack that the name of a city makes", async () => {
    const name = "silence.<https://evil.test|Sign in> & <!channel>";
    const { body } = await bodyOf("slack", { id: `${name}:1`, name, reason: "offers: unknown" });
    expect(body.text).toContain("silence.&lt;https://evil.test|Sign in&gt; &amp; &lt;!channel&gt;: offers");
    expect(body.text).not.toContain("<");
  });

  it("is a text for Slack, and a subject and a text for an e-mail gateway, with where to look", async () => {
    const text =
      "The platform doesn't answer the drivers at work (platform.down: unreachable), since 2026-11-21T12:00:00.000Z. See https://drivers.test/ops";
    const subject = "Jornada: The platform doesn't answer the drivers at work";
    expect((await bodyOf("slack")).body).toEqual({ text: `*${subject}*\n${text}` });
    const { request, body } = await bodyOf("email");
    expect(body).toEqual({ subject, text });
    expect(request.headers.get("authorization")).toBe("Bearer secret");
  });
});

function open({ isConfigured = true } = {}) {
  const database = migratedDatabase();
  const clock = { now: NOW };
  const trip = { isDown: false };
  const record = { outage: null as DatabaseOutage | null };
  const receiver = { status: 200, keys: [] as (string | null)[], texts: [] as string[] };
  const deps = {
    db: openDb(
      bindD1(database, async (work) => {
        if (trip.isDown) throw new Error("D1 is down");
        return work();
      }),
    ),
    now: () => clock.now,
    sleep: () => new Promise<void>(() => {}),
    log: () => {},
    restoreRecord: () => ({
      outage: async () => record.outage,
      noteOutage: async (outage: DatabaseOutage) => {
        record.outage = outage;
      },
      endOutage: async () => {
        record.outage = null;
      },
    }),
    send: async (request: Request) => {
      receiver.keys.push(request.headers.get("idempotency-key"));
      receiver.texts.push(await request.text());
      return new Response(null, { status: receiver.status });
    },
    config: {
      ...sender,
      operators: null,
      alerts: isConfigured ? ({ url: "https://alerts.test/", form: "slack", key: null } as const) : null,
    },
  };
  const failures: unknown[] = [];
  return {
    receiver,
    database,
    failures,
    trip,
    record,
    rows: () => database.prepare("SELECT name FROM incidents").all(),
    alert: (name: string) =>
      database.exec(
        `INSERT OR REPLACE INTO service_alerts (name, reason, since, until)
         VALUES ('${name}', 'offers', ${NOW - 1}, ${NOW + 60 * MINUTE_MS})`,
      ),
    silence(cities: number) {
      for (let city = 0; city < cities; city += 1) this.alert(`silence.${city}`);
    },
    overdue(steps: readonly number[], failure: string | null = null) {
      const add = database.prepare(
        `INSERT OR REPLACE INTO cron_steps (name, started_at, overdue_at, failure) VALUES (?, 0, ?, ?)`,
      );
      for (const [step, at] of steps.entries()) add.run(`step ${step}`, at, step === 0 ? failure : null);
    },
    trouble: (isOn: boolean) =>
      database.exec(
        isOn
          ? `INSERT OR REPLACE INTO payment_alerts (id, kind, intent_id, at) VALUES ('a', 'mismatch', 'pi_1', 1)`
          : `DELETE FROM payment_alerts`,
      ),
    payment: (kind: string, intentId: string) =>
      database
        .prepare(`INSERT INTO payment_alerts (id, kind, intent_id, at) VALUES (?, ?, ?, 1)`)
        .run(`${kind}:${intentId}`, kind, intentId),
    async minutes(count: number) {
      for (let minute = 0; minute < count; minute += 1) {
        await alertOperators(deps as unknown as AlertDeps).catch((error: unknown) => failures.push(error));
        clock.now += MINUTE_MS;
      }
    },
  };
}

describe("operators", () => {
  it("are told once that money came in without service, and once that it is settled", async () => {
    const watch = open();
    watch.trouble(true);
    await watch.minutes(10);
    watch.trouble(false);
    await watch.minutes(10);
    const id = `payments.unserved.pi_1:${NOW}`;
    expect(watch.receiver.keys).toEqual([`${id}:begins`, `${id}:ends`]);
  });

  it("are told of each payment, also beside one that nobody settles for weeks", async () => {
    const watch = open();
    watch.payment("fraud_warning", "pi_0");
    await watch.minutes(5);
    watch.payment("unknown_payment", "pi_2");
    watch.payment("mismatch", "pi_2");
    await watch.minutes(5);
    expect(watch.receiver.keys.map((key) => key?.split(":")[0])).toEqual([
      "payments.fraud_warning.pi_0",
      "payments.unserved.pi_2",
    ]);
    expect(watch.receiver.texts[0]).toContain("A bank calls a payment fraudulent");
    expect(watch.receiver.texts[1]).toContain("Money came in without service");
    watch.trouble(false);
    await watch.minutes(5);
    expect(watch.receiver.keys).toHaveLength(4);
  });

  it("hear nothing of an end while a payment is open that the former release told of", async () => {
    const watch = open();
    watch.database.exec(
      `INSERT INTO incidents (name, id, reason, begun_at, seen_at, begin_told_at, due_at)
       VALUES ('payments.unserved', 'payments.unserved:1', 'mismatch', 1, ${NOW}, 1, 0)`,
    );
    watch.trouble(true);
    await watch.minutes(10);
    expect(watch.receiver.keys).toEqual([`payments.unserved.pi_1:${NOW}:begins`]);
    watch.trouble(false);
    await watch.minutes(10);
    expect(watch.receiver.keys.slice(1).toSorted()).toEqual([
      `payments.unserved.pi_1:${NOW}:ends`,
      "payments.unserved:1:ends",
    ]);
  });

  it("are told of trouble that comes and goes as one, and of the next time anew", async () => {
    const watch = open();
    for (let turn = 0; turn < 5; turn += 1) {
      watch.trouble(turn % 2 === 0);
      await watch.minutes(2);
    }
    expect(watch.receiver.keys).toHaveLength(1);
    watch.trouble(false);
    await watch.minutes(5);
    watch.trouble(true);
    await watch.minutes(5);
    expect(watch.receiver.keys.map((key) => key?.split(":").at(-1))).toEqual(["begins", "ends", "begins"]);
    expect(new Set(watch.receiver.keys).size).toBe(3);
  });

  it("get a refused message again, as the same, until it is taken", async () => {
    const watch = open();
    watch.receiver.status = 503;
    watch.trouble(true);
    await watch.minutes(3);
    watch.receiver.status = 200;
    await watch.minutes(5);
    expect(watch.receiver.keys).toHaveLength(4);
    expect(new Set(watch.receiver.keys).size).toBe(1);
  });

  it("are told nothing later of what happened while no address was set", async () => {
    const watch = open({ isConfigured: false });
    watch.trouble(true);
    await watch.minutes(3);
    expect([watch.receiver.keys, watch.rows()]).toEqual([[], []]);
  });

  it("hear that trouble is over when it was not seen for three minutes, and of one that came back before nothing", async () => {
    const watch = open();
    watch.trouble(true);
    await watch.minutes(1);
    watch.trouble(false);
    await watch.minutes(2);
    expect(watch.receiver.keys).toHaveLength(1);
    await watch.minutes(1);
    expect(watch.receiver.keys).toHaveLength(2);
    watch.receiver.status = 503;
    watch.trouble(true);
    await watch.minutes(1);
    watch.trouble(false);
    await watch.minutes(5);
    watch.trouble(true);
    watch.receiver.status = 200;
    await watch.minutes(5);
    expect(watch.receiver.keys.filter((key) => key?.endsWith(":ends"))).toHaveLength(1);
  });

  it("are told of the others where ten messages are refused each time", async () => {
    const watch = open();
    watch.silence(11);
    watch.receiver.status = 400;
    await watch.minutes(2);
    expect(new Set(watch.receiver.keys).size).toBe(11);
  });

  it("are told of a cron's step once it is overdue, with its failure", async () => {
    const watch = open();
    watch.overdue([NOW, NOW, NOW], "TypeError");
    await watch.minutes(1);
    expect(watch.receiver.keys).toEqual([]);
    await watch.minutes(1);
    const reasons = watch.receiver.texts.flatMap((text) => /\(cron\.(step \d+: \w+)\)/.exec(text)?.[1] ?? []);
    expect(reasons.toSorted()).toEqual(["step 0: TypeError", "step 1: missed", "step 2: missed"]);
  });

  it("are told of ten troubles a minute", async () => {
    const watch = open();
    watch.silence(11);
    await watch.minutes(1);
    expect(watch.receiver.keys).toHaveLength(10);
    await watch.minutes(1);
    expect(new Set(watch.receiver.keys).size).toBe(11);
  });

  it("are told of many steps as of one, with its end, and still of those that they heard of before", async () => {
    const watch = open();
    watch.overdue([NOW - 1]);
    await watch.minutes(1);
    watch.overdue(Array.from({ length: 20 }, () => NOW - 1));
    await watch.minutes(5);
    watch.database.exec(`DELETE FROM cron_steps`);
    await watch.minutes(5);
    expect(watch.receiver.keys.map((key) => key?.replace(/:\d+:/u, " "))).toEqual([
      "cron.step 0 begins",
      "cron.steps begins",
      "cron.step 0 ends",
      "cron.steps ends",
    ]);
    expect(watch.receiver.texts[1]).toContain("(cron.steps: step 0, step 1, step 2");
  });

  it("are told of one release of the platform as of one, whatever fields of its answers it changed", async () => {
    const watch = open();
    for (let field = 0; field < 8; field += 1) watch.alert(`platform.drift.offers.field${field}`);
    await watch.minutes(3);
    expect(watch.receiver.keys).toEqual([`platform.drift:${NOW}:begins`]);
    expect(watch.receiver.texts[0]).toContain("The platform's answers differ from its contract");
  });

  it("are told of the rest where one source can't be read, and of nothing that is over", async () => {
    const watch = open();
    watch.overdue([NOW - 1]);
    await watch.minutes(1);
    watch.database.exec(`ALTER TABLE cron_steps RENAME TO away`);
    watch.trouble(true);
    await watch.minutes(10);
    expect(watch.receiver.keys.map((key) => key?.split(":")[0])).toEqual([
      "cron.step 0",
      "payments.unserved.pi_1",
    ]);
    expect(watch.failures).toHaveLength(10);
  });

  it("see in health that a message is refused, since the step fails until it is taken", async () => {
    const watch = open();
    watch.receiver.status = 410;
    watch.trouble(true);
    await watch.minutes(2);
    expect(watch.failures).toMatchObject([{ name: "AlertRefusedError" }, { name: "AlertRefusedError" }]);
    watch.receiver.status = 200;
    await watch.minutes(1);
    expect(watch.failures).toHaveLength(2);
  });
});

describe("an outage of the database", () => {
  it("is told once while it lasts, and its end once it answers again for three minutes", async () => {
    const watch = open();
    await watch.minutes(1);
    watch.trip.isDown = true;
    await watch.minutes(20);
    expect(watch.receiver.keys).toEqual([`database.down:${NOW + MINUTE_MS}:begins`]);
    expect(watch.receiver.texts[0]).toContain("The database doesn't answer");
    watch.trip.isDown = false;
    await watch.minutes(2);
    watch.trip.isDown = true;
    await watch.minutes(5);
    expect(watch.receiver.keys).toHaveLength(1);
    watch.trip.isDown = false;
    await watch.minutes(6);
    expect(watch.receiver.keys.slice(1)).toEqual([`database.down:${NOW + MINUTE_MS}:ends`]);
    expect(watch.record.outage).toBeNull();
    watch.trip.isDown = true;
    await watch.minutes(3);
    expect(watch.receiver.keys).toHaveLength(3);
  });

  it("of less than a minute is none", async () => {
    const watch = open();
    for (let time = 0; time < 3; time += 1) {
      watch.trip.isDown = true;
      await watch.minutes(1);
      watch.trip.isDown = false;
      await watch.minutes(1);
    }
    expect(watch.receiver.keys).toEqual([]);
  });

  it("is told again, as the same, where the message was refused", async () => {
    const watch = open();
    watch.trip.isDown = true;
    watch.receiver.status = 503;
    await watch.minutes(4);
    watch.receiver.status = 200;
    await watch.minutes(4);
    expect(watch.receiver.keys).toEqual(Array.from({ length: 4 }, () => `database.down:${NOW}:begins`));
  });
});
