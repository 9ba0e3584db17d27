import type { Snapshot } from "../../db/shapes/work/live.ts";
import type { Phase } from "../../db/shapes/work/phase.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";

/** `restarted`: the driver's object has lost what it held in memory, and has not heard from the platform since. */
export const LINKS = ["online", "offline", "restarted"] as const;
export type Link = (typeof LINKS)[number];

export const SCREENS = [
  "/flex/dashboard",
  "/flex/checks",
  "/flex/hours",
  "/flex/week",
  "/flex/blocks?type=upcoming",
  "/flex/payments",
  "/flex/profile",
  "/flex/login",
  "/arrived",
] as const;
export type ScreenPath = (typeof SCREENS)[number];

/** The words of screens for the platform. */
export type Platform = "answers" | "waits" | "silent" | "unread" | "full" | "asked" | "not asked";

/** Each answer is a person's, from the meaning of the phase, and not from the product's code. */
type Truth = {
  /** `now`: it is looking. `later`: it will go on by itself. `no`: not before the driver, or a spot, allows it. */
  looking: "now" | "later" | "no";
  checkIn: "possible" | "link" | "verify" | "wait";
  linked: boolean;
  hasDays: boolean;
  /** `paused`: the driver's days don't run. */
  isPaused?: boolean;
  /** The one thing that the driver has to do; null if nothing. */
  needs: "link" | "verify" | "pay" | "schedule" | "limits" | null;
  light: "answering" | "waiting" | "action_required" | "asleep" | "off";
};

type Case = Truth & { phase: (now: number) => Phase; isOn?: boolean };

const CALM = { checkIn: "possible", linked: true, hasDays: true, needs: null } as const;

const tomorrow = (now: number) => new Date(now + DAY_MS).toISOString().slice(0, 10);

/** The phases, some in two forms that ask different things of the driver. */
export const CASES = {
  off: { ...CALM, light: "off", looking: "no", isOn: false, phase: () => ({ kind: "off" }) },
  off_unlinked: {
    ...CALM,
    light: "off",
    looking: "no",
    checkIn: "link",
    linked: false,
    needs: "link",
    isOn: false,
    phase: () => ({ kind: "off" }),
  },
  asleep: {
    ...CALM,
    light: "asleep",
    looking: "later",
    phase: (now) => ({ kind: "asleep", until: now + 5 * HOUR_MS }),
  },
  asleep_open: {
    ...CALM,
    light: "action_required",
    looking: "no",
    needs: "schedule",
    phase: () => ({ kind: "asleep", until: null }),
  },
  paused: {
    ...CALM,
    light: "asleep",
    looking: "later",
    isPaused: true,
    phase: (now) => ({ kind: "asleep", until: now + PAUSE_MS }),
  },
  polling: { ...CALM, light: "answering", looking: "now", phase: () => ({ kind: "polling" }) },
  throttled: {
    ...CALM,
    light: "waiting",
    looking: "later",
    checkIn: "wait",
    phase: (now) => ({ kind: "throttled", until: now + 40 * MINUTE_MS }),
  },
  quota_used_up: {
    ...CALM,
    light: "waiting",
    looking: "later",
    phase: (now) => ({ kind: "quota_used_up", until: now + 40 * MINUTE_MS }),
  },
  weekly_limit: {
    ...CALM,
    light: "waiting",
    looking: "later",
    phase: (now) => ({ kind: "weekly_limit", until: now + 5 * HOUR_MS }),
  },
  limit_reached: {
    ...CALM,
    light: "asleep",
    looking: "later",
    phase: (now) => ({ kind: "limit_reached", limit: "day", until: now + 5 * HOUR_MS, day: tomorrow(now) }),
  },
  limit_reached_open: {
    ...CALM,
    light: "action_required",
    looking: "no",
    needs: "limits",
    phase: () => ({ kind: "limit_reached", limit: "week", until: null, day: null }),
  },
  unreachable: {
    ...CALM,
    light: "waiting",
    looking: "later",
    phase: (now) => ({ kind: "unreachable", retryAt: now + 50_000 }),
  },
  unreadable: {
    ...CALM,
    light: "waiting",
    looking: "later",
    phase: (now) => ({ kind: "unreadable", since: now - 20 * MINUTE_MS }),
  },
  blocks_unreadable: {
    ...CALM,
    light: "waiting",
    looking: "now",
    phase: (now) => ({ kind: "blocks_unreadable", since: now - 20 * MINUTE_MS, isCapturing: true }),
  },
  blocks_unreadable_secure: {
    ...CALM,
    light: "waiting",
    looking: "later",
    phase: (now) => ({ kind: "blocks_unreadable", since: now - 20 * MINUTE_MS, isCapturing: false }),
  },
  needs_link: {
    ...CALM,
    light: "action_required",
    looking: "no",
    checkIn: "link",
    linked: false,
    needs: "link",
    phase: () => ({ kind: "needs_link" }),
  },
  verification_required: {
    ...CALM,
    light: "action_required",
    looking: "no",
    checkIn: "verify",
    needs: "verify",
    phase: () => ({ kind: "verification_required", url: "https://platform.example/selfie" }),
  },
  no_service: {
    ...CALM,
    light: "action_required",
    looking: "no",
    hasDays: false,
    needs: "pay",
    phase: () => ({ kind: "no_service", waitingForSpot: false }),
  },
  no_spot: {
    ...CALM,
    light: "waiting",
    looking: "no",
    hasDays: false,
    phase: () => ({ kind: "no_service", waitingForSpot: true }),
  },
} as const satisfies Record<string, Case>;
export type CaseName = keyof typeof CASES;

/** One screen in one state. */
export type Cell = { name: CaseName; link: Link; screen: ScreenPath };

export function allCells(): Cell[] {
  const names = Object.keys(CASES) as CaseName[];
  return names.flatMap((name) => LINKS.flatMap((link) => SCREENS.map((screen) => ({ name, link, screen }))));
}

export function nameOf({ name, link, screen }: Cell): string {
  return `${name}, ${link}, ${screen}`;
}

/** The driver's time left, where there is service, and how long a pause of it lasts. */
export const DAYS_LEFT = 9;
export const PAUSE_MS = 2 * DAY_MS;

/** When the object heard from the platform last, as far as it knows; null if it doesn't. */
export function heardAtIn({ name, link }: Cell, now: number): number | null {
  if (name === "off" || name === "off_unlinked" || link === "restarted") return null;
  return now - (CASES[name].looking === "now" ? 1_000 : 25 * MINUTE_MS);
}

/** The end of the service of a driver who has some: a pause delays it. */
export function serviceUntilIn({ name }: Cell, now: number): number {
  const { hasDays, isPaused = false }: Case = CASES[name];
  if (!hasDays) return now - HOUR_MS;
  return now + DAYS_LEFT * DAY_MS + MINUTE_MS + (isPaused ? PAUSE_MS : 0);
}

/** The object's snapshot in a state. `real` is one of a driver who is on. */
export function snapshotIn(real: Snapshot, cell: Cell, now: number): Snapshot {
  const { phase, linked, isPaused, ...rest }: Case = CASES[cell.name];
  return {
    ...real,
    at: now,
    phase: phase(now),
    isLinked: linked,
    switchedOn: rest.isOn ?? true,
    serviceUntil: serviceUntilIn(cell, now),
    pausedUntil: isPaused ? now + PAUSE_MS : null,
    lastPollAt: heardAtIn(cell, now),
  };
}
