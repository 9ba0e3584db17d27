import { describe, expect, it } from "vitest";
import type { Attempt } from "../../db/shapes/attempt.ts";
import { attemptId, driverId } from "../../db/shapes/units.ts";
import { captureLine } from "../../durable/driver/capture-log.ts";
import { makeBlock, makeOffer, NOON } from "./fixtures.ts";

const DRIVER = driverId.parse("driver-1");
const seen = { driverId: DRIVER, firstSeenAt: NOON };

function attempt(outcome: Attempt["outcome"], endedAt: number | null = NOON + 320): Attempt {
  return {
    attemptId: attemptId.parse("0123456789abc-0"),
    offer: makeOffer("a"),
    payAtLeastCents: 6300,
    createdAt: NOON + 200,
    endedAt,
    outcome,
  };
}

describe("the line about an attempt that ended", () => {
  it("says who won what, how long after its first sight, and how long the platform took of that", () => {
    expect(captureLine(attempt({ status: "won", block: makeBlock(makeOffer("a")) }), seen)).toEqual({
      event: "capture.won",
      facts: {
        driverId: DRIVER,
        offerId: "a",
        attemptId: "0123456789abc-0",
        ms: 320,
        acceptMs: 120,
      },
    });
  });

  it("says why one was lost", () => {
    const line = captureLine(attempt({ status: "lost", reason: "offer_gone" }), seen);
    expect([line?.event, line?.facts["reason"]]).toEqual(["capture.lost", "offer_gone"]);
  });

  it("leaves out what is not known any more", () => {
    const lost = attempt({ status: "lost", reason: "withdrawn" });
    expect(captureLine(lost, { driverId: null, firstSeenAt: null })?.facts).toMatchObject({
      driverId: null,
      ms: null,
      acceptMs: 120,
    });
  });

  it("is not written while the outcome is open", () => {
    expect(captureLine(attempt({ status: "pending" }, null), seen)).toBeNull();
    expect(captureLine(attempt({ status: "unknown", tries: 2 }, null), seen)).toBeNull();
  });
});
