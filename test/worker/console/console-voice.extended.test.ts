import { createScheduledController, env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import worker from "../../../worker/index.ts";
import type { AnnouncementsResponse } from "../../../worker/contract/voice.ts";
import type { ActsResponse } from "../../../worker/contract/console/operators.ts";
import type { DeploymentAct } from "../../../worker/contract/console/operator-acts.ts";
import type {
  ErrorsResponse,
  OperatorAnnouncements,
  OperatorFeedback,
} from "../../../worker/contract/console/voice.ts";
import { parseResponse } from "../../support/driver-client.ts";
import { postJson } from "../../support/sandbox-client.ts";
import { actOnAll, OWNER, type OperatorClient, owner, support } from "../console-harness.ts";
import { apiTarget, createLinkedDriver, driverObject, resetPlatform, type TestDriver } from "../harness.ts";
import { arrivals, eventually, listen, untilSent } from "../push-harness.ts";

const reason = "a test of the house";
const DAY_MS = 86_400_000;
const TEXT = { en: "Closed on Friday.", es: "Cerrado el viernes.", pt: "Fechado na sexta." };

beforeEach(async () => {
  await resetPlatform();
  const tables = [
    "announcements",
    "announcement_retries",
    "error_groups",
    "error_group_drivers",
    "error_group_versions",
    "feedback",
  ];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
});

const announce = (change: object = {}): DeploymentAct => ({
  act: "announce",
  ...TEXT,
  audience: "all",
  audienceOf: null,
  startsAt: Date.now() - 1000,
  endsAt: Date.now() + DAY_MS,
  reason,
  ...change,
});
const readBy = async ({ client }: TestDriver) =>
  (await client.fetchJson<AnnouncementsResponse>("GET", "/flex/v1/announcements")).announcements;
const listed = async () =>
  (await parseResponse<OperatorAnnouncements>(await support.call("GET", "/announcements"), "announcements"))
    .announcements;
const lastActs = async (count: number) =>
  (await parseResponse<ActsResponse>(await owner.call("GET", "/acts"), "log")).acts.slice(0, count);
const everyMinute = () => worker.scheduled(createScheduledController(), env);

const IN_SPANISH = { audience: "language", audienceOf: "es" };

/** A driver who is the only one that an announcement in Spanish is for. */
async function createSpanishSpeaker(): Promise<TestDriver> {
  await env.DB.prepare(`UPDATE users SET language = 'en' WHERE language = 'es'`).run();
  const driver = await createLinkedDriver();
  await driver.client.patchUser({ language: "es", updateLanguage: true });
  return driver;
}

/** How the push service answers a browser's messages from now on. */
async function answerPushes(
  { subscription: { endpoint } }: { subscription: { endpoint: string } },
  answer: { status: number; times: number; retryAfter?: number },
): Promise<void> {
  await postJson(apiTarget, "/sandbox/push/answers", { endpoint, ...answer });
}

/** Lets the time go by after which a refused push is tried again. */
async function passRetry(driver: TestDriver): Promise<void> {
  await env.DB.prepare(`UPDATE announcement_retries SET due_at = 0`).run();
  await runInDurableObject(driverObject(driver), (_object, { storage }) => {
    storage.sql.exec(`UPDATE outbox SET due_at = 0`);
  });
  // A new object reads anew what is due.
  await evictDurableObject(driverObject(driver));
}

describe("an announcement", () => {
  it("is read by every driver in all languages until it is taken back, and each act stands in the log", async () => {
    const driver = await createLinkedDriver();
    expect((await actOnAll(owner, announce())).status).toBe(200);
    const [shown] = await readBy(driver);
    expect(shown).toMatchObject({ text: TEXT });
    const late = await createLinkedDriver();
    expect(await readBy(late)).toHaveLength(1);
    const [row] = await listed();
    expect(row).toMatchObject({ audience: { kind: "all" }, isTold: true });
    expect(row?.told).toBeGreaterThan(0);
    const back = { act: "end_announcement", announcementId: shown?.id ?? "", reason } as const;
    expect((await actOnAll(owner, back)).status).toBe(200);
    expect(await readBy(driver)).toEqual([]);
    expect((await actOnAll(owner, back)).status).toBe(404);
    expect(await lastActs(2)).toMatchObject([
      { act: "end_announcement", operator: OWNER },
      { act: "announce", operator: OWNER, driverId: null, what: { ...TEXT, audience: "all" } },
    ]);
  });

  it("of a city or a language reaches nobody else", async () => {
    const [here, there] = [await createLinkedDriver(), await createLinkedDriver()];
    await env.DB.prepare(`UPDATE spots SET city = 'Chicago' WHERE driver_id = ?`).bind(there.driverId).run();
    await there.client.patchUser({ language: "pt", updateLanguage: true });
    await actOnAll(owner, announce({ audience: "city", audienceOf: "Chicago" }));
    await actOnAll(owner, announce({ audience: "language", audienceOf: "pt" }));
    expect(await readBy(there)).toHaveLength(2);
    expect(await readBy(here)).toEqual([]);
    expect((await listed()).map(({ told }) => told)).toEqual([1, 1]);
  });

  it("waits for its day, and then goes out with the next minute", async () => {
    const driver = await createLinkedDriver();
    await actOnAll(owner, announce({ startsAt: Date.now() + 60_000 }));
    await everyMinute();
    expect([await readBy(driver), (await listed())[0]]).toMatchObject([[], { told: 0, isTold: false }]);
    await env.DB.prepare(`UPDATE announcements SET starts_at = 1`).run();
    await everyMinute();
    expect([await readBy(driver), (await listed())[0]]).toMatchObject([[{ text: TEXT }], { isTold: true }]);
  });

  it("tells more drivers than one request reaches with the next minutes, each once", async () => {
    const driver = await createLinkedDriver();
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
       INSERT INTO users (id, phone_number, name, language, mode, switched_on, waiting_for_spot, referral, human_timezone, proxy_installed, revision, created_at)
       SELECT '0-many-' || i, '+1444' || (1000000 + i), 'Many', 'es', 'lucrative', 0, 0, 'jornada', 'America/New_York', 0, 1, 1 FROM n`,
    ).run();
    try {
      // All of the many are before anybody else, and none of them is meant.
      await actOnAll(owner, announce({ audience: "language", audienceOf: "en" }));
      expect((await listed())[0]).toMatchObject({ told: 0, isTold: false });
      await Promise.all([everyMinute(), everyMinute()]);
      const [row] = await listed();
      expect(row?.isTold).toBe(true);
      const drivers = await env.DB.prepare(`SELECT count(*) AS n FROM users WHERE language = 'en'`).first(
        "n",
      );
      expect(row?.told).toBe(drivers);
      expect(await readBy(driver)).toHaveLength(1);
    } finally {
      await env.DB.prepare(`DELETE FROM users WHERE id LIKE '0-many-%'`).run();
    }
  });

  it("is pushed once, in the driver's language, however often their object hears of it", async () => {
    const driver = await createLinkedDriver();
    await driver.client.patchUser({ language: "pt", updateLanguage: true });
    const browser = await listen(driver);
    await actOnAll(owner, announce());
    const [pushed] = await eventually(1, () => arrivals(browser));
    expect(await browser.open(pushed?.body ?? "")).toMatchObject({ title: "Jornada", body: TEXT.pt });
    await env.DB.prepare(`UPDATE announcements SET is_told = 0, told_up_to = ''`).run();
    await everyMinute();
    await untilSent(driver);
    expect(await arrivals(browser)).toHaveLength(1);
  });

  it("is sent again to a browser whose push service refuses it, to no other, and counted until it arrived", async () => {
    const driver = await createSpanishSpeaker();
    const [busy, ready] = [await listen(driver), await listen(driver)];
    await answerPushes(busy, { status: 503, times: 1, retryAfter: 60 });
    await actOnAll(owner, announce(IN_SPANISH));
    await everyMinute();
    await eventually(1, () => arrivals(ready));
    expect((await listed())[0]?.pushes).toEqual({ sent: 0, failed: 0, pending: 1 });
    await passRetry(driver);
    await everyMinute();
    expect((await listed())[0]?.pushes).toEqual({ sent: 2, failed: 0, pending: 0 });
    const taken = (await arrivals(busy)).filter(({ status }) => status === 201);
    expect([taken.length, (await arrivals(ready)).length]).toEqual([1, 1]);
  });

  it("is given up for a browser after a few tries, and for one that has unsubscribed at once", async () => {
    const driver = await createSpanishSpeaker();
    const [busy, gone] = [await listen(driver), await listen(driver)];
    await answerPushes(busy, { status: 429, times: 99, retryAfter: 0 });
    await answerPushes(gone, { status: 410, times: 1 });
    await actOnAll(owner, announce(IN_SPANISH));
    for (let minute = 0; minute < 9; minute += 1) {
      await passRetry(driver);
      await everyMinute();
    }
    expect((await listed())[0]?.pushes).toEqual({ sent: 0, failed: 2, pending: 0 });
    const tries = (await arrivals(busy)).length;
    await passRetry(driver);
    await everyMinute();
    expect([tries, (await arrivals(busy)).length, (await arrivals(gone)).length]).toEqual([4, 4, 1]);
  });

  it("retries a driver whose object could not be reached, once, and no more once it is over", async () => {
    const driver = await createSpanishSpeaker();
    const browser = await listen(driver);
    await actOnAll(owner, announce({ ...IN_SPANISH, startsAt: Date.now() + DAY_MS / 2 }));
    const { id = "" } = (await listed())[0] ?? {};
    // As a run leaves it whose call to the object failed.
    const leave = env.DB.prepare(`INSERT INTO announcement_retries VALUES (?, ?, 1, 0, 0)`).bind(
      id,
      driver.driverId,
    );
    await env.DB.batch([leave, env.DB.prepare(`UPDATE announcements SET starts_at = 1, is_told = 1`)]);
    expect((await listed())[0]?.pushes).toEqual({ sent: 0, failed: 0, pending: 1 });
    await Promise.all([everyMinute(), everyMinute()]);
    expect((await listed())[0]?.pushes).toEqual({ sent: 1, failed: 0, pending: 0 });
    expect(await arrivals(browser)).toHaveLength(1);
    await env.DB.batch([leave, env.DB.prepare(`UPDATE announcements SET ends_at = 1`)]);
    await everyMinute();
    expect((await listed())[0]?.pushes).toEqual({ sent: 1, failed: 1, pending: 0 });
    expect(await arrivals(browser)).toHaveLength(1);
  });

  it.each([
    [{ endsAt: 5 }, "endsAt", "too_small"],
    [{ audience: "city" }, "audienceOf", "required"],
    [{ audience: "city", audienceOf: "Chikago" }, "audienceOf", "invalid"],
    [{ audience: "language", audienceOf: "fr" }, "audienceOf", "required"],
  ])("is refused where it is none: %o", async (change, field, issue) => {
    const refused = await actOnAll(owner, announce(change));
    expect([refused.status, await refused.json()]).toMatchObject([400, { fields: { [field]: issue } }]);
    expect(await listed()).toEqual([]);
  });

  it("needs all three languages, and an owner", async () => {
    expect((await actOnAll(owner, announce({ pt: "  " }))).status).toBe(400);
    expect((await actOnAll(support, announce())).status).toBe(403);
  });
});

describe("errors of pages", () => {
  const report = (driver: TestDriver, message: string, file = "feed-Bx3f9_2a.js:1:3812") =>
    driver.client.sealed("POST", "/flex/v1/errors", {
      caller: "error_page",
      name: "TypeError",
      message,
      stack: `TypeError: ${message}\n    at render (https://jornada.example/assets/${file})\n    at next (a.js:1:2)`,
    });
  const errors = async () =>
    (await parseResponse<ErrorsResponse>(await support.call("GET", "/errors"), "errors")).errors;

  it("are one line for the same message at the same place, with drivers, versions and an example", async () => {
    const [one, other] = [await createLinkedDriver(), await createLinkedDriver()];
    await report(one, "row 17 is missing");
    await report(one, "row 18 is missing", "feed-AAAAAAAA.js:1:99");
    await report(other, "row 18 is missing");
    await report(other, "quite another thing");
    const found = await errors();
    expect(found).toHaveLength(2);
    expect(found.find(({ reports }) => reports === 3)).toMatchObject({
      name: "TypeError",
      drivers: 2,
      place: "render feed.js",
      status: "open",
      requestId: expect.any(String),
      versions: [{ reports: 3 }],
    });
  });

  it("are resolved and opened again by owners, in the log, and open by themselves when they come back", async () => {
    const driver = await createLinkedDriver();
    await report(driver, "it broke");
    const [error] = await errors();
    const act = (name: "resolve_error" | "reopen_error", client = owner) =>
      actOnAll(client, { act: name, errorId: error?.id ?? "", reason });
    expect((await act("resolve_error", support)).status).toBe(403);
    expect((await act("reopen_error")).status).toBe(409);
    expect((await act("resolve_error")).status).toBe(200);
    expect((await errors())[0]?.status).toBe("resolved");
    expect((await act("reopen_error")).status).toBe(200);
    expect((await act("resolve_error")).status).toBe(200);
    await env.DB.prepare(`UPDATE error_groups SET resolved_at = 1`).run();
    await report(driver, "it broke");
    expect(await errors()).toMatchObject([{ status: "back", reports: 2, drivers: 1 }]);
    expect(await lastActs(3)).toMatchObject([
      { act: "resolve_error", before: { isOpen: true }, after: { isOpen: false } },
      { act: "reopen_error" },
      { act: "resolve_error" },
    ]);
  });
});

describe("drivers' feedback", () => {
  it("is counted by week, with comments and whose they are, but never a whole number", async () => {
    const driver = await createLinkedDriver();
    const monday = Math.floor((Date.now() - 4 * DAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS + 4 * DAY_MS;
    const insert = (id: string, score: number | null, comment: string | null, at: number) =>
      env.DB.prepare(`INSERT INTO feedback VALUES (?, ?, ?, ?, ?)`).bind(
        id,
        driver.driverId,
        score,
        comment,
        at,
      );
    await env.DB.batch([
      insert("a", 10, "Great.", monday + 1),
      insert("b", 9, null, monday + 2),
      insert("c", 3, "Too slow.", monday + 3),
      insert("d", 8, null, monday + 4),
      insert("e", null, null, monday + 5),
      insert("f", 1, null, monday - 1),
    ]);
    const read = async (client: OperatorClient) =>
      parseResponse<OperatorFeedback>(await client.call("GET", "/feedback"), "feedback");
    const { weeks, comments, cursor } = await read(owner);
    expect(weeks).toEqual([
      { at: monday, answers: 4, skipped: 1, average: 7.5, net: 25 },
      { at: monday - 7 * DAY_MS, answers: 1, skipped: 0, average: 1, net: -100 },
    ]);
    expect(comments).toMatchObject([
      { comment: "Too slow.", score: 3, driverId: driver.driverId },
      { comment: "Great.", phone: `••• ${driver.phoneNumber.slice(-4)}` },
    ]);
    expect(cursor).toBeNull();
  });
});
