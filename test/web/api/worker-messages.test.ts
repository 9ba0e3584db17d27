import { expect, it, vi } from "vitest";
import { onServiceWorkerMessage } from "../../../web/api/device/service-worker.ts";

it("tells the service worker that the page does as it was asked, and nothing of a message of another build", () => {
  vi.stubEnv("PROD", true);
  const serviceWorker = new EventTarget();
  vi.stubGlobal("navigator", { serviceWorker });
  const handler = vi.fn();
  onServiceWorkerMessage(handler);
  const send = (data: unknown) => {
    const postMessage = vi.fn();
    serviceWorker.dispatchEvent(Object.assign(new Event("message"), { data, ports: [{ postMessage }] }));
    return postMessage.mock.calls.length;
  };
  expect([send({ kind: "open", url: "/flex/blocks" }), send({ kind: "waved" })]).toEqual([1, 0]);
  // As an earlier service worker asks.
  const earlier = { data: { kind: "open", url: "/flex/week" }, ports: [] };
  serviceWorker.dispatchEvent(Object.assign(new Event("message"), earlier));
  expect(handler.mock.calls).toEqual([
    [{ kind: "open", url: "/flex/blocks" }],
    [{ kind: "open", url: "/flex/week" }],
  ]);
});
