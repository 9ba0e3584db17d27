import { afterEach, expect, it, vi } from "vitest";
import { followTime } from "../../../web/ui/use-now.ts";
import { NOON } from "../../engine/fixtures.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("follows the time while the page is seen, at once when it is seen again, and not after it is stopped", () => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date", "setInterval", "clearInterval"] });
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("document", page);
  const look = (visibilityState: string) => {
    page.visibilityState = visibilityState;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  const seen: number[] = [];
  const stop = followTime(1000, (now) => seen.push(now - NOON));
  vi.advanceTimersByTime(2500);
  look("hidden");
  vi.advanceTimersByTime(2000);
  look("visible");
  stop();
  vi.advanceTimersByTime(2000);
  look("visible");
  expect(seen).toEqual([1000, 2000, 4500]);
});
