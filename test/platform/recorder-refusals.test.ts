import vm from "node:vm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startSandbox } from "../sandbox-server.ts";

let server: Awaited<ReturnType<typeof startSandbox>>;
let script: string;
beforeAll(async () => {
  server = await startSandbox();
  script = await (await fetch(`${server.url}/sandbox/recording/tag/web1`)).text();
});
afterAll(() => server.stop());

type Recorder = (...call: unknown[]) => void;

/** The recorder on a page that has made these calls before its script came. */
function load(waiting: unknown[][] = []): { clarity: Recorder; calls: () => unknown[][] } {
  const window: { clarity?: Recorder & { q?: unknown[][] }; sandboxRecording?: unknown[][] } = {
    clarity: Object.assign(() => undefined, { q: waiting }),
  };
  vm.runInNewContext(script, {
    window,
    URL,
    document: { currentScript: { src: `${server.url}/sandbox/recording/tag/web1` }, cookie: "" },
    fetch: async () => new Response(),
    addEventListener: () => undefined,
  });
  const { clarity } = window;
  if (!clarity) throw new Error("the recorder did not load");
  return { clarity, calls: () => window.sandboxRecording ?? [] };
}

it("the recorder takes what waited for it, and throws for a command that it doesn't know", () => {
  const { clarity, calls } = load([["identify", "+15550100141"]]);
  expect(calls()).toEqual([["identify", "+15550100141"]]);
  expect(() => clarity("forget")).toThrow("forget is not a function");
});

it.each([
  ["an identity that is no text", ["identify", 7]],
  ["an identity that is empty", ["identify", ""]],
  ["a variable without a value", ["set", "tag"]],
  ["a variable that is too long", ["set", "tag", "x".repeat(255)]],
  ["a consent in other words", ["consentv2", { ad_Storage: "no", analytics_Storage: "granted" }]],
])("the recorder drops %s", (_what, call) => {
  const { clarity, calls } = load();
  clarity(...call);
  expect(calls()).toEqual([[`dropped ${String(call[0])}`, ...call.slice(1)]]);
});

it("the recorder drops what comes after its stop", () => {
  const { clarity, calls } = load();
  clarity("stop");
  clarity("set", "tag", "jornada");
  expect(calls()).toEqual([["stop"], ["dropped set", "tag", "jornada"]]);
});
