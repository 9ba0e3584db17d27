import { afterEach, expect, it, vi } from "vitest";
import { badgeCapture, clearBadgeWhenSeen } from "../../../web/api/device/app-badge.ts";

afterEach(() => void vi.unstubAllGlobals());

it("counts captures on the app's icon while nobody looks, and begins anew once somebody has", () => {
  const page = Object.assign(new EventTarget(), { visibilityState: "hidden" });
  const shown: (number | null)[] = [];
  vi.stubGlobal("document", page);
  vi.stubGlobal("navigator", {
    setAppBadge: async (count: number) => void shown.push(count),
    clearAppBadge: async () => void shown.push(null),
  });
  const look = (visibilityState: string) => {
    page.visibilityState = visibilityState;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  clearBadgeWhenSeen();
  badgeCapture();
  badgeCapture();
  look("visible");
  badgeCapture();
  look("hidden");
  badgeCapture();
  expect(shown).toEqual([1, 2, null, 1]);
});
