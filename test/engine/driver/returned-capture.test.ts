import { DatabaseSync } from "node:sqlite";
import * as z from "zod/mini";
import { describe, expect, it } from "vitest";
import { NEWEST_WON } from "../../../db/shapes/log/driver-log.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { attemptId, MINUTE_MS } from "../../../db/shapes/units.ts";
import { Recorder } from "../../../durable/driver/recorder.ts";
import { buildSnapshot } from "../../../durable/driver/snapshot.ts";
import type { DriverState, MachineEvent } from "../../../durable/engine/state/types.ts";
import { openStore } from "../../support/runtime/node-store.ts";
import { makeBlock, makeOffer, NOON } from "../fixtures.ts";
import { makeAttempt, transientState } from "../parts.ts";
import { after, listed } from "../steps.ts";

const CAPTURED = makeBlock(makeOffer("captured"), { payCents: 9_000 });
const OTHER = makeBlock(makeOffer("other", { startsAt: NOON + 20 * 60 * MINUTE_MS }), { payCents: 7_000 });

/** The storage of a driver who holds two captured blocks, the state that it belongs to, and what becomes of both. */
function open() {
  const store = openStore(new DatabaseSync(":memory:"), () => NOON);
  const note = { note: () => {} };
  const parts = { store, fleet: note, listings: note, lostTime: note, shiftChecks: note, now: () => NOON };
  const recorder = new Recorder({
    ...parts,
    sockets: { hasOpen: false, sendEvents: () => {} },
    drift: { takeNew: () => [] },
  } as unknown as ConstructorParameters<typeof Recorder>[0]);
  const blocks = [CAPTURED, OTHER];
  for (const [index, block] of blocks.entries()) {
    const attempt = {
      ...makeAttempt(`a${index}`, makeOffer(block.offerId)),
      endedAt: NOON,
      outcome: { status: "won" as const, block },
    };
    store.events.append([{ kind: "attempt_settled", at: NOON, attempt }]);
    store.wonBlocks.add({ attemptId: z.parse(attemptId, `attempt-a${index}`), block }, index + 1);
  }
  let state: DriverState = transientState({ heldFetchedAt: NOON - MINUTE_MS }, { held: blocks });
  const apply = (event: MachineEvent) => {
    const before = state;
    const { state: next, effects } = after(before, event);
    state = next;
    recorder.record({ before, event, state, effects }, null, NOON);
  };
  const statuses = () =>
    Object.fromEntries(
      store.wonBlocks.page({ after: NEWEST_WON, limit: 9 }).map(({ block }) => [block.offerId, block.status]),
    );
  const shown = () => buildSnapshot(state, { store, owner: null, currency: "USD", now: NOON });
  return { store, apply, statuses, shown };
}

describe("a captured block that the platform lists no more", () => {
  it("counts as given back in the list and its sums, until it is listed again", () => {
    const { store, apply, statuses } = open();
    apply(listed(OTHER));
    expect(statuses()).toEqual({ captured: "forfeited", other: "scheduled" });
    expect(store.wonBlocks.sums()).toMatchObject([{ blocks: 2, payCents: 7_000, minutes: 180 }]);
    expect(store.outbox.due(NOON).map(({ item }) => item.kind)).toEqual(["won_day"]);
    apply(listed(CAPTURED, OTHER));
    expect(statuses()).toEqual({ captured: "scheduled", other: "scheduled" });
    expect(store.wonBlocks.sums()).toMatchObject([{ blocks: 2, payCents: 16_000 }]);
  });

  it("is no news of an account that is left", () => {
    const { apply, statuses } = open();
    apply({ kind: "unlinked" });
    expect(statuses()).toEqual({ captured: "scheduled", other: "scheduled" });
  });
});

describe("a captured block that was given back", () => {
  it.each<[string, Block[]]>([
    ["as the platform lists it", [{ ...CAPTURED, status: "forfeited" }, OTHER]],
    ["where it lists it no more", [OTHER]],
  ])("says so on the dashboard, and its pay is none of today's: %s", (_case, blocks) => {
    const { apply, shown } = open();
    expect(shown().today).toMatchObject({ captured: 2, capturedCents: 16_000 });
    apply(listed(...blocks));
    const { today, won, feed } = shown();
    const outcomes = [won, feed].map((rows) =>
      rows.map(({ event }) => event.kind === "attempt_settled" && event.attempt.outcome),
    );
    const expected = [
      { status: "won", block: { offerId: "other", status: "scheduled" } },
      { status: "won", block: { offerId: "captured", status: "forfeited" } },
    ];
    expect(outcomes).toMatchObject([expected, expected]);
    expect(today).toMatchObject({ captured: 2, capturedCents: 7_000 });
  });
});
