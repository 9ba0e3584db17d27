import { describe, expect, it } from "vitest";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import {
  applyFailure,
  applyStatedWait,
  updateState,
  updateTransient,
} from "../../../durable/engine/state/transition.ts";
import { activeState, NOON } from "../fixtures.ts";
import { change } from "../parts.ts";

describe("a state", () => {
  it("stays the same where nothing changes", () => {
    const state = activeState();
    expect(change(state, (one) => updateState(one, { held: state.held })).state).toBe(state);
    expect(change(state, (one) => updateTransient(one, { etag: null })).state).toBe(state);
    expect(change(state, (one) => updateTransient(one, { etag: "e" })).state.transient.etag).toBe("e");
  });
});

describe("a call that failed", () => {
  it.each([
    { kind: "unreachable" },
    { kind: "timeout" },
    { kind: "unreadable" },
    { kind: "refused", status: 500 },
  ] as const)("backs off ($kind)", (failure) => {
    const { backoff, throttle } = change(activeState(), (one) => applyFailure(one, failure)).state;
    expect(backoff).toMatchObject({ failures: 1, retryAt: NOON + 1000 });
    expect(throttle.until).toBeNull();
  });

  it.each([
    { kind: "unreachable", retryAt: NOON + MINUTE_MS },
    { kind: "unreadable", retryAt: NOON + MINUTE_MS },
    { kind: "refused", status: 500, retryAt: NOON + MINUTE_MS },
  ] as const)("waits as long as the answer says ($kind)", (failure) => {
    const { backoff, throttle } = change(activeState(), (one) => applyFailure(one, failure)).state;
    expect([backoff.failures, throttle.until]).toEqual([1, NOON + MINUTE_MS]);
  });

  it("because of the rate waits, and says nothing against the platform", () => {
    const { state } = change(activeState(), (one) =>
      applyFailure(one, { kind: "rate_limited", retryAt: NOON + 5000 }),
    );
    expect([state.throttle.until, state.backoff]).toEqual([NOON + 5000, activeState().backoff]);
  });

  it("signs a driver out who is still linked", () => {
    const signOut = (status: "linked" | "unlinked") =>
      change(activeState({ link: { status } }), (one) => applyFailure(one, { kind: "signed_out" })).state
        .link;
    expect([signOut("linked"), signOut("unlinked")]).toEqual([
      { status: "signed_out" },
      { status: "unlinked" },
    ]);
  });

  it("keeps since when the platform asks for the driver, and takes its newest page", () => {
    const url = "https://platform.example/selfie";
    const asked = (known: { url: string; since: number } | null) =>
      change(activeState({ verification: known }), (one) =>
        applyFailure(one, { kind: "verification_required", url }),
      ).state.verification;
    const known = { url, since: NOON - 1 };
    expect(asked(null)).toEqual({ url, since: NOON });
    expect(asked(known)).toBe(known);
    expect(asked({ url: "https://platform.example/old", since: NOON - 1 })).toEqual(known);
  });
});

it("a wait that nobody stated is none", () => {
  const state = activeState();
  expect(change(state, (one) => applyStatedWait(one, { kind: "timeout" })).state).toBe(state);
});
