import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
} from "../../../db/shapes/notifications.ts";
import type { Answer } from "../../../db/shapes/work/question.ts";
import type { QuestionLinkResponse, QuestionResponse } from "../../../worker/contract/work/live.ts";
import { permissiveWarehouseFilter } from "../../support/sandbox-client.ts";
import { createPushSubscriber, type PushSubscriber } from "../../support/push-subscriber.ts";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  driverObject,
  publishOffer,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "../harness.ts";
import { arrivals, eventually, listen, PUSH, QUOTA_PACE_MS } from "../push-harness.ts";

beforeEach(() => resetPlatform());

const NOTIFICATIONS = "/flex/v1/user/notifications";

/** A driver whose filters ask about what fits. */
async function createAsking(action: "ask" | "tell" = "ask"): Promise<TestDriver> {
  const driver = await createActiveDriver();
  const current = await driver.client.fetchJson<{ version: number; filters: object }>(
    "GET",
    "/flex/v1/filters",
  );
  const warehouses = driver.warehouseIds.map((warehouseId) => ({
    ...permissiveWarehouseFilter(warehouseId),
    action,
    askSeconds: 120,
  }));
  const saved = await driver.client.call("PUT", "/flex/v1/filters", {
    body: { ...current.filters, warehouses },
    headers: { "if-match": `"${current.version}"` },
  });
  expect(saved.status).toBe(200);
  return driver;
}

async function offer(driver: TestDriver): Promise<void> {
  advanceClock(QUOTA_PACE_MS);
  await publishOffer(driver.warehouseIds[0]!, { inMinutes: 120, minutes: 60 });
  await runAlarm(driver);
}

const questionsOf = async (driver: TestDriver) => (await driverObject(driver).snapshot()).questions;

