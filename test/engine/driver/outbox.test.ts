import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
} from "../../../db/shapes/notifications.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import { driverId, HOUR_MS } from "../../../db/shapes/units.ts";
import { encodeVersioned } from "../../../db/shapes/versioned.ts";
import { questionId, type Question } from "../../../db/shapes/work/question.ts";
import { notifyDriver } from "../../../durable/driver/notify/notify.ts";
import { endLeftSessions, flushOutbox, type OutboxDeps } from "../../../durable/driver/outbox.ts";
import type { StoredSubscription } from "../../../durable/driver/storage/stored-shapes.ts";
import type { TextAbout } from "../../../durable/driver/storage/text-about.ts";
import type { PushMessage } from "../../../durable/messaging/push.ts";
import { storedTokens } from "../../../durable/platform/token-manager.ts";
import type { DriverNotification } from "../../../durable/engine/state/types.ts";
import { createKeys } from "../../../durable/runtime/keys.ts";
import { openCheckout } from "../../payments/checkout-harness.ts";
import { openStore } from "../../support/runtime/node-store.ts";
import { activeState, makeOffer, NOON } from "../fixtures.ts";

const OWNER = { driverId: driverId.parse("driver-1"), phoneNumber: "+15550100100" } as Parameters<
  typeof flushOutbox
>[0];

it("leaves alone what another run sent while this one waited for the gateway", async () => {
  const store = openStore(new DatabaseSync(":memory:"), () => NOON);
  for (const body of ["one", "two"])
    store.outbox.add({ kind: "text", body, notifications: 0, about: null }, NOON);
  const gateway = Promise.withResolvers<void>();
  const sent: string[] = [];
  const deps = {
    store,
    sending: new Map(),
    now: () => NOON,
    driverTexts: {
      sendText: async ({ body, onLeave }: { body: string; onLeave: () => void }) => {
        sent.push(body);
        onLeave();
        if (body === "one") await gateway.promise;
        return { kind: "sent" };
      },
    },
  } as unknown as OutboxDeps;
  const first = flushOutbox(OWNER, deps);
  await flushOutbox(OWNER, deps);
  gateway.resolve();
  await first;
  expect(sent).toEqual(["one", "two"]);
  expect(store.outbox.nextAt()).toBeNull();
});

const DRIVER: DriverOwner = {
  driverId: driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01"),
  phoneNumber: "+15550100100",
  language: "en",
  timeZone: "America/New_York",
  notifications: DEFAULT_NOTIFICATION_PREFERENCES,
  reminders: DEFAULT_REMINDER_PREFERENCES,
};
const BROWSER = { endpoint: "https://push.test/1", keys: { p256dh: "p", auth: "a" }, session: null };
const FIRST_RETRY_MS = 2_000;

type TextAnswer =
  | { kind: "sent" }
  | { kind: "held"; reason: string }
  | { kind: "failed"; retryable: boolean };
type PushAnswer =
  | { kind: "sent" }
  | { kind: "gone" }
  | { kind: "failed"; retryable: boolean; retryAfterMs: number };

const CONFIG = openCheckout().checkout.deps.config;

/** An outbox whose gateway and push service answer as told. */
function openOutbox(
  answers: { text?: TextAnswer | null; push?: PushAnswer | ((endpoint: string) => PushAnswer) | null } = {},
) {
  let now = NOON;
  const database = new DatabaseSync(":memory:");
  const store = openStore(database, () => now);
  const texts: Record<string, unknown>[] = [];
  const pushes: [PushMessage, string][] = [];
  const logged: string[] = [];
  const { text = { kind: "sent" }, push = { kind: "sent" } } = answers;
  const deps = {
    store,
    config: CONFIG,
    sending: new Map(),
    now: () => now,
    log: (_level: string, event: string) => logged.push(event),
    keys: createKeys(`test:${btoa("k".repeat(32))}`),
    driverTexts: text && {
      sendText: async ({ onLeave: _onLeave, id: _id, ...sent }: Record<string, unknown>) => {
        texts.push(sent);
        return text;
      },
    },
    push: push && {
      sendMessage: async (message: PushMessage, { endpoint }: { endpoint: string }) => {
        pushes.push([message, endpoint]);
        return typeof push === "function" ? push(endpoint) : push;
      },
    },
  } as unknown as OutboxDeps;
  const rows = () =>
    database
      .prepare(`SELECT due_at, tries FROM outbox ORDER BY id`)
      .all()
      .map((row) => ({ dueInMs: Number(row["due_at"]) - now, tries: row["tries"] }));
  return {
    store,
    texts,
    pushes,
    logged,
    rows,
    flush: () => flushOutbox(DRIVER, deps),
    notify: (notification: DriverNotification) =>
      notifyDriver(notification, { owner: DRIVER, state: activeState(), store, config: CONFIG, now }),
    /** Until so long after noon. */
    wait: (ms: number) => {
      now = NOON + ms;
    },
  };
}

