import { evictDurableObject, runInDurableObject, SELF } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { isPushEndpoint } from "../../durable/push/push-endpoint.ts";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  type NotificationPreferences,
} from "../../db/shapes/notifications.ts";
import type { ErrorResponse } from "../../worker/contract/error-response.ts";
import type { PublicConfig } from "../../worker/contract/status.ts";
import { createPushSubscriber, type PushSubscriber } from "../support/push-subscriber.ts";
import { postJson } from "../support/sandbox-client.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import {
  publishOffer,
  injectFault,
  driverObject,
  advanceClock,
  apiTarget,
  platformWorld,
  resetPlatform,
  createDriver,
  runAlarm,
  createActiveDriver,
  type TestDriver,
} from "./harness.ts";

beforeEach(() => resetPlatform());

const NOTIFICATIONS = "/flex/v1/user/notifications";
const PUSH = "/flex/v1/user/push";

type Arrival = {
  endpoint: string;
  ttl: number;
  urgency: string;
  topic: string | null;
  key: string;
  subject: string;
  body: string;
  status: number;
};

let listeners = 0;

/** Subscribes a browser of the driver. */
async function listen(driver: TestDriver): Promise<PushSubscriber> {
  listeners += 1;
  const listener = await createPushSubscriber(`https://push.sandbox.test/send/${listeners}`);
  const answer = await driver.client.call("PUT", PUSH, { body: listener.subscription });
  expect(answer.status).toBe(204);
  return listener;
}

async function arrivals(listener: PushSubscriber | undefined): Promise<Arrival[]> {
  const answer = await apiTarget.fetch(`${apiTarget.origin}/sandbox/push`);
  const { messages } = await answer.json<{ messages: Arrival[] }>();
  return messages.filter(({ endpoint }) => endpoint === listener?.subscription.endpoint);
}

async function texts(driver: TestDriver): Promise<string[]> {
  const to = encodeURIComponent(driver.phoneNumber);
  const answer = await apiTarget.fetch(`${apiTarget.origin}/sandbox/sms?to=${to}`);
  const { messages } = await answer.json<{ messages: { body: string }[] }>();
  return messages.map(({ body }) => body);
}

const choose = (driver: TestDriver, change: Partial<NotificationPreferences>) =>
  driver.client.call("PUT", NOTIFICATIONS, { body: { ...DEFAULT_NOTIFICATION_PREFERENCES, ...change } });

/** Waits until there are at least `count`, since maintenance runs in the background. */
async function eventually<Item>(count: number, look: () => Promise<Item[]>): Promise<Item[]> {
  let found: Item[] = [];
  const lacks = async () => count - (found = await look()).length;
  await expect.poll(lacks, { interval: 10 }).toBeLessThanOrEqual(0);
  return found;
}

/** More than the sandbox's quota asks for between two polls. */
const QUOTA_PACE_MS = 5_000;

/** Captures a block that starts after the last one ends. A new object polls as soon as the quota allows. */
async function capture(driver: TestDriver): Promise<void> {
  const { held } = await driverObject(driver).snapshot();
  await eventually(1, async () => ((await waiting(driver)) === 0 ? [true] : []));
  await evictDurableObject(driverObject(driver));
  advanceClock(QUOTA_PACE_MS);
  await publishOffer(driver.warehouseIds[0]!, { inMinutes: 60 + held.length * 120, minutes: 60 });
  await runAlarm(driver);
  expect((await driverObject(driver).snapshot()).held).toHaveLength(held.length + 1);
}

/** The number of outbox rows, except those that wait for a retry. */
function waiting(driver: TestDriver): Promise<number> {
  return runInDurableObject(
    driverObject(driver),
    (_object, { storage }) =>
      storage.sql.exec<{ due: number }>(`SELECT count(*) AS due FROM outbox WHERE tries = 0`).one().due,
  );
}

/** Makes retries in the outbox due now. */
async function hasten(driver: TestDriver): Promise<number> {
  const stub = driverObject(driver);
  const rows = await runInDurableObject(
    stub,
    (_object, { storage }) => storage.sql.exec(`UPDATE outbox SET due_at = 0`).rowsWritten,
  );
  // The object remembers when the next row was due.
  await evictDurableObject(stub);
  await runInDurableObject(stub, (object) => object.wake());
  return rows;
}

