import { describe, expect, it } from "vitest";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import {
  isInFlight,
  noteAnswered,
  noteSent,
  roomForAccepts,
  timesOutAt,
} from "../../../durable/engine/attempts/in-flight.ts";
import { makeOffer, NOON } from "../fixtures.ts";
import { byId, change, makeAttempt, transientState } from "../parts.ts";

describe("a call", () => {
  it("may be answered for two minutes", () => {
    const { state } = change(transientState({}), (transition) => noteSent(transition, "poll"));
    expect(timesOutAt(NOON)).toBe(NOON + 2 * MINUTE_MS);
    expect(isInFlight(state, "poll", NOON + 2 * MINUTE_MS - 1)).toBe(true);
    expect(isInFlight(state, "poll", NOON + 2 * MINUTE_MS)).toBe(false);
    expect(isInFlight(state, "read_blocks", NOON)).toBe(false);
  });

  it("that was answered leaves the others, and one that nobody sent changes nothing", () => {
    const sent = transientState({
      inFlight: new Map([["poll", NOON] as const, ["read_blocks", NOON] as const]),
    });
    const { state } = change(sent, (transition) => noteAnswered(transition, "poll"));
    expect([...state.transient.inFlight.keys()]).toEqual(["read_blocks"]);
    expect(change(state, (transition) => noteAnswered(transition, "poll")).state).toBe(state);
  });
});

describe("the room for accepts", () => {
  const attempts = ["1", "2", "3", "4", "5"].map((name) => makeAttempt(name, makeOffer(name)));
  const unknown = { outcome: { status: "unknown", tries: 1, triedAt: NOON } } as const;

  it("is four, less those that wait for their answer, and never below none", () => {
    const rooms = [0, 1, 4, 5].map((count) =>
      roomForAccepts(transientState({}, { openAttempts: byId(...attempts.slice(0, count)) }), NOON),
    );
    expect(rooms).toEqual([4, 3, 0, 0]);
  });

  it("is taken by repeats under way, too, and not by attempts that wait for one", () => {
    const [one, two] = attempts.map((attempt) => ({ ...attempt, ...unknown }));
    if (!one || !two) throw new Error("there are five");
    const inFlight = new Map([[one.attemptId, NOON]]);
    expect(roomForAccepts(transientState({ inFlight }, { openAttempts: byId(one, two) }), NOON)).toBe(3);
  });
});
