import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { logEvent, type LogEntry, type LogEvent } from "../../../db/shapes/log/driver-log.ts";
import { feedRows } from "../../../web/features/dashboard/feed.tsx";

const AT = Date.UTC(2026, 2, 10, 15);
const SECOND = 1_000;

const offer = (offerId: string) => ({
  offerId,
  warehouseId: "w1",
  serviceType: "parcel",
  startsAt: AT + 7_200_000,
  endsAt: AT + 18_000_000,
  payCents: 9_000,
  currency: "USD",
  surge: false,
  expiresAt: AT + 3_600_000,
});
const judged = (offerId: string, at = AT, reasons: object[] = []) =>
  z.parse(logEvent, { kind: "offer_judged", at, offer: offer(offerId), reasons, filtersVersion: 1 });
const passed = (offerId: string, at = AT) =>
  judged(offerId, at, [{ code: "price_below_minimum", rule: 9_500, offer: 9_000 }]);
const attempt = (offerId: string, outcome: object, endedAt: number | null) => ({
  attemptId: `attempt-${offerId}`,
  offer: offer(offerId),
  payAtLeastCents: 9_000,
  createdAt: AT,
  endedAt,
  outcome,
});
const started = (offerId: string) =>
  z.parse(logEvent, {
    kind: "attempt_started",
    at: AT,
    attempt: attempt(offerId, { status: "pending" }, null),
  });
const settled = (offerId: string, at: number, outcome: object) =>
  z.parse(logEvent, { kind: "attempt_settled", at, attempt: attempt(offerId, outcome, at) });
const won = (offerId: string, at: number) =>
  settled(offerId, at, {
    status: "won",
    block: {
      ...offer(offerId),
      blockId: `b-${offerId}`,
      status: "scheduled",
      acceptedAt: at,
      checkedInAt: null,
    },
  });

/** As a dashboard has them: the newest of each offer first, captures apart. */
function entriesOf(events: readonly LogEvent[]): { feed: LogEntry[]; won: LogEntry[] } {
  const newestFirst = events.map((event, index) => ({ seq: index + 1, event })).toReversed();
  const idOf = ({ event }: LogEntry) =>
    event.kind === "offer_judged" ? event.offer.offerId : "attempt" in event && event.attempt.offer.offerId;
  const feed = newestFirst.filter(
    (entry, index) => newestFirst.findIndex((other) => idOf(other) === idOf(entry)) === index,
  );
  const isWon = ({ event }: LogEntry) =>
    event.kind === "attempt_settled" && event.attempt.outcome.status === "won";
  return { feed, won: feed.filter(isWon) };
}

function shown(events: readonly LogEvent[], now = AT + SECOND) {
  const { pinned, others } = feedRows(entriesOf(events), now);
  const describe = ({ offer: { offerId }, outcome }: (typeof pinned)[number]) => `${offerId} ${outcome.kind}`;
  return { pinned: pinned.map(describe), others: others.map(describe) };
}

describe("the rows of the feed", () => {
  it("has an offer stand where its capture will, from its match on", () => {
    const before = [passed("cheap"), won("earlier", AT)];
    const steps = [judged("taken"), started("taken"), won("taken", AT + SECOND)];
    expect(steps.map((_, index) => shown([...before, ...steps.slice(0, index + 1)]))).toEqual(
      ["match", "trying", "won"].map((outcome) => ({
        pinned: ["earlier won", `taken ${outcome}`],
        others: ["cheap rejected"],
      })),
    );
  });

  it("changes no order when the one of two that are tried at once is captured first", () => {
    const both = [judged("a"), judged("b"), started("a"), started("b")];
    expect(shown(both).pinned).toEqual(["a trying", "b trying"]);
    expect(shown([...both, won("a", AT + 1)]).pinned).toEqual(["a won", "b trying"]);
    expect(shown([...both, won("b", AT + 1)]).pinned).toEqual(["a trying", "b won"]);
  });

  it("has what was not captured among the others: lost, in doubt, or matched and never tried", () => {
    const lost = settled("lost", AT, { status: "lost", reason: "offer_gone" });
    const unknown = settled("unknown", AT, { status: "unknown", tries: 1, triedAt: AT });
    const events = [judged("idle"), lost, unknown];
    expect(shown(events, AT + SECOND).pinned).toEqual(["idle match"]);
    expect(shown(events, AT + 30 * SECOND)).toEqual({
      pinned: [],
      others: ["unknown unknown", "lost lost", "idle match"],
    });
  });
});
