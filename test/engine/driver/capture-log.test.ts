import { describe, expect, it } from "vitest";
import type { Attempt } from "../../../db/shapes/log/attempt.ts";
import { attemptId, driverId } from "../../../db/shapes/units.ts";
import { captureLine } from "../../../durable/driver/recorder.ts";
import { makeBlock, makeOffer, NOON } from "../fixtures.ts";

const DRIVER = driverId.parse("driver-1");
const seen = { driverId: DRIVER, firstSeenAt: NOON };

function attempt(outcome: Attempt["outcome"], endedAt: number | null = NOON + 320): Attempt {
  return {
    attemptId: attemptId.parse("0123456789abc-0"),
    offer: makeOffer("a"),
    place: null,
    payAtLeastCents: 6300,
    createdAt: NOON + 200,
    endedAt,
    outcome,
  };
}

describe("the log line for a settled attempt", () => {
  it("has driver, offer, the time since the offer was first seen and the platform's share of it", () => {
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

  it("has the reason if the attempt was lost", () => {
    const line = captureLine(attempt({ status: "lost", reason: "offer_gone" }), seen);
    expect([line?.event, line?.facts["reason"]]).toEqual(["capture.lost", "offer_gone"]);
  });

  it("has null for what is no longer known", () => {
    const lost = attempt({ status: "lost", reason: "withdrawn" });
    expect(captureLine(lost, { driverId: null, firstSeenAt: null })?.facts).toMatchObject({
      driverId: null,
      ms: null,
      acceptMs: 120,
    });
  });

  it("is not written before the attempt is settled", () => {
    expect(captureLine(attempt({ status: "pending" }, null), seen)).toBeNull();
    expect(captureLine(attempt({ status: "unknown", tries: 2, triedAt: NOON }, null), seen)).toBeNull();
  });
});
