import { expect, it, vi } from "vitest";
import { openDb } from "../../db/client.ts";
import { loadAlerts } from "../../db/queries/fleet/alerts.ts";
import { MINUTE_MS } from "../../db/shapes/units.ts";
import { createPushRefusals } from "../../durable/push-refusals.ts";
import { createPush } from "../../durable/messaging/push.ts";
import { createPushSubscriber } from "../support/push-subscriber.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { createDeps } from "../../durable/deps.ts";

const one = await createPushSubscriber("https://push.sandbox.test/send/one");
const other = await createPushSubscriber("https://push.sandbox.test/send/other");
const DB = bindD1(migratedDatabase());
const { config } = createDeps({ ...DEMO_SETTINGS, DB, DRIVER: {}, ASSETS: {} } as never);

const nothingSeen = () => ({ inARow: 0, first: null, areSeveral: false, toldAt: null });

/** Messages go to some browsers by turns. */
function open(browsers = [one, other]) {
  const db = openDb(bindD1(migratedDatabase()));
  const clock = { now: Date.parse("2026-11-21T12:00:00Z") };
  const service = { status: 201 };
  const log = vi.fn();
  if (!config.vapid) throw new Error("no keys");
  const push = createPush({
    vapid: config.vapid,
    send: async () => new Response(null, { status: service.status }),
    note: () => {},
    inTurn: (work) => work(),
    now: () => clock.now,
    refusals: createPushRefusals({ db, now: () => clock.now, log }, nothingSeen()),
  });
  const data = { title: "t", body: "b", url: "/", tag: "tag", event: "captured" } as const;
  return {
    clock,
    log,
    async push(...statuses: number[]) {
      for (const [index, status] of statuses.entries()) {
        const browser = browsers[index % browsers.length] ?? one;
        service.status = status;
        await push.sendMessage({ data, ttlSeconds: 1, urgency: "normal" }, browser.subscription);
      }
    },
    until: async () => (await loadAlerts(db, clock.now)).map(({ until }) => until),
    alerts: async () => (await loadAlerts(db, clock.now)).map(({ name, reason }) => `${name} ${reason}`),
  };
}

it("tells operators of push services that refuse one notification after another, until they no longer do", async () => {
  const watch = open();
  await watch.push(403, 403);
  expect(await watch.alerts()).toEqual([]);
  await watch.push(403, 403, 403);
  expect(await watch.alerts()).toEqual(["push.refused 403"]);
  expect(watch.log.mock.calls).toEqual([["error", "push.refused", { status: 403 }]]);
  watch.clock.now += 14 * MINUTE_MS;
  await watch.push(401);
  watch.clock.now += 14 * MINUTE_MS;
  expect(await watch.alerts()).toEqual(["push.refused 401"]);
  await watch.push(201);
  watch.clock.now += MINUTE_MS;
  expect(await watch.alerts()).toEqual([]);
});

it("tells operators of refusals by 400, too, with which Apple's service answers another key", async () => {
  const watch = open();
  await watch.push(400, 400, 400);
  expect(await watch.alerts()).toEqual(["push.refused 400"]);
});

it("writes no more than once in five minutes, however many notifications are refused", async () => {
  const watch = open();
  const begun = watch.clock.now;
  await watch.push(403, 403, 403);
  watch.clock.now += 4 * MINUTE_MS;
  await watch.push(403, 403);
  expect(await watch.until()).toEqual([begun + 15 * MINUTE_MS]);
  watch.clock.now += MINUTE_MS;
  await watch.push(403);
  expect(await watch.until()).toEqual([begun + 20 * MINUTE_MS]);
});

it("tells nobody of the one browser with former keys among few drivers, however often it is refused", async () => {
  const watch = open([one]);
  await watch.push(403, 403, 403, 403, 403);
  expect([await watch.alerts(), watch.log.mock.calls]).toEqual([[], []]);
});

it("tells nobody of single browsers that subscribed with former keys, nor of those that are gone", async () => {
  const watch = open();
  await watch.push(403, 403, 201, 403, 403, 201, 410, 410, 410, 429, 500);
  expect([await watch.alerts(), watch.log.mock.calls]).toEqual([[], []]);
});