const press = (token: string, answer: Answer) =>
  apiTarget.fetch(`${apiTarget.origin}/flex/v1/question-link`, {
    method: "POST",
    headers: { authorization: `Link ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ answer }),
  });

const open = (token: string) =>
  apiTarget.fetch(`${apiTarget.origin}/flex/v1/question-link`, {
    headers: { authorization: `Link ${token}` },
  });

async function tokenOfPush(browser: PushSubscriber): Promise<string> {
  const [message] = await eventually(1, () => arrivals(browser));
  const data = (await browser.open(message?.body ?? "")) as { question?: { token?: string } };
  return data.question?.token ?? "";
}

async function texts(driver: TestDriver): Promise<string[]> {
  const to = encodeURIComponent(driver.phoneNumber);
  const response = await apiTarget.fetch(`${apiTarget.origin}/sandbox/sms?to=${to}`);
  const { messages } = await response.json<{ messages: { body: string }[] }>();
  return messages.map(({ body }) => body);
}

/** Subscribes a browser, in a sign-in of its own. */
async function listenIn(driver: TestDriver, sessionId: string): Promise<PushSubscriber> {
  const browser = await createPushSubscriber(`https://push.sandbox.test/send/${sessionId}`);
  const { driverId, phoneNumber } = driver;
  const notifications = DEFAULT_NOTIFICATION_PREFERENCES;
  const reminders = DEFAULT_REMINDER_PREFERENCES;
  const zone = { language: "en", timeZone: "America/New_York" } as const;
  const owner = { driverId, phoneNumber, ...zone, notifications, reminders };
  const session = { id: sessionId, expiresAt: Date.now() + 30 * 86_400_000 };
  await driverObject(driver).addPushSubscription(owner, browser.subscription, session);
  return browser;
}

const statusOf = async (response: Response) =>
  (await response.json<QuestionResponse>()).question.state.status;

const accepts = async (): Promise<number> => {
  const response = await apiTarget.fetch(`${apiTarget.origin}/sandbox/platform/accepts`);
  const { accepts: list } = await response.json<{ accepts: unknown[] }>();
  return list.length;
};

const heldBy = async (driver: TestDriver) => (await driverObject(driver).snapshot()).held.length;

describe("a question", () => {
  it("waits on the dashboard, and a yes there takes the offer once", async () => {
    const driver = await createAsking();
    await offer(driver);
    const [question] = await questionsOf(driver);
    expect([question?.state, await heldBy(driver)]).toEqual([{ status: "waiting" }, 0]);
    const path = `/flex/v1/questions/${question?.questionId}`;
    const [first, second] = await Promise.all([
      driver.client.call("POST", path, { body: { answer: "take" } }),
      driver.client.call("POST", path, { body: { answer: "pass" } }),
    ]);
    expect(await statusOf(first!)).toMatch(/approved|accepting|captured/);
    expect(await statusOf(second!)).toMatch(/approved|accepting|captured/);
    await runAlarm(driver);
    await expect.poll(() => heldBy(driver)).toBe(1);
    expect(await accepts()).toBe(1);
    expect(await statusOf(await driver.client.call("POST", path, { body: { answer: "take" } }))).toBe(
      "captured",
    );
  });

  it("is passed over after a no, and said so in the list of what was skipped", async () => {
    const driver = await createAsking();
    await offer(driver);
    const [question] = await questionsOf(driver);
    const path = `/flex/v1/questions/${question?.questionId}`;
    expect(await statusOf(await driver.client.call("POST", path, { body: { answer: "pass" } }))).toBe(
      "passed",
    );
    const { items } = await driver.client.fetchJson<{ items: { reasons: { code: string }[] }[] }>(
      "GET",
      "/flex/v1/blocks?type=disliked",
    );
    expect(items[0]?.reasons.map(({ code }) => code)).toEqual(["passed"]);
    expect([await accepts(), await questionsOf(driver)]).toEqual([0, []]);
  });

  it("is nobody else's", async () => {
    const [driver, other] = [await createAsking(), await createActiveDriver()];
    await offer(driver);
    const [question] = await questionsOf(driver);
    const answered = await other.client.call("POST", `/flex/v1/questions/${question?.questionId}`, {
      body: { answer: "take" },
    });
    expect([answered.status, (await questionsOf(driver)).length]).toEqual([404, 1]);
  });

  it("survives a restart, and takes the offer after a yes", async () => {
    const driver = await createAsking();
    await offer(driver);
    const [question] = await questionsOf(driver);
    await evictDurableObject(driverObject(driver));
    expect(await questionsOf(driver)).toEqual([question]);
    const path = `/flex/v1/questions/${question?.questionId}`;
    expect(await statusOf(await driver.client.call("POST", path, { body: { answer: "take" } }))).toBe(
      "approved",
    );
    await evictDurableObject(driverObject(driver));
    advanceClock(QUOTA_PACE_MS);
    await runAlarm(driver);
    await expect.poll(() => heldBy(driver)).toBe(1);
    expect(await accepts()).toBe(1);
  });
});

describe("the buttons of a push message", () => {
  it("answer its question alone, once, and say what became of it afterwards", async () => {
    const driver = await createAsking();
    const browser = await listen(driver);
    await offer(driver);
    const token = await tokenOfPush(browser);
    expect(await (await open(token)).json<QuestionLinkResponse>()).toMatchObject({
      language: "en",
      question: { state: { status: "waiting" } },
    });
    expect(await statusOf(await press(token, "take"))).toMatch(/approved|accepting|captured/);
    await runAlarm(driver);
    await expect.poll(() => heldBy(driver)).toBe(1);
    const late = await (await press(token, "pass")).json<QuestionLinkResponse>();
    expect([late.question.state.status, late.said]).toEqual(["captured", "Block captured"]);
    expect(await accepts()).toBe(1);
    const elsewhere = await apiTarget.fetch(`${apiTarget.origin}/flex/v1/renewal-link`, {
      method: "POST",
      headers: { authorization: `Link ${token}` },
    });
    expect(elsewhere.status).toBe(410);
  });

  it("end with the subscription that got them, and with the account", async () => {
    const driver = await createAsking();
    const browser = await listen(driver);
    await offer(driver);
    const token = await tokenOfPush(browser);
    const { endpoint } = browser.subscription;
    expect((await driver.client.call("DELETE", PUSH, { body: { endpoint } })).status).toBe(204);
    expect((await press(token, "take")).status).toBe(410);
    expect((await questionsOf(driver))[0]?.state).toEqual({ status: "waiting" });
    await driverObject(driver).deleteAccount();
    expect([(await press(token, "take")).status, await accepts()]).toEqual([410, 0]);
  });

  it("end with the sign-in of the browser that got them, and with no other", async () => {
    const driver = await createAsking();
    const own = await listenIn(driver, "session-own");
    const other = await listenIn(driver, "session-other");
    await offer(driver);
    const [gone, kept] = [await tokenOfPush(own), await tokenOfPush(other)];
    driverObject(driver).keepSessions(["session-other"]);
    expect([(await open(gone)).status, (await press(gone, "take")).status]).toEqual([410, 410]);
    expect(await statusOf(await press(kept, "pass"))).toBe("passed");
    expect(await accepts()).toBe(0);
  });

  it("are refused where the token is forged", async () => {
    const driver = await createAsking();
    const browser = await listen(driver);
    await offer(driver);
    const token = await tokenOfPush(browser);
    const forged = `${token.slice(0, 10)}${token[10] === "A" ? "B" : "A"}${token.slice(11)}`;
    expect([(await press(forged, "take")).status, (await press("x".repeat(46), "take")).status]).toEqual([
      410, 410,
    ]);
  });
});

describe("a question by text", () => {
  it("is sent where the driver wants texts for it, with a link that answers it once", async () => {
    const driver = await createAsking();
    const body = { ...DEFAULT_NOTIFICATION_PREFERENCES, question: { text: true, push: true } };
    expect((await driver.client.call("PUT", NOTIFICATIONS, { body })).status).toBe(200);
    await offer(driver);
    const [text = ""] = await eventually(1, () => texts(driver));
    const token = /\/q#([\w-]+)$/.exec(text)?.[1] ?? "";
    expect(await statusOf(await press(token, "pass"))).toBe("passed");
    expect(await statusOf(await press(token, "take"))).toBe("passed");
    expect(await accepts()).toBe(0);
  });

  it("is not sent in quiet hours, nor without the driver's wish; a page that knows no questions changes none", async () => {
    const driver = await createAsking();
    const browser = await listen(driver);
    const question = { text: true, push: true };
    const quietHours = { fromMinute: 0, toMinute: 0 };
    const chosen = { ...DEFAULT_NOTIFICATION_PREFERENCES, question, quietHours };
    await driver.client.call("PUT", NOTIFICATIONS, { body: chosen });
    const { question: _new, ...former } = chosen;
    await driver.client.call("PUT", NOTIFICATIONS, { body: former });
    expect(await driver.client.fetchJson("GET", `${NOTIFICATIONS}?questions=1`)).toEqual(chosen);
    await offer(driver);
    await eventually(1, () => arrivals(browser));
    expect(await texts(driver)).toEqual([]);
  });
});

describe("stored questions", () => {
  it("are none for an offer that a rule only tells of", async () => {
    const driver = await createAsking("tell");
    const browser = await listen(driver);
    await offer(driver);
    await eventually(1, () => arrivals(browser));
    expect([await questionsOf(driver), await accepts()]).toEqual([[], 0]);
    const rows = await runInDurableObject(driverObject(driver), (_object, { storage }) =>
      storage.sql.exec(`SELECT key FROM state WHERE key = 'questions'`).toArray(),
    );
    expect(rows).toEqual([]);
  });
});
