import { describe, expect, it } from "vitest";
import { emptyCityCounts, type CityCounts } from "../../../db/shapes/city-counts.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { findCause, findSilence, type CityHour } from "../../../worker/console/silence.ts";

const NOW = Date.parse("2026-11-23T18:40:00Z");
const RUNNING = Math.floor(NOW / HOUR_MS);
const minutesAgo = (minutes: number) => NOW - minutes * MINUTE_MS;

const usual: CityCounts = {
  ...emptyCityCounts(),
  lookedSeconds: 10 * 3_600,
  offers: 400,
  matches: 60,
  captures: 40,
  losses: 15,
  answered: 10_000,
};

/** Six hours of a city with ten drivers, each with four usual weeks before it. */
function city(
  change: (hour: number) => Partial<CityCounts> = () => ({}),
  { past = () => usual }: { past?: (week: number) => CityCounts | null } = {},
): CityHour[] {
  return Array.from({ length: 6 }, (_, index) => {
    const hour = RUNNING - 5 + index;
    const share = hour === RUNNING ? 40 / 60 : 1;
    const counts = Object.fromEntries(
      Object.entries(usual).map(([field, count]) => [field, Math.round(count * share)]),
    ) as CityCounts;
    const until = Math.min(NOW, (hour + 1) * HOUR_MS) - 1_000;
    const instants = { callAt: until, offerAt: until, matchAt: until, captureAt: until, lossAt: until };
    return {
      hour,
      now: { ...counts, ...instants, ...change(hour) },
      past: Array.from({ length: 4 }, (_week, week) => past(week)),
    };
  });
}

/** The running hour's counts where nothing was captured since an instant an hour ago. */
const without = (change: Partial<CityCounts>) => (hour: number) => {
  const since = minutesAgo(65);
  if (hour < RUNNING) {
    const instants = hour === RUNNING - 1 ? { captureAt: since, ...change } : {};
    return { ...instants, ...(hour === RUNNING - 1 ? { offers: usual.offers } : {}) };
  }
  return { captures: 0, captureAt: 0, ...change };
};

describe("a city's offers and captures", () => {
  it("are no silence where they come as usual, or as little as chance allows", () => {
    expect(findSilence(city(), NOW)).toBeNull();
    const slow = (hour: number) => (hour === RUNNING ? { offers: 8, offerAt: minutesAgo(20) } : {});
    expect(findSilence(city(slow), NOW)).toBeNull();
  });

  it("are silent where no driver saw an offer while each would have seen eight or more", () => {
    const since = minutesAgo(30);
    const none = (hour: number) => ({ ...(hour === RUNNING ? { offers: 100 } : {}), offerAt: since });
    expect(findSilence(city(none), NOW)).toEqual({
      what: "offers",
      since,
      expected: 9,
      cause: "nothing_published",
    });
  });

  it("are silent where captures ceased that every last week had", () => {
    const since = minutesAgo(65);
    const silence = findSilence(city(without({ captures: 0, captureAt: since })), NOW);
    expect(silence).toMatchObject({ what: "captures", since, cause: "others_faster" });
    expect(silence?.expected).toBeGreaterThan(30);
  });

  it("are compared with the least of the last weeks, of which two must be known", () => {
    const none = () => ({ offerAt: minutesAgo(240) });
    expect(findSilence(city(none), NOW)).not.toBeNull();
    const oneQuiet = { past: (week: number) => (week === 2 ? { ...usual, offers: 2 } : usual) };
    expect(findSilence(city(none, oneQuiet), NOW)).toBeNull();
    expect(findSilence(city(none, { past: (week) => (week === 0 ? usual : null) }), NOW)).toBeNull();
    expect(findSilence(city(none, { past: (week) => (week < 2 ? usual : null) }), NOW)).not.toBeNull();
  });

  it("are no silence where nobody looks", () => {
    const gone = { callAt: minutesAgo(31), offerAt: minutesAgo(180), captureAt: minutesAgo(180) };
    expect(
      findSilence(
        city(() => gone),
        NOW,
      ),
    ).toBeNull();
  });

  it("are no silence in a city whose only driver turned on a moment ago, or was off in between", () => {
    const one = { lookedSeconds: 20 * 60, offerAt: 0, captureAt: 0, callAt: minutesAgo(1) };
    const gone = { ...emptyCityCounts() };
    expect(
      findSilence(
        city((hour) => (hour === RUNNING ? one : gone)),
        NOW,
      ),
    ).toBeNull();
    const broken = (hour: number) => ({
      offerAt: minutesAgo(90),
      ...(hour === RUNNING ? { lookedSeconds: 600 } : {}),
    });
    expect(findSilence(city(broken), NOW)).toBeNull();
  });

  it("are silent without past weeks where the drivers' objects suspect soft blocks", () => {
    const suspected = (hour: number) => (hour === RUNNING ? { softBlocks: 6 } : {});
    const unknown = { past: () => null };
    expect(findSilence(city(suspected, unknown), NOW)).toMatchObject({ what: "offers", cause: "refused" });
    expect(
      findSilence(
        city((hour) => (hour === RUNNING ? { softBlocks: 2 } : {}), unknown),
        NOW,
      ),
    ).toBeNull();
  });

  it("are silent by suspicions where nobody sees an offer, as long as no past week says that few are usual", () => {
    const offerAt = minutesAgo(100);
    const suspected = (hour: number) => ({ offerAt, ...(hour === RUNNING ? { softBlocks: 6 } : {}) });
    const few = (offers: number) => ({ ...usual, offers });
    const quiet = few(2);
    const of = (past: (week: number) => CityCounts | null) => findSilence(city(suspected, { past }), NOW);
    expect(of(() => null)).toEqual({ what: "offers", since: offerAt, expected: 0, cause: "suspected" });
    expect(of((week) => (week === 0 ? quiet : null))).toMatchObject({ cause: "suspected" });
    expect(of((week) => (week < 2 ? quiet : null))).toBeNull();
    expect(of(() => few(20))).toMatchObject({ cause: "suspected" });
  });
});

describe("why captures fell to zero in a city an hour ago", () => {
  const since = minutesAgo(65);
  const early = { offerAt: since, matchAt: since, lossAt: since };
  it.each([
    ["nothing was published", "nothing_published", { ...early, offers: 0 }],
    ["hardly anything was published", "nothing_published", { offers: 3, matchAt: since, lossAt: since }],
    ["the filters match nothing", "no_match", { matches: 0, matchAt: since, lossAt: since }],
    ["others were faster", "others_faster", {}],
    ["the platform refused us", "refused", { refused: 30_000 }],
    ["calls fail", "refused", { failed: 30_000 }],
    ["the platform hides its offers from some of us", "refused", { softBlocks: 7 }],
    ["nobody tried what was wanted", "unknown", { losses: 0, lossAt: since }],
    ["nobody's system looked", "nobody_looked", { callAt: minutesAgo(45) }],
  ] as const)("is answered: %s", (_words, cause, change) => {
    const hours = city((hour) => (hour < RUNNING - 1 ? { ...early, callAt: since } : change));
    expect(findCause(hours, { since, now: NOW })).toBe(cause);
  });
});