describe("notification preferences", () => {
  it("are everything except texts about silence by default", async () => {
    const driver = await createDriver();
    expect(await driver.client.fetchJson("GET", NOTIFICATIONS)).toEqual(DEFAULT_NOTIFICATION_PREFERENCES);
  });

  it("are saved for one driver only", async () => {
    const [driver, other] = [await createDriver(), await createDriver()];
    const quietHours = { fromMinute: 1320, toMinute: 360 };
    expect((await choose(driver, { quietHours })).status).toBe(200);
    expect(await driver.client.fetchJson("GET", NOTIFICATIONS)).toEqual({
      ...DEFAULT_NOTIFICATION_PREFERENCES,
      quietHours,
    });
    expect(await other.client.fetchJson("GET", NOTIFICATIONS)).toEqual(DEFAULT_NOTIFICATION_PREFERENCES);
  });

  it.each([
    [{ quietHours: { fromMinute: 1440, toMinute: 0 } }, ["quietHours.fromMinute"]],
    [{ quietHours: { fromMinute: -1, toMinute: 0.5 } }, ["quietHours.fromMinute", "quietHours.toMinute"]],
    [{ captured: { text: "yes", push: true } }, ["captured.text"]],
    [{ captured: { text: true } }, ["captured.push"]],
    [{ silence: undefined }, ["silence"]],
    [{ winter: true }, [""]],
  ])("are rejected with %o, naming the fields", async (change, fields) => {
    const driver = await createDriver();
    const body = { ...DEFAULT_NOTIFICATION_PREFERENCES, ...change };
    const answer = await driver.client.call("PUT", NOTIFICATIONS, { body });
    const problem = await answer.json<ErrorResponse>();
    expect([answer.status, problem.code]).toEqual([400, "invalid_request"]);
    expect(Object.keys(problem.fields ?? {})).toEqual(fields);
    expect(await driver.client.fetchJson("GET", NOTIFICATIONS)).toEqual(DEFAULT_NOTIFICATION_PREFERENCES);
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
      body: expect.stringMatching(/, 1 h, \$90$/),
      url: "/flex/blocks",
      tag: `captured:${block?.blockId}`,
    });
    await eventually(1, () => arrivals(desk));
    await expect(desk.open(message?.body ?? "")).rejects.toThrow();
    expect(await eventually(1, () => texts(driver))).toHaveLength(1);
  });

  it("is notified once per channel even if the response to the accept was lost", async () => {
    const driver = await createActiveDriver();
    const phone = await listen(driver);
    await publishOffer(driver.warehouseIds[0]!, { inMinutes: 60, minutes: 60 });
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

  // The outbox is sent in order: messages of the first capture precede those of the second.
  it("is sent only by the chosen channels", async () => {
    const driver = await createActiveDriver();
    const phone = await listen(driver);
    await choose(driver, { captured: { text: false, push: true } });
    await capture(driver);
    await eventually(1, () => arrivals(phone));
    await choose(driver, { captured: { text: true, push: false } });
    await capture(driver);
    expect(await eventually(1, () => texts(driver))).toHaveLength(1);
    await choose(driver, {});
    await capture(driver);

    expect(await eventually(2, () => arrivals(phone))).toHaveLength(2);
    expect(await eventually(2, () => texts(driver))).toHaveLength(2);
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

  it("is sent in the driver's language", async () => {
    const driver = await createActiveDriver();
    await driver.client.patchUser({ language: "pt", updateLanguage: true });
    const phone = await listen(driver);
    await capture(driver);
    const [message] = await eventually(1, () => arrivals(phone));
    expect(await phone.open(message?.body ?? "")).toMatchObject({ title: "Bloco capturado!" });
  });
});

describe("what needs the driver", () => {
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

describe("a subscribed browser", () => {
  const answerWith = (listener: PushSubscriber, status: number, more: Record<string, unknown> = {}) =>
    apiTarget.fetch(`${apiTarget.origin}/sandbox/push/answers`, {
      method: "POST",
      body: JSON.stringify({ endpoint: listener.subscription.endpoint, status, ...more }),
    });

  it.each([404, 410])("is unsubscribed once its push service answers %d", async (status) => {
    const driver = await createActiveDriver();
    const [gone, here] = [await listen(driver), await listen(driver)];
    await answerWith(gone, status);
    await capture(driver);
    await eventually(1, () => arrivals(gone));
    await capture(driver);

    expect(await eventually(2, () => arrivals(here))).toHaveLength(2);
    expect(await arrivals(gone)).toHaveLength(1);
  });

  it.each([429, 503])("gets the message once after a retry on %d", async (status) => {
    const driver = await createActiveDriver();
    const phone = await listen(driver);
    await answerWith(phone, status, { times: 1 });
    await capture(driver);
    await eventually(1, () => arrivals(phone));
    await eventually(1, async () => ((await hasten(driver)) > 0 ? [true] : []));

    const messages = await eventually(2, () => arrivals(phone));
    expect(messages.map((message) => message.status).toSorted()).toEqual([201, status]);
  });

  it("is given up after four failures", async () => {
    const driver = await createActiveDriver();
    const phone = await listen(driver);
    await answerWith(phone, 503);
    await capture(driver);
    for (const tries of [1, 2, 3]) {
      await eventually(tries, () => arrivals(phone));
      await eventually(1, async () => ((await hasten(driver)) > 0 ? [true] : []));
    }
    await eventually(4, () => arrivals(phone));
    await answerWith(phone, 201);
    await capture(driver);

    const messages = await eventually(5, () => arrivals(phone));
    expect(new Set(messages.slice(1).map(({ topic }) => topic)).size).toBe(1);
    expect(messages).toHaveLength(5);
  });

  it("gets nothing after it is removed, which only its driver can do", async () => {
    const [driver, other] = [await createActiveDriver(), await createDriver()];
    const [phone, desk] = [await listen(driver), await listen(driver)];
    const remove = (by: TestDriver, { subscription: { endpoint } }: PushSubscriber) =>
      by.client.call("DELETE", PUSH, { body: { endpoint } });
    expect((await remove(other, desk)).status).toBe(204);
    expect((await remove(driver, phone)).status).toBe(204);
    await capture(driver);

    expect(await eventually(1, () => arrivals(desk))).toHaveLength(1);
    expect(await arrivals(phone)).toEqual([]);
  });

  it("gets messages of its own driver only", async () => {
    const [driver, other] = [await createActiveDriver(), await createActiveDriver()];
    const [mine, theirs] = [await listen(driver), await listen(other)];
    await capture(driver);
    await eventually(1, () => arrivals(mine));
    expect(await arrivals(theirs)).toEqual([]);
  });

  it("is one of the ten latest, and is not duplicated by subscribing again", async () => {
    const driver = await createActiveDriver();
    const all: PushSubscriber[] = [];
    for (let count = 0; count < 11; count += 1) all.push(await listen(driver));
    const [oldest, ...kept] = all;
    const again = await driver.client.call("PUT", PUSH, { body: all.at(-1)?.subscription });
    expect(again.status).toBe(204);
    await capture(driver);

    for (const listener of kept) expect(await eventually(1, () => arrivals(listener))).toHaveLength(1);
    expect(await arrivals(oldest)).toEqual([]);
  });

  it("must have a public endpoint and valid keys", async () => {
    const driver = await createDriver();
    const { subscription } = await createPushSubscriber("https://push.sandbox.test/send/x");
    const put = async (body: unknown) => {
      const answer = await driver.client.call("PUT", PUSH, { body });
      return [answer.status, (await answer.json<ErrorResponse>()).fields];
    };
    const at = (endpoint: string) => put({ ...subscription, endpoint });
    expect(await at("http://push.sandbox.test/send/x")).toEqual([400, { endpoint: "invalid" }]);
    expect(await at("https://127.0.0.1/x")).toEqual([400, { endpoint: "invalid" }]);
    expect(await at(`https://push.sandbox.test/${"x".repeat(1100)}`)).toEqual([
      400,
      { endpoint: "too_long" },
    ]);
    expect(await put({ endpoint: subscription.endpoint })).toEqual([400, { keys: "required" }]);
    const p256dh = `B${"A".repeat(86)}`;
    expect(await put({ ...subscription, keys: { ...subscription.keys, p256dh } })).toEqual([
      400,
      { keys: "invalid" },
    ]);
  });
});

describe("push endpoints", () => {
  it.each([
    "https://fcm.googleapis.com/fcm/send/abc:def",
    "https://updates.push.services.mozilla.com/wpush/v2/abc",
    "https://web.push.apple.com/abc",
    "https://wns2-bl2p.notify.windows.com/w/?token=abc",
    "https://push.example.org/send/1",
  ])("include %s", (endpoint) => {
    expect(isPushEndpoint(endpoint, ["push.example.org"])).toBe(true);
  });

  it.each([
    "not an address",
    "http://fcm.googleapis.com/x",
    "https://fcm.googleapis.com:8443/x",
    "https://user:secret@fcm.googleapis.com/x",
    "https://127.0.0.1/x",
    "https://2130706433/x",
    "https://0x7f.1/x",
    "https://[::1]/x",
    "https://[fd00::1]/x",
    "https://localhost/x",
    "https://localhost./x",
    "https://push.localhost/x",
    "https://intranet/x",
    "https://metadata.google.internal/x",
    "https://printer.local/x",
    "https://router.home.arpa/x",
    "https://push.example.org/send/1",
    "https://evilpush.apple.com.example.org/x",
    "https://notpush.apple.com/x",
    "https://xfcm.googleapis.com/x",
    "https://jornada.example.com/flex/v1/user",
    "https://JORNADA.example.com./flex/v1/user",
  ])("exclude %s", (endpoint) => {
    expect(isPushEndpoint(endpoint, [])).toBe(false);
  });
});

describe("a deployment", () => {
  it("can be installed as an app with its own name", async () => {
    const answer = await SELF.fetch(`${apiTarget.origin}/manifest.webmanifest`);
    expect(answer.headers.get("content-type")).toBe("application/manifest+json");
    expect(await answer.json()).toMatchObject({ name: "Jornada", start_url: "/flex/dashboard", scope: "/" });
  });

  it("publishes the VAPID key for subscriptions", async () => {
    const answer = await SELF.fetch(`${apiTarget.origin}/status/config`);
    expect((await answer.json<PublicConfig>()).vapidPublicKey).toBe(DEMO_SETTINGS.VAPID_PUBLIC_KEY);
  });
});

describe("texts that wait while the outbox is sent by two at once", () => {
  it("are sent once each", async () => {
    const driver = await createActiveDriver();
    await eventually(1, async () => ((await waiting(driver)) === 0 ? [true] : []));
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
    await eventually(1, async () => ((await waiting(driver)) === 0 ? [true] : []));
    const sent = (await texts(driver)).slice(0, -before.length || undefined);
    expect(sent.filter((body) => body === "one" || body === "two").toSorted()).toEqual(["one", "two"]);
  });
});
