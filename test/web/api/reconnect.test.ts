import { afterEach, expect, it, vi } from "vitest";
import { atOwnPace, fullJitter } from "../../../web/api/client/full-jitter.ts";
import { queryClient } from "../../../web/api/client/query-client.ts";
import { NO_TRIES, nextTry, noteOpened, waitOnline, type Tries } from "../../../web/api/live/reconnect.ts";
import { seededRolls } from "../../support/seeded-rolls.ts";

const DASHBOARDS = 10_000;
const SECOND_MS = 1_000;
const HOUR_AGO = -3_600_000;
const WAS_OPEN = noteOpened(NO_TRIES, HOUR_AGO);

afterEach(() => void vi.restoreAllMocks());

type Herd = {
  /** The code that all sockets are closed with at once. */
  code: number;
  /** For how long nothing answers. */
  downMs: number;
  /** How many the server lets in each second; it fails the others. */
  perSecond: number;
};

/** All dashboards lose their socket at 0. @returns the tries of each second, and when the last of them was back */
function afterLoss({ code, downMs, perSecond }: Herd): { tries: number[]; lastMs: number } {
  const roll = seededRolls(7);
  const tries: number[] = [];
  const admitted: number[] = [];
  let waiting: { at: number; known: Tries }[] = Array.from({ length: DASHBOARDS }, () => {
    const first = nextTry(WAS_OPEN, { code, now: 0, roll: roll() });
    return { at: first.waitMs, known: first.tries };
  });
  let lastMs = 0;
  for (let second = 0; waiting.length > 0; second += 1) {
    const end = (second + 1) * SECOND_MS;
    const later = waiting.filter(({ at }) => at >= end);
    for (const { at, known } of waiting.filter((page) => page.at < end)) {
      tries[second] = (tries[second] ?? 0) + 1;
      if (at >= downMs && (admitted[second] ?? 0) < perSecond) {
        admitted[second] = (admitted[second] ?? 0) + 1;
        lastMs = Math.max(lastMs, at);
        continue;
      }
      const next = nextTry(known, { code: null, now: at, roll: roll() });
      later.push({ at: Math.max(end, at + next.waitMs), known: next.tries });
    }
    waiting = later;
  }
  return { tries, lastMs };
}

it.each<[string, Herd, { share: number; withinMs: number }]>([
  [
    "a deploy that says so",
    { code: 1012, downMs: 0, perSecond: DASHBOARDS },
    { share: 0.06, withinMs: 20_000 },
  ],
  [
    "a server that goes away",
    { code: 1001, downMs: 0, perSecond: DASHBOARDS },
    { share: 0.06, withinMs: 20_000 },
  ],
  [
    "a connection that broke",
    { code: 1006, downMs: 0, perSecond: DASHBOARDS },
    { share: 0.11, withinMs: 10_000 },
  ],
  [
    "half a minute without a server",
    { code: 1006, downMs: 30_000, perSecond: DASHBOARDS },
    { share: 0.16, withinMs: 65_000 },
  ],
  [
    "a server that bears 400 a second",
    { code: 1006, downMs: 0, perSecond: 400 },
    { share: 0.14, withinMs: 90_000 },
  ],
])(
  "after %s no second has more than its share of ten thousand dashboards",
  (_what, herd, { share, withinMs }) => {
    const { tries, lastMs } = afterLoss(herd);
    expect(Math.max(...Array.from(tries, (count) => count ?? 0))).toBeLessThanOrEqual(share * DASHBOARDS);
    expect(lastMs).toBeLessThanOrEqual(withinMs);
  },
);

it("begins anew only after a socket that stayed open, whatever it said in between", () => {
  const limit = (tries: Tries, now: number) => nextTry(tries, { code: 1006, now, roll: 1 });
  const first = limit(WAS_OPEN, 0);
  const second = limit(noteOpened(first.tries, 5_000), 34_999);
  const third = limit(noteOpened(second.tries, 40_000), 70_000);
  expect([first, second, third].map(({ waitMs }) => waitMs)).toEqual([10_000, 20_000, 10_000]);
});

it("waits no longer than half a minute, and a page that never had a socket tries again soon", () => {
  let tries = NO_TRIES;
  const waits = Array.from({ length: 7 }, () => {
    const next = nextTry(tries, { code: null, now: 0, roll: 1 });
    tries = next.tries;
    return next.waitMs;
  });
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

it("lets a region whose network is back come back within three seconds", () => {
  expect([waitOnline(0), waitOnline(0.5), waitOnline(1)]).toEqual([0, 1_500, 3_000]);
});

it("takes any wait up to a limit that doubles", () => {
  const wait = (failures: number, roll: number) =>
    fullJitter({ failures, baseMs: 1_000, capMs: 5_000 }, roll);
  expect([wait(0, 0), wait(0, 0.5), wait(2, 0.25), wait(3, 1), wait(60, 1)]).toEqual([
    0, 500, 1_000, 5_000, 5_000,
  ]);
});

it("spreads the repeated calls of a page by chance", () => {
  const { retryDelay } = queryClient.getDefaultOptions().queries ?? {};
  const random = vi.spyOn(Math, "random");
  const delays = [0, 0.5, 0.75].map((roll) => {
    random.mockReturnValue(roll);
    return typeof retryDelay === "function" ? retryDelay(1, new Error("network")) : retryDelay;
  });
  expect(delays).toEqual([0, 2_000, 3_000]);
});

it("keeps one pace on a page, near the stated one", () => {
  const paces = new Set(Array.from({ length: 5 }, () => atOwnPace(60_000)));
  expect(paces.size).toBe(1);
  for (const pace of paces) expect(Math.abs(pace - 60_000)).toBeLessThanOrEqual(6_000);
});
