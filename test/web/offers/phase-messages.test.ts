import { expect, it } from "vitest";
import type { Phase } from "../../../db/shapes/work/phase.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { localDate } from "../../../db/shapes/work/local-date.ts";
import { mayBeCapturing, offlineText } from "../../../web/features/errors/stale-notice.tsx";
import { lightOf, phaseMessage, retryAtOf } from "../../../web/features/dashboard/phase-messages.ts";

const NOW = Date.parse("2026-11-22T16:00:00Z");
const LATER = NOW + HOUR_MS;

it.each([
  [{ kind: "polling" }, "answering", "Looking for blocks", null],
  [{ kind: "throttled", until: LATER }, "waiting", "Waiting until 5:00 PM", LATER],
  [{ kind: "quota_used_up", until: LATER }, "waiting", "Waiting until 5:00 PM", LATER],
  [{ kind: "unreachable", retryAt: LATER }, "waiting", "The platform isn't answering", LATER],
  [{ kind: "weekly_limit", until: LATER }, "waiting", "Weekly limit reached", null],
  [{ kind: "no_service", waitingForSpot: true }, "waiting", "No spot in your city", null],
  [{ kind: "no_service", waitingForSpot: false }, "action_required", "No days of service", null],
  [{ kind: "needs_link" }, "action_required", "Action needed: link again", null],
  [{ kind: "verification_required", url: null }, "action_required", "Action needed: verify it's you", null],
  [{ kind: "asleep", until: null }, "action_required", "Your schedule is empty", null],
  [{ kind: "asleep", until: LATER }, "asleep", "Asleep until 5:00 PM", null],
  [{ kind: "off" }, "off", "Off", null],
] satisfies [Phase, string, string, number | null][])(
  "has one look for %o: %s",
  (phase, light, title, retryAt) => {
    const message = phaseMessage(phase, { timeZone: "UTC", now: NOW });
    expect({ light: message.light, title: message.title.replaceAll(/\s/gu, " ") }).toEqual({
      light,
      title,
    });
    expect(retryAtOf(phase)).toBe(retryAt);
  },
);

it("names the day on which a limit has room again by its weekday, and by its date a week ahead", () => {
  const title = (day: string) =>
    phaseMessage(
      { kind: "limit_reached", limit: "day", until: LATER, day: localDate.parse(day) },
      { timeZone: "UTC", now: NOW },
    ).title;
  expect(["2026-11-23", "2026-11-28", "2026-11-29"].map(title)).toEqual([
    "Day full, looking again for Monday",
    "Day full, looking again for Saturday",
    "Day full, looking again for Sun, Nov 29",
  ]);
});

it("shines only once the platform has answered", () => {
  const reading = { timeZone: "UTC", now: NOW };
  const looking = phaseMessage({ kind: "polling" }, reading);
  expect([lightOf(looking, null), lightOf(looking, NOW)]).toEqual(["starting", "answering"]);
  expect(lightOf(phaseMessage({ kind: "unreachable", retryAt: LATER }, reading), null)).toBe("waiting");
});

it("leads to the platform's own app where the platform gave no page for a verification", () => {
  const detail = (url: string | null) =>
    phaseMessage({ kind: "verification_required", url }, { timeZone: "UTC", now: NOW }).detail;
  expect(detail(null)).toMatch(/^Open the platform's own app/u);
  expect(detail("https://platform.test/selfie")).toMatch(/^The platform needs/u);
});

it.each([
  [{ kind: "polling" }, true],
  [{ kind: "asleep", until: LATER }, true],
  [{ kind: "throttled", until: LATER }, true],
  [{ kind: "off" }, false],
  [{ kind: "needs_link" }, false],
  [{ kind: "verification_required", url: null }, false],
  [{ kind: "no_service", waitingForSpot: false }, false],
] satisfies [Phase, boolean][])(
  "promises a driver who is offline captures where there may be some: %o",
  (phase, goesOn) => {
    const isCapturing = mayBeCapturing({ phase, isLinked: true }, NOW);
    expect(offlineText("3:40 PM", isCapturing)).toBe(
      `You're offline. What you see is from 3:40 PM.${goesOn ? " If you're on, we're still capturing." : ""}`,
    );
  },
);

it("promises nothing where nothing is known of the driver's system", () => {
  expect(mayBeCapturing(null, NOW)).toBe(false);
});
