import { beforeAll, describe, expect, it } from "vitest";
import type { SharedState } from "../../../db/shapes/city-health.ts";
import type { Phase } from "../../../db/shapes/work/phase.ts";
import type { CityHealthNow } from "../../../worker/contract/platform-health.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { asksForOthers } from "../../../web/features/health/others-room.tsx";
import { othersMessage } from "../../../web/features/health/others-notice.tsx";

beforeAll(() => changeLocale("en"));

const NOW = Date.parse("2026-11-24T23:30:00Z");
const reading = { timeZone: "America/New_York", now: NOW };
const city = (change: Partial<CityHealthNow> = {}): CityHealthNow => ({
  city: "New York",
  timeZone: "America/New_York",
  state: "working",
  since: NOW - 18 * 60_000,
  isOurs: false,
  shared: [],
  days: [],
  ...change,
});
const down = city({ state: "down", shared: ["unreachable"] });
const unreachable: Phase = { kind: "unreachable", retryAt: NOW };
const throttled: Phase = { kind: "throttled", until: NOW };
const say = (phase: Phase, of: CityHealthNow | null) => {
  const message = othersMessage(phase, of, reading);
  return (
    message &&
    [message.title, message.text, message.advice].filter(Boolean).join(" | ").replaceAll(/\s/g, " ")
  );
};

describe("is it me or everyone", () => {
  it("says so where everybody is without answers, with nothing to do", () => {
    expect(say(unreachable, down)).toBe(
      "Not just you | The platform hasn't been answering drivers in New York since 6:12 PM. | You don't need to do anything. We'll pick up as soon as it's over.",
    );
  });

  it.each<[string, Phase, RegExp]>([
    [
      "no answers",
      unreachable,
      /^Only your account \| Other drivers in New York are getting answers\. \| If it lasts/,
    ],
    ["a wait", throttled, /^Only your account \| .* Another app or device/],
    ["a quota", { kind: "quota_used_up", until: NOW }, /^Only your account \| .* Another app or device/],
    ["a weekly limit", { kind: "weekly_limit", until: NOW }, /^Only your account \| .* yours alone/],
    ["a link that ended", { kind: "needs_link" }, /^Only your account \| .* Do the step above/],
    ["a selfie", { kind: "verification_required", url: null }, /^Only your account \| .* Do the step above/],
    ["a phase of a later release", { kind: "other" }, /^Only your account \| .* contact us/],
    [
      "nothing, while off",
      { kind: "off" },
      /^The platform is working \| Other drivers in New York are getting answers\.$/,
    ],
  ])("says that it is the driver's own where others have answers: %s", (_case, phase, expected) => {
    expect(say(phase, city())).toMatch(expected);
  });

  it.each<[string, Phase, CityHealthNow, RegExp]>([
    [
      "slow",
      throttled,
      city({ state: "slow", shared: ["throttled"] }),
      /Not just you \| The platform has made many drivers/,
    ],
    ["our own outage", unreachable, city({ state: "down", isOurs: true }), /Not just you \| Our own systems/],
    [
      "quotas",
      { kind: "quota_used_up", until: NOW },
      city({ shared: ["quota_used_up"] }),
      /Most drivers .* checks/,
    ],
    [
      "links",
      { kind: "needs_link" },
      city({ state: "down", shared: ["signed_out"] }),
      /signed out most .* step above anyway/,
    ],
    [
      "selfies",
      { kind: "verification_required", url: null },
      city({ state: "slow", shared: ["verification_required"] }),
      /verify it's them/,
    ],
    ["off", { kind: "off" }, down, /hasn't been answering drivers in New York/],
    ["no days", { kind: "no_service", waitingForSpot: false }, down, /hasn't been answering/],
  ])("says what others have, too: %s", (_case, phase, of, expected) => {
    expect(say(phase, of)).toMatch(expected);
  });

  it("does not blame the platform's trouble for the driver's own weekly limit or link", () => {
    expect(say({ kind: "weekly_limit", until: NOW }, down)).toMatch(/^Only your account/);
  });

  it("says nothing where nobody can tell", () => {
    expect([say(unreachable, null), say(unreachable, city({ state: "unknown" }))]).toEqual([null, null]);
  });

  const MINE = "Only your account";
  const ALL = "Not just you";
  const WORKS = "The platform is working";
  type Said = [working: string, down: string, sharedByMost: string];
  /** Each kind, and the titles; null where nothing failed: a new kind does not compile without its line. */
  const PHASES: { [Kind in Phase["kind"]]: [phase: Extract<Phase, { kind: Kind }>, said: Said | null] } = {
    off: [{ kind: "off" }, [WORKS, ALL, WORKS]],
    throttled: [{ kind: "throttled", until: NOW }, [MINE, ALL, ALL]],
    quota_used_up: [{ kind: "quota_used_up", until: NOW }, [MINE, MINE, ALL]],
    weekly_limit: [{ kind: "weekly_limit", until: NOW }, [MINE, MINE, MINE]],
    unreachable: [{ kind: "unreachable", retryAt: NOW }, [MINE, ALL, ALL]],
    unreadable: [{ kind: "unreadable", since: NOW }, [MINE, ALL, ALL]],
    blocks_unreadable: [{ kind: "blocks_unreadable", since: NOW, isCapturing: true }, [MINE, ALL, ALL]],
    needs_link: [{ kind: "needs_link" }, [MINE, MINE, ALL]],
    verification_required: [{ kind: "verification_required", url: null }, [MINE, MINE, ALL]],
    no_service: [{ kind: "no_service", waitingForSpot: false }, [WORKS, ALL, WORKS]],
    other: [{ kind: "other" }, [MINE, ALL, MINE]],
    polling: [{ kind: "polling" }, null],
    asleep: [{ kind: "asleep", until: NOW }, null],
    limit_reached: [{ kind: "limit_reached", limit: "day", until: NOW, day: null }, null],
  };
  it.each(Object.values(PHASES))("says in %o whether others have it, too", (phase: Phase, expected) => {
    const { kind } = phase;
    expect(asksForOthers(phase)).toBe(expected !== null);
    if (expected === null) return;
    const kinds: Partial<Record<Phase["kind"], SharedState>> = {
      throttled: "throttled",
      quota_used_up: "quota_used_up",
      unreachable: "unreachable",
      unreadable: "unreadable",
      blocks_unreadable: "blocks_unreadable",
      needs_link: "signed_out",
      verification_required: "verification_required",
    };
    const own = kinds[kind];
    const shared = own
      ? city({ state: own === "quota_used_up" ? "working" : "slow", shared: [own] })
      : city();
    const titles = [city(), city({ state: "down" }), shared].map(
      (of) => othersMessage(phase, of, reading)?.title,
    );
    expect(titles).toEqual(expected);
  });
});
