import { expect, it } from "vitest";
import type { Phase } from "../../db/shapes/phase.ts";
import { HOUR_MS } from "../../db/shapes/units.ts";
import { phaseMessage, retryAtOf } from "../../web/features/dashboard/phase-messages.ts";

const NOW = Date.parse("2026-11-22T16:00:00Z");
const LATER = NOW + HOUR_MS;

it.each([
  [{ kind: "polling" }, "answering", "Looking for blocks", null],
  [{ kind: "throttled", until: LATER }, "waiting", "Waiting until 5:00 PM", LATER],
  [{ kind: "quota_used_up", until: LATER }, "waiting", "Waiting until 5:00 PM", LATER],
  [{ kind: "unreachable", retryAt: LATER }, "waiting", "The platform isn't answering", LATER],
  [{ kind: "weekly_limit", until: LATER }, "waiting", "Weekly limit reached", null],
  [{ kind: "no_service", waitingForSpot: true }, "waiting", "No spot in your city yet", null],
  [{ kind: "no_service", waitingForSpot: false }, "action_required", "No days of service left", null],
  [{ kind: "needs_link" }, "action_required", "Action needed: link again", null],
  [{ kind: "verification_required", url: null }, "action_required", "Action needed: verify it's you", null],
  [{ kind: "asleep", until: null }, "action_required", "Asleep: your schedule is empty", null],
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
