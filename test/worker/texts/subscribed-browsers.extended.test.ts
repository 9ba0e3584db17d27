import { SELF, env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { Driver } from "../../../durable/driver/driver.ts";
import { createPush, isPushEndpoint } from "../../../durable/messaging/push.ts";
import { toBase64Url } from "../../../durable/runtime/base64.ts";
import type { ErrorResponse } from "../../../worker/contract/error-response.ts";
import type { PublicConfig } from "../../../worker/contract/status.ts";
import { createPushSubscriber, type PushSubscriber } from "../../support/push-subscriber.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import {
  apiTarget,
  createActiveDriver,
  createDriver,
  driverObject,
  resetPlatform,
  setSystemSwitch,
  type TestDriver,
} from "../harness.ts";
import { PUSH, arrivals, capture, eventually, listen } from "../push-harness.ts";

beforeEach(() => resetPlatform());

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
    // The service has answered before the object has read its answer.
    await expect.poll(async () => (await driverObject(driver).pushSessions()).length).toBe(1);
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

  it("gets it at the retry also where nothing else wakes the object, and the refusal was slow", async () => {
    const driver = await createActiveDriver();
    await setSystemSwitch(driver, false);
    await listen(driver);
    const { alarmAt, dueAt } = await runInDurableObject(driverObject(driver), async (_object, state) => {
      const answer = Promise.withResolvers<Response>();
      const isPush = ({ url }: Request) => new URL(url).hostname === "push.sandbox.test";
      const SANDBOX = {
        fetch: (request: Request) => (isPush(request) ? answer.promise : env.SANDBOX?.fetch(request)),
      } as Fetcher;
      const object = new Driver(state, { ...env, SANDBOX });
      const queued = () => state.storage.sql.exec<{ due_at: number }>(`SELECT due_at FROM outbox`).toArray();
      await object.announce({
        id: crypto.randomUUID(),
        text: { en: "Hello", es: "Hola", pt: "Olá" },
        endsAt: Date.now() + 60_000,
      });
      // As the alarm that was set for the push does, which is under way.
      await object.alarm();
      answer.resolve(new Response(null, { status: 503 }));
      const [row] = await eventually(1, async () => queued());
      await scheduler.wait(50);
      return { alarmAt: await state.storage.getAlarm(), dueAt: row?.due_at };
    });
    expect(alarmAt).toBe(dueAt);
  });

  it("gets nothing that another key signed than the one it subscribed for", async () => {
    const { subscription } = await createPushSubscriber("https://push.sandbox.test/send/bound");
    const pushBy = async () => {
      const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"]);
      if (!("privateKey" in pair)) throw new Error("no key pair");
      const point = new Uint8Array((await crypto.subtle.exportKey("raw", pair.publicKey)) as ArrayBuffer);
      const { d = "" } = (await crypto.subtle.exportKey("jwk", pair.privateKey)) as JsonWebKey;
      const refused: number[] = [];
      const push = createPush({
        vapid: { publicKey: toBase64Url(point), privateKey: d, subject: "mailto:operator@example.com" },
        send: async (request) => env.SANDBOX?.fetch(request) ?? Response.error(),
        note: () => {},
        inTurn: (work) => work(),
        now: Date.now,
        refusals: { noteAccepted() {}, noteRefused: async (status) => void refused.push(status) },
      });
      const data = { title: "t", body: "b", url: "/", tag: "tag", event: "captured" } as const;
      return async () => {
        const { kind } = await push.sendMessage({ data, ttlSeconds: 60, urgency: "normal" }, subscription);
        return [kind, ...refused];
      };
    };
    const [first, second] = [await pushBy(), await pushBy()];
    expect([await first(), await second(), await first()]).toEqual([["sent"], ["failed", 403], ["sent"]]);
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