const pushOf = (data: Partial<PushMessage["data"]> = {}): PushMessage => ({
  data: { title: "t", body: "b", url: "/", tag: "announcement:a-1", event: "needs_you", ...data },
  ttlSeconds: 60,
  urgency: "high",
});

const textOf = (about: TextAbout | null = null, notifications = 1) =>
  ({ kind: "text", body: "a text", notifications, about }) as const;

const asked: Question = {
  questionId: z.parse(questionId, "question-1"),
  offer: makeOffer("a"),
  place: null,
  filtersVersion: 1,
  askedAt: NOON,
  closesAt: NOON + 60_000,
  state: { status: "waiting" },
};

describe("a text", () => {
  it.each<[string, TextAnswer, tries: number, left: { dueInMs: number; tries: number }[], logged: number]>([
    ["was sent", { kind: "sent" }, 0, [], 0],
    ["was refused for good", { kind: "failed", retryable: false }, 0, [], 1],
    ["failed once", { kind: "failed", retryable: true }, 0, [{ dueInMs: FIRST_RETRY_MS, tries: 1 }], 1],
    ["failed twice", { kind: "failed", retryable: true }, 1, [{ dueInMs: 2 * FIRST_RETRY_MS, tries: 2 }], 1],
    ["failed three times", { kind: "failed", retryable: true }, 2, [], 1],
    ["was held back for the driver", { kind: "held", reason: "blocked" }, 0, [], 0],
  ])("that %s is sent again no more than that", async (_name, text, tries, left, failures) => {
    const { store, texts, rows, logged, flush } = openOutbox({ text });
    store.outbox.add(textOf(), NOON, tries);
    await flush();
    expect([texts.length, rows(), logged.length]).toEqual([1, left, failures]);
    expect(store.state.textDay()).toBeNull();
  });

  it("that the deployment's ceiling stopped counts in the evening's digest, with all that it told of", async () => {
    const { store, rows, flush } = openOutbox({ text: { kind: "held", reason: "ceiling" } });
    store.outbox.add(textOf(null, 3), NOON);
    store.outbox.add(textOf(), NOON);
    await flush();
    expect([rows(), store.state.textDay()?.held]).toEqual([[], 4]);
  });

  it("is dropped where no gateway is set", async () => {
    const { store, rows, flush } = openOutbox({ text: null });
    store.outbox.add(textOf(), NOON);
    await flush();
    expect(rows()).toEqual([]);
  });

  it("is kept under its subject only where it has one", async () => {
    const { store, texts, flush } = openOutbox();
    store.outbox.add(textOf(), NOON);
    store.outbox.add(textOf({ kind: "needs_link" }), NOON);
    await flush();
    expect(store.sentTexts.list(NOON).map(({ about }) => about)).toEqual([{ kind: "needs_link" }]);
    expect(texts.map(({ to, account, body }) => [to, account, body])).toEqual([
      [DRIVER.phoneNumber, DRIVER.driverId, "a text"],
      [DRIVER.phoneNumber, DRIVER.driverId, "a text"],
    ]);
  });

  it.each([
    ["ends with the link of its question", 59_999, 1],
    ["is not sent once the question has closed", 60_000, 0],
  ])("that asks %s", async (_name, afterMs, sent) => {
    const { store, texts, rows, flush, wait } = openOutbox();
    store.outbox.add(textOf({ kind: "asked", question: asked }), NOON);
    wait(afterMs);
    await flush();
    expect([texts.length, rows()]).toEqual([sent, []]);
    for (const { body } of texts) expect(body).toMatch(/^a text[\w-]{40,}$/);
  });
});

