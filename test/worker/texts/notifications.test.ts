import { SELF, env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
  type NotificationPreferences,
} from "../../../db/shapes/notifications.ts";
import { DAY_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { ErrorResponse } from "../../../worker/contract/error-response.ts";
import { postJson } from "../../support/sandbox-client.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  createDriver,
  driverObject,
  injectFault,
  platformWorld,
  publishOffer,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "../harness.ts";
import { arrivals, capture, eventually, listen, PUSH, untilSent } from "../push-harness.ts";

beforeEach(() => resetPlatform());

const NOTIFICATIONS = "/flex/v1/user/notifications";
/** As the page reads them, which knows questions. */
const ALL_NOTIFICATIONS = `${NOTIFICATIONS}?questions=1`;
const REMINDERS = "/flex/v1/user/reminders";

async function texts(driver: TestDriver): Promise<string[]> {
  const to = encodeURIComponent(driver.phoneNumber);
  const answer = await apiTarget.fetch(`${apiTarget.origin}/sandbox/sms?to=${to}`);
  const { messages } = await answer.json<{ messages: { body: string }[] }>();
  return messages.map(({ body }) => body);
}

const choose = (driver: TestDriver, change: Partial<NotificationPreferences>) =>
  driver.client.call("PUT", NOTIFICATIONS, { body: { ...DEFAULT_NOTIFICATION_PREFERENCES, ...change } });

describe("notification preferences", () => {
  it("are everything except texts about silence by default", async () => {
    const driver = await createDriver();
    expect(await driver.client.fetchJson("GET", ALL_NOTIFICATIONS)).toEqual(DEFAULT_NOTIFICATION_PREFERENCES);
  });

  it("have no field that a page of the last release doesn't know, unless the page asks for it", async () => {
    const driver = await createDriver();
    const question = { text: true, push: false };
    const { question: _unknown, ...former } = DEFAULT_NOTIFICATION_PREFERENCES;
    expect(await (await choose(driver, { question })).json()).toEqual({ ...former, question });
    expect(await driver.client.fetchJson("GET", NOTIFICATIONS)).toEqual(former);
    const saved = await driver.client.call("PUT", NOTIFICATIONS, { body: former });
    expect(await saved.json()).toEqual(former);
    expect(await driver.client.fetchJson("GET", ALL_NOTIFICATIONS)).toEqual({ ...former, question });
  });

  it("are saved for one driver only", async () => {
    const [driver, other] = [await createDriver(), await createDriver()];
    const quietHours = { fromMinute: 1320, toMinute: 360 };
    expect((await choose(driver, { quietHours })).status).toBe(200);
    expect(await driver.client.fetchJson("GET", ALL_NOTIFICATIONS)).toEqual({
      ...DEFAULT_NOTIFICATION_PREFERENCES,
      quietHours,
    });
    expect(await other.client.fetchJson("GET", ALL_NOTIFICATIONS)).toEqual(DEFAULT_NOTIFICATION_PREFERENCES);
  });

  it("keep what another device changed at the same time", async () => {
    const { client } = await createDriver();
    const [quietHours, off] = [
      { fromMinute: 1320, toMinute: 360 },
      { text: false, push: true },
    ];
    const put = async (path: string, body: object) => {
      const answer = await client.call("PUT", path, { body });
      return answer.json();
    };
    const former = { ...DEFAULT_NOTIFICATION_PREFERENCES, captured: off };
    expect(await put(ALL_NOTIFICATIONS, { captured: off })).toEqual(former);
    expect(await put(ALL_NOTIFICATIONS, { quietHours })).toEqual({ ...former, quietHours });
    expect(await put(ALL_NOTIFICATIONS, {})).toEqual({ ...former, quietHours });
    await Promise.all([
      put(ALL_NOTIFICATIONS, { quietHours: null }),
      put(ALL_NOTIFICATIONS, { service: { text: false } }),
      put(ALL_NOTIFICATIONS, { service: { push: false } }),
      put(REMINDERS, { week: off }),
      put(REMINDERS, { before_shift: { text: false } }),
    ]);
    expect([
      await client.fetchJson("GET", ALL_NOTIFICATIONS),
      await client.fetchJson("GET", REMINDERS),
    ]).toEqual([
      { ...former, service: { text: false, push: false } },
      { ...DEFAULT_REMINDER_PREFERENCES, week: off, before_shift: off },
    ]);
  });

  it.each([
    [{ quietHours: { fromMinute: 1440, toMinute: 0 } }, ["quietHours.fromMinute"]],
    [{ quietHours: { fromMinute: -1, toMinute: 0.5 } }, ["quietHours.fromMinute", "quietHours.toMinute"]],
    [{ captured: { text: "yes", push: true } }, ["captured.text"]],
    [{ captured: "off" }, ["captured"]],
  ])("are rejected with %o, naming the fields", async (change, fields) => {
    const driver = await createDriver();
    const body = { ...DEFAULT_NOTIFICATION_PREFERENCES, ...change };
    const answer = await driver.client.call("PUT", NOTIFICATIONS, { body });
    const problem = await answer.json<ErrorResponse>();
    expect([answer.status, problem.code]).toEqual([400, "invalid_request"]);
    expect(Object.keys(problem.fields ?? {})).toEqual(fields);
    expect(await driver.client.fetchJson("GET", ALL_NOTIFICATIONS)).toEqual(DEFAULT_NOTIFICATION_PREFERENCES);
  });

  it.each([
    ["GET", NOTIFICATIONS],
    ["PUT", NOTIFICATIONS],
    ["PUT", PUSH],
    ["DELETE", PUSH],
  ])("require a signed-in driver: %s %s", async (method, path) => {
    const answer = await SELF.fetch(`${apiTarget.origin}${path}`, { method });
    expect([answer.status, (await answer.json<ErrorResponse>()).code]).toEqual([401, "unauthenticated"]);
  });
});

describe("a capture", () => {
  it("sends one text and one message to each browser, which only that browser can decrypt", async () => {
    const driver = await createActiveDriver();
    const [phone, desk] = [await listen(driver), await listen(driver)];
    await capture(driver);

    const [message] = await eventually(1, () => arrivals(phone));
    expect({ ...message, body: "" }).toEqual({
      endpoint: phone.subscription.endpoint,
      at: expect.any(Number),
      ttl: 3600,
      urgency: "high",
      topic: expect.stringMatching(/^[\w-]{32}$/),
      key: DEMO_SETTINGS.VAPID_PUBLIC_KEY,
      subject: DEMO_SETTINGS.VAPID_SUBJECT,
      body: "",
      status: 201,
    });
    const [block] = (await driverObject(driver).snapshot()).held;
    expect(await phone.open(message?.body ?? "")).toEqual({
      event: "captured",
      title: "Block captured!",
      body: expect.stringMatching(/, 1 hr, \$90$/),
      url: "/flex/blocks",
      tag: `captured:${block?.offerId}`,
    });
    await eventually(1, () => arrivals(desk));
    await expect(desk.open(message?.body ?? "")).rejects.toThrow();
    expect(await eventually(1, () => texts(driver))).toHaveLength(1);
  });

  it("is notified once per channel even if the response to the accept was lost", async () => {
    const driver = await createActiveDriver();
    const phone = await listen(driver);
    await publishOffer(driver.warehouseIds[0]!, { inMinutes: 150, minutes: 60 });
    await injectFault({ operation: "acceptOffer", fault: "lost_answer", times: 1 });
    await runAlarm(driver);
    await evictDurableObject(driverObject(driver));
    advanceClock(1_100);
    await runAlarm(driver);
    await eventually(1, () => arrivals(phone));
    await capture(driver);

    const messages = await eventually(2, () => arrivals(phone));
    const tags = await Promise.all(messages.map(async ({ body }) => phone.open(body)));
    expect(new Set(tags.map((data) => JSON.stringify(data))).size).toBe(2);
    expect([messages.length, (await eventually(2, () => texts(driver))).length]).toEqual([2, 2]);
  });

  it.each(["lost_answer", "gateway_after_effect", "504"])(
    "is texted once at most where the gateway's answer doesn't say whether it sent the text: %s",
    async (fault) => {
      const driver = await createActiveDriver();
      const isSent = fault !== "504";
      await injectFault({ operation: "sendMessage", fault, times: 1, delayMs: 0, status: 502, body: "" });
      await capture(driver);
      if (isSent) await eventually(1, () => texts(driver));
      // Begins once nothing waits to be sent.
      await capture(driver);
      const both = isSent ? 2 : 1;
      expect(await eventually(both, () => texts(driver))).toHaveLength(both);
    },
  );

  // The outbox is sent in order: messages of the first capture precede those of the second.
  it("is sent only by the chosen channels", async () => {
    const driver = await createActiveDriver();
    const phone = await listen(driver);
    await choose(driver, { captured: { text: false, push: true } });
    await capture(driver);
    await eventually(1, () => arrivals(phone));
    await choose(driver, { captured: { text: true, push: false } });
    await capture(driver);
    // Beside the one that tells of texts that were turned off.
    const captures = async () => (await texts(driver)).filter((body) => body.includes("aptured"));
    expect(await eventually(1, captures)).toHaveLength(1);
    await choose(driver, {});
    await capture(driver);

    expect(await eventually(2, () => arrivals(phone))).toHaveLength(2);
    expect(await eventually(2, captures)).toHaveLength(2);
  });

  it("sends nothing during quiet hours, but is in the list", async () => {
    const driver = await createActiveDriver();
    const phone = await listen(driver);
    await choose(driver, { quietHours: { fromMinute: 0, toMinute: 0 } });
    await capture(driver);
    await choose(driver, { quietHours: null });
    await capture(driver);

    expect(await eventually(1, () => arrivals(phone))).toHaveLength(1);
    expect(await eventually(1, () => texts(driver))).toHaveLength(1);
    expect((await driverObject(driver).snapshot()).today.captured).toBe(2);
  });

  it("tells of the end of service once quiet hours are over, unless the driver has paid by then", async () => {
    const drivers = [await createActiveDriver(), await createActiveDriver()] as const;
    const [ended, paid] = drivers;
    const service = async (driver: TestDriver, leftMs: number) => {
      await env.DB.prepare(`UPDATE service_credits SET duration_ms = ?, at = ? WHERE driver_id = ?`)
        .bind(leftMs, Date.now(), driver.driverId)
        .run();
      expect((await driver.client.patchUser({ language: "en", updateLanguage: true })).status).toBe(200);
    };
    for (const driver of drivers) {
      const { timeZone } = await driverObject(driver).snapshot();
      const wall = new Date(Date.now()).toLocaleTimeString("en-GB", { timeZone, timeStyle: "short" });
      const minute = Number(wall.slice(0, 2)) * 60 + Number(wall.slice(3));
      await choose(driver, {
        quietHours: { fromMinute: (minute + 1410) % 1440, toMinute: (minute + 30) % 1440 },
      });
      await service(driver, 0);
      await runAlarm(driver);
    }
    await service(paid, DAY_MS);
    const told = async (driver: TestDriver) =>
      (await texts(driver)).filter((body) => body.includes("your service has ended"));
    expect(await told(ended)).toEqual([]);
    advanceClock(31 * MINUTE_MS);
    for (const driver of drivers) for (let run = 0; run < 2; run += 1) await runAlarm(driver);
    expect(await eventually(1, () => told(ended))).toHaveLength(1);
    expect(await told(paid)).toEqual([]);
  });

  it("is sent in the driver's language", async () => {
    const driver = await createActiveDriver();
    await driver.client.patchUser({ language: "pt", updateLanguage: true });
    const phone = await listen(driver);
    await capture(driver);
    const [message] = await eventually(1, () => arrivals(phone));
    expect(await phone.open(message?.body ?? "")).toMatchObject({ title: "Bloco capturado!" });
  });
});

describe("news that the driver must act on", () => {
  it("is sent during quiet hours too", async () => {
    const driver = await createActiveDriver();
    const phone = await listen(driver);
    await choose(driver, { quietHours: { fromMinute: 0, toMinute: 0 } });
    const { drivers } = (await platformWorld(apiTarget)) as unknown as {
      drivers: { driverId: string; email: string }[];
    };
    const platformDriver = drivers.find((known) => known.email === driver.email);
    await postJson(apiTarget, `/sandbox/platform/drivers/${platformDriver?.driverId}/sign-out`, {});
    await runAlarm(driver);

    const [message] = await eventually(1, () => arrivals(phone));
    expect(await phone.open(message?.body ?? "")).toMatchObject({ event: "needs_you", url: "/flex/login" });
    expect(await eventually(1, () => texts(driver))).toHaveLength(1);
  });
});

describe("texts that wait while the outbox is sent by two at once", () => {
  it("are sent once each", async () => {
    const driver = await createActiveDriver();
    await untilSent(driver);
    const before = await texts(driver);
    await runInDurableObject(driverObject(driver), async (object, { storage }) => {
      const add = (item: object) =>
        storage.sql.exec(
          `INSERT INTO outbox (value, due_at, tries, version) VALUES (?, 0, 0, 1)`,
          JSON.stringify(item),
        );
      add({ kind: "record_changed", change: { proxyInstalled: true } });
      add({ kind: "text", body: "one" });
      add({ kind: "text", body: "two" });
      await Promise.all([object.wake(), object.unlink()]);
    });
    await untilSent(driver);
    const sent = (await texts(driver)).slice(0, -before.length || undefined);
    expect(sent.filter((body) => body === "one" || body === "two").toSorted()).toEqual(["one", "two"]);
  });
});
