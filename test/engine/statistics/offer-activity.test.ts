import { describe, expect, it } from "vitest";
import { trackOfferActivity } from "../../../durable/engine/statistics/city-shares.ts";
import type { OfferActivity } from "../../../durable/engine/state/types.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { NOON } from "../fixtures.ts";

const known: OfferActivity = { lastNewAt: NOON, meanGapMs: MINUTE_MS, suspectedAt: null };

/** The activity after a poll, a second after the poll before it unless said otherwise. */
function poll(
  activity: OfferActivity,
  afterMs: number,
  { listed = 0, unseen = 0, pauseMs = 1000 }: { listed?: number; unseen?: number; pauseMs?: number | null },
): OfferActivity {
  const now = NOON + afterMs;
  const answeredAt = pauseMs === null ? null : now - pauseMs;
  return trackOfferActivity(activity, { now, answeredAt, listed, unseen });
}

describe("the usual gap between new offers", () => {
  const found = { listed: 1, unseen: 1 };

  it("is not known from the first offer, or from one after a start", () => {
    const first = { lastNewAt: NOON + MINUTE_MS, meanGapMs: null, suspectedAt: null };
    expect(poll({ ...known, lastNewAt: null, meanGapMs: null }, MINUTE_MS, found)).toEqual(first);
    expect(poll({ ...known, meanGapMs: null }, MINUTE_MS, { ...found, pauseMs: null })).toEqual(first);
  });

  it("is the first gap, and then moves a tenth of the way to each next one", () => {
    expect(poll({ ...known, meanGapMs: null }, MINUTE_MS, found).meanGapMs).toBe(60_000);
    expect(poll(known, 2 * MINUTE_MS, found)).toEqual({
      lastNewAt: NOON + 2 * MINUTE_MS,
      meanGapMs: 66_000,
      suspectedAt: null,
    });
  });

  it("leaves out a gap in which no poll was answered for more than five minutes", () => {
    const pauseMs = 5 * MINUTE_MS;
    expect(poll(known, 11 * MINUTE_MS, { ...found, pauseMs }).meanGapMs).toBe(120_000);
    expect(poll(known, 11 * MINUTE_MS, { ...found, pauseMs: pauseMs + 1 }).meanGapMs).toBe(60_000);
  });
});

describe("a soft block", () => {
  it.each([
    { meanGapMs: MINUTE_MS, silenceMs: 30 * MINUTE_MS },
    { meanGapMs: 2 * MINUTE_MS, silenceMs: 40 * MINUTE_MS },
  ])("is suspected after more than $silenceMs ms with a gap of $meanGapMs ms", ({ meanGapMs, silenceMs }) => {
    const activity = { ...known, meanGapMs };
    expect(poll(activity, silenceMs, {})).toBe(activity);
    expect(poll(activity, silenceMs + 1, {})).toEqual({ ...activity, suspectedAt: NOON + silenceMs + 1 });
  });

  it("is suspected once, and never before a gap is known", () => {
    const suspected = { ...known, suspectedAt: NOON + 31 * MINUTE_MS };
    expect(poll(suspected, 90 * MINUTE_MS, {})).toBe(suspected);
    const unknown = { ...known, meanGapMs: null };
    expect(poll(unknown, 90 * MINUTE_MS, {})).toBe(unknown);
  });

  it("is over as soon as anything is listed, old or new", () => {
    const suspected = { ...known, suspectedAt: NOON + MINUTE_MS };
    expect(poll(suspected, 2 * MINUTE_MS, { listed: 1 })).toEqual(known);
    expect(poll(suspected, 2 * MINUTE_MS, { listed: 1, unseen: 1 }).suspectedAt).toBeNull();
    expect(poll(known, 40 * MINUTE_MS, { listed: 1 })).toBe(known);
  });

  it("is timed anew after a pause, and stays suspected unless something is listed", () => {
    const suspected = { ...known, suspectedAt: NOON + MINUTE_MS };
    const after = { ...suspected, lastNewAt: NOON + 60 * MINUTE_MS };
    const pauseMs = 6 * MINUTE_MS;
    expect(poll(suspected, 60 * MINUTE_MS, { pauseMs })).toEqual(after);
    expect(poll(suspected, 60 * MINUTE_MS, { pauseMs, listed: 1 })).toEqual({ ...after, suspectedAt: null });
  });
});
