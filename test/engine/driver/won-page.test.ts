import { expect, it } from "vitest";
import * as z from "zod/mini";
import { withCurrentStatus } from "../../../durable/driver/services/won-history.ts";
import { attempt } from "../../../db/shapes/log/attempt.ts";
import { block } from "../../../db/shapes/work/offer.ts";

const won = z.parse(block, {
  blockId: "blk_1",
  offerId: "of_1",
  warehouseId: "w1",
  serviceType: "parcel",
  startsAt: 10,
  endsAt: 20,
  payCents: 9000,
  currency: "USD",
  status: "scheduled",
  acceptedAt: 5,
  checkedInAt: null,
});
const settled = (outcome: unknown) => ({
  seq: 1,
  event: {
    kind: "attempt_settled" as const,
    at: 6,
    attempt: z.parse(attempt, {
      attemptId: "attempt-1",
      offer: { ...won, surge: false, expiresAt: 9 },
      payAtLeastCents: 1,
      createdAt: 5,
      endedAt: 6,
      outcome,
    }),
  },
});

it.each([{ status: "checked_in", checkedInAt: 9 }, { status: "forfeited" }] as const)(
  "lists a won block with its latest state on the platform: %o",
  (change) => {
    const held = { ...won, ...change };
    const rows = withCurrentStatus([settled({ status: "won", block: won })], [held]);
    expect(rows).toEqual([settled({ status: "won", block: held })]);
  },
);

it("doesn't change lost attempts or blocks that the platform no longer lists", () => {
  const rows = [settled({ status: "won", block: won }), settled({ status: "lost", reason: "offer_gone" })];
  expect(withCurrentStatus(rows, [])).toEqual(rows);
});
