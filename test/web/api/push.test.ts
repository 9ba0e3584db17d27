import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createBrowserHarness } from "../../support/browser-harness.ts";

const ENDPOINT = "https://push.test/send/1";
const DELETION = "DELETE /flex/v1/user/push";

let harness: ReturnType<typeof createBrowserHarness>;
let isSubscribed: boolean;

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv("PROD", true);
  harness = createBrowserHarness();
  harness.signIn();
  isSubscribed = true;
  const subscription = {
    endpoint: ENDPOINT,
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