describe("a push", () => {
  const counts = (sent: number, failed: number, pending: number) => ({ sent, failed, pending });

  it.each<
    [string, PushAnswer, tries: number, left: { dueInMs: number; tries: number }[], ReturnType<typeof counts>]
  >([
    ["was taken", { kind: "sent" }, 0, [], counts(1, 0, 0)],
    ["met an ended subscription", { kind: "gone" }, 0, [], counts(0, 1, 0)],
    [
      "was refused for good",
      { kind: "failed", retryable: false, retryAfterMs: 9_000 },
      0,
      [],
      counts(0, 1, 0),
    ],
    [
      "failed once",
      { kind: "failed", retryable: true, retryAfterMs: 0 },
      0,
      [{ dueInMs: FIRST_RETRY_MS, tries: 1 }],
      counts(0, 0, 1),
    ],
    [
      "is to wait as long as the service says",
      { kind: "failed", retryable: true, retryAfterMs: 9_000 },
      0,
      [{ dueInMs: 9_000, tries: 1 }],
      counts(0, 0, 1),
    ],
    [
      "failed three times",
      { kind: "failed", retryable: true, retryAfterMs: 0 },
      2,
      [{ dueInMs: 4 * FIRST_RETRY_MS, tries: 3 }],
      counts(0, 0, 1),
    ],
    ["failed four times", { kind: "failed", retryable: true, retryAfterMs: 0 }, 3, [], counts(0, 1, 0)],
  ])("that %s is counted for its announcement, and tried again no more than that", async (...row) => {
    const [, push, tries, left, counted] = row;
    const { store, pushes, rows, flush } = openOutbox({ push });
    store.pushSubscriptions.add(BROWSER);
    store.announcementPushes.begin("a-1", 1, NOON);
    store.outbox.add({ kind: "push", endpoint: BROWSER.endpoint, message: pushOf() }, NOON, tries);
    await flush();
    expect([pushes, rows()]).toEqual([[[pushOf(), BROWSER.endpoint]], left]);
    expect(store.announcementPushes.of("a-1")).toEqual(counted);
    expect(store.pushSubscriptions.list(NOON)).toEqual(push.kind === "gone" ? [] : [BROWSER]);
    expect(store.state.pushLostAt()).toBe(push.kind === "gone" ? NOON : null);
  });

  it.each<[string, StoredSubscription | null, PushAnswer | null]>([
    ["has no subscription any more", null, { kind: "sent" }],
    [
      "has one of a sign-in that ended",
      { ...BROWSER, session: { id: "s", expiresAt: NOON } },
      { kind: "sent" },
    ],
    [
      "is another than the one that subscribed",
      { ...BROWSER, endpoint: "https://push.test/2" },
      { kind: "sent" },
    ],
    ["subscribed where pushes are no longer set", BROWSER, null],
  ])("to a browser that %s is not sent, and counts as failed", async (_name, subscription, push) => {
    const { store, pushes, rows, flush } = openOutbox({ push });
    if (subscription) store.pushSubscriptions.add(subscription);
    store.announcementPushes.begin("a-1", 1, NOON);
    store.outbox.add({ kind: "push", endpoint: BROWSER.endpoint, message: pushOf() }, NOON);
    await flush();
    expect([pushes, rows()]).toEqual([[], []]);
    expect(store.announcementPushes.of("a-1")).toEqual(counts(0, 1, 0));
  });

  it("of something else counts for no announcement", async () => {
    const { store, flush } = openOutbox();
    store.pushSubscriptions.add(BROWSER);
    store.announcementPushes.begin("a-1", 1, NOON);
    store.outbox.add({ kind: "push", endpoint: BROWSER.endpoint, message: pushOf({ tag: "a-1" }) }, NOON);
    await flush();
    expect(store.announcementPushes.of("a-1")).toEqual(counts(0, 0, 1));
  });

  it.each([
    ["has a token of its own for its question", 59_999, 1],
    ["is not sent once the question has closed", 60_000, 0],
  ])("that asks %s", async (_name, afterMs, sent) => {
    const { store, pushes, rows, flush, wait } = openOutbox();
    const { questionId: id, closesAt } = asked;
    const question = { questionId: id, closesAt, take: "Take", pass: "Pass", unsent: "Unsent" };
    const browsers = [BROWSER, { ...BROWSER, endpoint: "https://push.test/2" }];
    for (const browser of browsers) {
      store.pushSubscriptions.add(browser);
      store.outbox.add(
        { kind: "push", endpoint: browser.endpoint, message: pushOf({ question, tag: "asked" }) },
        NOON,
      );
    }
    wait(afterMs);
    await flush();
    const tokens = pushes.map(([{ data }]) => data.question?.token);
    expect([new Set(tokens).size, rows()]).toEqual([2 * sent, []]);
    expect(tokens.every((token) => /^[\w-]{40,}$/.test(token ?? ""))).toBe(true);
  });
});

