import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { IDENTITY, refusalReply, SUB, token } from "../../support/scripted-network.ts";

const ENDPOINT = "https://push.test/send/1";
const REGISTRATION = "PUT /flex/v1/user/push";
const DELETION = "DELETE /flex/v1/user/push";

let harness: ReturnType<typeof createBrowserHarness>;
let isSubscribed: boolean;

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv("PROD", true);
  harness = createBrowserHarness({ vapidPublicKey: "BA" });
  harness.signIn();
  isSubscribed = true;
  const subscription = {
    endpoint: ENDPOINT,
    options: { applicationServerKey: null },
    toJSON: () => ({ keys: { p256dh: "key", auth: "secret" } }),
    unsubscribe: async () => {
      isSubscribed = false;
      return true;
    },
  };
  const getSubscription = async () => (isSubscribed ? subscription : null);
  const serviceWorker = { getRegistration: async () => ({ pushManager: { getSubscription } }) };
  vi.stubGlobal("navigator", { serviceWorker });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.resetModules();
});

it("a browser that is turned off is known to the server no more, nor to its push service", async () => {
  harness.answer({ [DELETION]: { body: {} } });
  const { disablePush } = await import("../../../web/api/device/push.ts");
  expect(await disablePush()).toBe("off");
  expect([harness.calls.map(({ operation, body }) => [operation, body]), isSubscribed]).toEqual([
    [[DELETION, { endpoint: ENDPOINT }]],
    false,
  ]);
  expect(await disablePush()).toBe("off");
  expect(harness.count(DELETION)).toBe(1);
});

it("a browser stays on while the server can't be told", async () => {
  harness.answer({ [DELETION]: "lost" });
  const { disablePush } = await import("../../../web/api/device/push.ts");
  await expect(disablePush()).rejects.toMatchObject({ code: "network" });
  expect(isSubscribed).toBe(true);
});

it("a browser that the server has lost is turned on anew, by another endpoint than the one that is gone", async () => {
  harness.answer({ [REGISTRATION]: { body: {} } });
  const worker = await import("../../../web/api/device/service-worker.ts");
  const { enablePush, storedSubscription } = await import("../../../web/api/device/push.ts");
  const { createStored } = await import("../../../web/api/cache/storage.ts");
  const { restoreSession } = await import("../../../web/api/session/session.ts");
  createStored(storedSubscription).save({ driver: SUB, endpoint: ENDPOINT, session: null });
  restoreSession(IDENTITY, Date.now());
  const { pushManager } = (await navigator.serviceWorker.getRegistration()) as ServiceWorkerRegistration;
  const subscribe = async () => {
    const existing = await pushManager.getSubscription();
    isSubscribed = true;
    // As a browser does, which makes no other while it has one.
    return existing ?? { ...(await pushManager.getSubscription()), endpoint: "https://push.test/send/2" };
  };
  const ready = { pushManager: { ...pushManager, subscribe } } as unknown as ServiceWorkerRegistration;
  vi.spyOn(worker, "registerServiceWorker").mockResolvedValue(ready);
  vi.stubGlobal("navigator", { serviceWorker: { ...navigator.serviceWorker, ready } });
  vi.stubGlobal("Notification", { requestPermission: async () => "granted" });
  expect(await enablePush()).toBe("on");
  const sent = harness.calls.filter(({ operation }) => operation === REGISTRATION);
  expect(sent.map(({ body }) => body["endpoint"])).toEqual(["https://push.test/send/2"]);
});

it("a browser is sent to the server once for each sign-in, with which it ends", async () => {
  harness.answer({ [REGISTRATION]: { body: {} } });
  const { refreshPushSubscription, storedSubscription } = await import("../../../web/api/device/push.ts");
  const { createStored } = await import("../../../web/api/cache/storage.ts");
  const { restoreSession } = await import("../../../web/api/session/session.ts");
  createStored(storedSubscription).save({ driver: SUB, endpoint: ENDPOINT, session: "monday" });
  const sentAfter = async (session: string) => {
    harness.signIn({ idToken: token("id", { session }) });
    restoreSession(IDENTITY, Date.now());
    await refreshPushSubscription();
    return harness.count(REGISTRATION);
  };
  expect([await sentAfter("monday"), await sentAfter("tuesday"), await sentAfter("tuesday")]).toEqual([
    0, 1, 1,
  ]);
});

/** A signed-in driver's browser that the server knows by another endpoint. */
async function openWithFormerEndpoint() {
  const { refreshPushSubscription, storedSubscription } = await import("../../../web/api/device/push.ts");
  const { createStored } = await import("../../../web/api/cache/storage.ts");
  const { restoreSession } = await import("../../../web/api/session/session.ts");
  const stored = createStored(storedSubscription);
  const former = { driver: SUB, endpoint: "https://push.test/send/0", session: null };
  stored.save(former);
  restoreSession(IDENTITY, Date.now());
  return { refreshPushSubscription, stored, former };
}

it("a browser with another endpoint is off, and says so, where the server takes that only after a sign-in", async () => {
  harness.answer({ [REGISTRATION]: refusalReply("sign_in_again") });
  const { refreshPushSubscription, stored } = await openWithFormerEndpoint();
  await expect(refreshPushSubscription()).rejects.toMatchObject({ code: "sign_in_again" });
  expect([isSubscribed, stored.load()]).toEqual([false, null]);
});

it("a browser with another endpoint is tried again later, where the server can't be told", async () => {
  harness.answer({ [REGISTRATION]: "lost" });
  const { refreshPushSubscription, stored, former } = await openWithFormerEndpoint();
  await expect(refreshPushSubscription()).rejects.toMatchObject({ code: "network" });
  expect([isSubscribed, stored.load()]).toEqual([true, former]);
});
