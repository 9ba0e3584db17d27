import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { applyUpdate } from "../../../web/api/device/service-worker.ts";

const reload = vi.fn();

beforeEach(() => {
  vi.stubGlobal("navigator", { serviceWorker: new EventTarget() });
  vi.stubGlobal("location", { reload });
});
afterEach(() => {
  reload.mockClear();
  vi.unstubAllGlobals();
});

function makeWorker(state: ServiceWorkerState) {
  const postMessage = vi.fn();
  return { worker: { state, postMessage } as unknown as ServiceWorker, postMessage };
}

it("reloads once the waiting version has taken over", () => {
  const { worker, postMessage } = makeWorker("installed");
  applyUpdate(worker);
  expect([postMessage.mock.calls, reload.mock.calls.length]).toEqual([[[{ kind: "take_over" }]], 0]);
  navigator.serviceWorker.dispatchEvent(new Event("controllerchange"));
  expect(reload).toHaveBeenCalledOnce();
});

it.each(["activating", "activated", "redundant"] as const)(
  "reloads at once where the version is %s by now, as after a reload in another tab",
  (state) => {
    const { worker, postMessage } = makeWorker(state);
    applyUpdate(worker);
    expect([postMessage.mock.calls, reload.mock.calls.length]).toEqual([[], 1]);
  },
);
