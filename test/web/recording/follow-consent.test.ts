import { afterEach, expect, it, vi } from "vitest";
import { sessionStore } from "../../../web/api/session/session.ts";
import { followConsent } from "../../../web/features/recording/session-recording.tsx";

afterEach(() => {
  sessionStore.setState(() => undefined);
  vi.unstubAllGlobals();
});

const RECORDING = { scriptUrl: "https://recorder.test/tag", tag: null };
const { signal } = new AbortController();

it("records only by the answer that counts, masked, and stops for good when the driver says no", async () => {
  const page: { clarity?: { q: unknown[][] } } = {};
  const dataset: Record<string, string> = {};
  const append = vi.fn();
  const createElement = () => new EventTarget();
  vi.stubGlobal("window", page);
  vi.stubGlobal("document", { body: { dataset }, head: { append }, createElement, cookie: "" });
  // Another answer has replaced it while the code was on its way.
  await followConsent(RECORDING, { phoneNumber: "+15550100144", signal: AbortSignal.abort() });
  await followConsent(RECORDING, { phoneNumber: null, signal });
  expect([page.clarity, dataset, append.mock.calls]).toEqual([undefined, {}, []]);

  await followConsent(RECORDING, { phoneNumber: "+15550100144", signal });
  await followConsent(RECORDING, { phoneNumber: "+15550100144", signal });
  expect(dataset).toEqual({ clarityMask: "true" });
  expect(append.mock.calls).toEqual([[expect.objectContaining({ src: RECORDING.scriptUrl, async: true })]]);
  const started = [
    ["consentv2", { ad_Storage: "denied", analytics_Storage: "granted" }],
    ["identify", "+15550100144"],
  ];
  expect(page.clarity?.q).toEqual(started);

  await followConsent(RECORDING, { phoneNumber: null, signal });
  await followConsent(RECORDING, { phoneNumber: "+15550100144", signal });
  expect(page.clarity?.q).toEqual([
    ...started,
    ["consentv2", { ad_Storage: "denied", analytics_Storage: "denied" }],
    ["stop"],
  ]);
  expect(append).toHaveBeenCalledOnce();
});
