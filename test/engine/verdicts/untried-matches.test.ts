import { expect, it } from "vitest";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { recover } from "../../../durable/engine/initial-state.ts";
import type { DriverState } from "../../../durable/engine/state/types.ts";
import { activeState, logged, makeBlock, makeOffer, NOON } from "../fixtures.ts";
import { throttled } from "../parts.ts";
import { after, answer, attempts, listed, polled, UNCHANGED, wake } from "../steps.ts";

const [a, b] = [makeOffer("a"), makeOffer("b")];
const GONE = { kind: "match_gone", at: NOON + MINUTE_MS, offer: a };
/** A driver who must wait for half a minute, and to whom these offers were listed a moment ago. */
const waiting = (...offers: (typeof a)[]) =>
  after(activeState(throttled(NOON + 30_000)), polled(...offers)).state;
const gone = (state: DriverState, ...offers: (typeof a)[]) =>
  logged(after(state, polled(...offers), NOON + MINUTE_MS).effects).filter(
    ({ kind }) => kind === "match_gone",
  );

it("says once of a match that nothing was tried for, when it leaves the list", () => {
  const state = waiting(a);
  expect(gone(state, a)).toEqual([]);
  expect(gone(state)).toEqual([GONE]);
  const later = after(state, polled(), NOON + MINUTE_MS).state;
  expect([gone(later), later.untried]).toEqual([[], []]);
});

it("says so after a stay out of memory, too", () => {
  const { transient } = activeState();
  expect(gone(recover({ ...waiting(a), transient }))).toEqual([GONE]);
});

it("says so of a match that was listed under an account that is left", () => {
  const { state, effects } = after(waiting(a), { kind: "unlinked" }, NOON + MINUTE_MS);
  expect(logged(effects)).toContainEqual(GONE);
  expect(state.untried).toEqual([]);
});

it("judges a match that is listed again as if it were new", () => {
  const { state } = after(waiting(a), polled(), NOON + MINUTE_MS);
  const { effects } = after(state, polled(a), NOON + 2 * MINUTE_MS);
  expect(logged(effects)).toContainEqual(
    expect.objectContaining({ kind: "offer_judged", offer: a, reasons: [] }),
  );
});

it("says nothing of an offer that was tried, was skipped, or is the driver's", () => {
  const tried = after(activeState(), polled(a));
  expect(attempts(tried)).toHaveLength(1);
  expect(tried.state.untried).toEqual([]);
  expect(gone(answer(tried, { kind: "rate_limited", retryAt: NOON + 1000 }).state)).toEqual([]);
  expect(gone(waiting(makeOffer("poor", { currency: "EUR" })))).toEqual([]);
  const held = after(waiting(a), listed(makeBlock(a)), NOON + 31_000).state;
  expect(gone(held)).toEqual([]);
  expect(after(held, polled(), NOON + MINUTE_MS).state.untried).toEqual([]);
});

it("keeps what it knows as it is while nothing changes", () => {
  const state = waiting(a, b);
  expect(after(state, UNCHANGED, NOON + 1000).state.untried).toBe(state.untried);
  expect(wake(state, NOON + 2000).state.untried).toBe(state.untried);
});