describe("a push in place of a text", () => {
  const OTHER = { ...BROWSER, endpoint: "https://push.test/2" };
  const beforeShift: DriverNotification = {
    kind: "before_shift",
    startsAt: NOON + HOUR_MS,
    timeZone: DRIVER.timeZone,
    need: "link_ended",
    more: 0,
  };
  const failed = { kind: "failed", retryable: true, retryAfterMs: 0 } as const;

  /** So many texts leave, at their second, until two minutes after a message before hours. */
  async function textsAfter(push: (endpoint: string) => PushAnswer, browsers = [BROWSER, OTHER]) {
    const at = openOutbox({ push });
    for (const browser of browsers) at.store.pushSubscriptions.add(browser);
    at.notify(beforeShift);
    const leftAt: number[] = [];
    for (let second = 0; second <= 120; second += 1) {
      at.wait(second * 1_000);
      await at.flush();
      while (leftAt.length < at.texts.length) leftAt.push(second);
    }
    expect(at.rows()).toEqual([]);
    return { ...at, leftAt };
  }

  it.each<[string, (endpoint: string) => PushAnswer]>([
    ["every browser takes it", () => ({ kind: "sent" })],
    ["one browser takes it", (one) => (one === OTHER.endpoint ? { kind: "gone" } : { kind: "sent" })],
  ])("that %s has no text after it", async (_name, push) => {
    const { pushes, texts, store } = await textsAfter(push);
    expect([pushes.length, texts, store.state.textDay()]).toEqual([2, [], null]);
  });

  it("that a browser takes at a later try has no text after it", async () => {
    let tries = 0;
    const { texts } = await textsAfter(() => (++tries < 4 ? failed : { kind: "sent" }), [BROWSER]);
    expect([tries, texts]).toEqual([4, []]);
  });

  it.each<[string, PushAnswer, pushes: number]>([
    ["whose subscriptions have ended", { kind: "gone" }, 2],
    ["that is refused for good", { kind: "failed", retryable: false, retryAfterMs: 0 }, 2],
    ["that fails four times", failed, 8],
  ])("%s has one text after it, which counts among the day's", async (_name, push, tries) => {
    const { pushes, texts, leftAt, store } = await textsAfter(() => push);
    expect([pushes.length, texts.length]).toEqual([tries, 1]);
    expect(leftAt[0]).toBeLessThan(70);
    expect(texts[0]).toMatchObject({ to: DRIVER.phoneNumber, body: expect.stringContaining("/flex/login") });
    expect(store.state.textDay()).not.toBeNull();
  });
});

describe("changes of the record", () => {
  it("end with the latest, also where the database took an earlier one at a later try", async () => {
    const at = openCheckout();
    at.addDriver(DRIVER.driverId);
    const { db } = at.checkout;
    let now = NOON;
    let isDown = true;
    const answering: OutboxDeps["db"] = new Proxy(db, {
      get: (target, name) => {
        if (isDown) throw new Error("the database is down");
        return Reflect.get(target, name);
      },
    });
    const store = openStore(new DatabaseSync(":memory:"), () => now);
    const deps = {
      store,
      sending: new Map(),
      now: () => now,
      log: () => {},
      db: answering,
    } as unknown as OutboxDeps;
    const change = (fields: { proxyInstalled: boolean; flexEmail?: string | null; humanRegion?: string }) =>
      store.outbox.add({ kind: "record_changed", change: fields }, now);
    change({ proxyInstalled: true, flexEmail: "former@flex.test", humanRegion: "Denver" });
    change({ proxyInstalled: false, flexEmail: null });
    await flushOutbox(DRIVER, deps);
    isDown = false;
    change({ proxyInstalled: true, flexEmail: "new@flex.test" });
    await flushOutbox(DRIVER, deps);
    now = NOON + FIRST_RETRY_MS;
    await flushOutbox(DRIVER, deps);
    expect(at.rows(`SELECT proxy_installed, flex_email, human_region FROM users`)).toEqual([
      { proxy_installed: 1, flex_email: "new@flex.test", human_region: "Denver" },
    ]);
    expect(store.outbox.nextAt()).toBeNull();
  });
});

describe("a deletion", () => {
  it("ends the platform's session, however many rows were queued before it", async () => {
    const store = openStore(new DatabaseSync(":memory:"), () => NOON);
    const keys = createKeys(`test:${btoa("k".repeat(32))}`);
    const tokens = { accessToken: "at", refreshToken: "rt", issuedAt: NOON, expiresAt: NOON + HOUR_MS };
    const plain = encodeVersioned(storedTokens, tokens);
    const sealedTokens = await keys.seal("tokens", { plain, context: DRIVER.driverId });
    for (let queued = 0; queued < 60; queued += 1) store.outbox.add(textOf(), NOON);
    store.outbox.add({ kind: "session_end", sealedTokens }, NOON + FIRST_RETRY_MS);
    const ended: string[] = [];
    await endLeftSessions(DRIVER, {
      store,
      keys,
      sending: new Map(),
      now: () => NOON,
      sleep: () => new Promise(() => {}),
      connections: { run: (_lane: string, work: () => unknown) => work() },
      waitsUntil: () => null,
      noteRefusal: () => {},
      platform: {
        endSession: async ({ accessToken }: { accessToken: string }) => {
          ended.push(accessToken);
          return { kind: "ended" };
        },
      },
    } as unknown as OutboxDeps);
    expect(ended).toEqual(["at"]);
  });
});
