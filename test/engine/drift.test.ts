import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { recover } from "../../durable/engine/initial-state.ts";
import { nextWakeAt } from "../../durable/engine/next-wake.ts";
import type { PartialBlock } from "../../durable/engine/state/outcomes.ts";
import { lastAnswerAt } from "../../durable/engine/contact.ts";
import type { DriverState, MachineEvent } from "../../durable/engine/state/types.ts";
import {
  accepted,
  activeState,
  ctx,
  kinds,
  logged,
  makeBlock,
  makeOffer,
  makeProfile,
  NOON,
} from "./fixtures.ts";
import { byId, makeAttempt, transientState } from "./parts.ts";
import { after, answer, attempts, listed, polled, wake } from "./steps.ts";

const PLACE = { name: "Bethpage (DNY4)", timeZone: "America/New_York" };
const SECOND_MS = 1_000;
const nothing: PartialBlock = {
  blockId: null,
  offerId: null,
  warehouseId: null,
  serviceType: null,
  startsAt: null,
  endsAt: null,
  payCents: null,
  currency: null,
  status: "other",
  acceptedAt: null,
  checkedInAt: null,
};
const listedPartly = (...blocks: PartialBlock[]): MachineEvent => ({
  kind: "blocks_read",
  outcome: { kind: "blocks", blocks },
});
const told = (result: ReturnType<typeof after>) =>
  result.effects.flatMap((effect) => (effect.kind === "notify" ? effect.notifications : []));
const failedRead: MachineEvent = { kind: "blocks_read", outcome: { kind: "unreachable" } };

describe("a block that can't be read whole", () => {
  const start = () => after(activeState(), polled(makeOffer("a")));
  const unknown = () => answer(answer(start(), { kind: "timeout" }), { kind: "timeout" }, NOON + 200);

  it("is the driver's on the offer's own terms, if the platform granted it", () => {
    const won = answer(start(), { kind: "won", block: nothing });
    const block = { ...makeBlock(makeOffer("a")), blockId: "a", acceptedAt: NOON + 100 };
    expect(won.state.held).toEqual([block]);
    expect(told(won)).toEqual([{ kind: "captured", block, place: PLACE }]);
  });

  it("gets its own id from the list, and is neither given back nor told twice", () => {
    const won = answer(start(), { kind: "won", block: null });
    const real = makeBlock(makeOffer("a"));
    const read = after(won.state, listed(real), NOON + 2 * MINUTE_MS);
    expect(read.state.held).toEqual([real]);
    expect([read.state.givenBack, told(read)]).toEqual([[], []]);
  });

  it("counts once though it is listed twice, and as held if either says so", () => {
    const block = makeBlock(makeOffer("a"));
    const forfeited = { ...block, status: "forfeited" as const };
    const heldBy = (...blocks: (typeof block)[]) => after(activeState(), listed(...blocks)).state.held;
    expect([heldBy(block, block), heldBy(forfeited, block), heldBy(block, forfeited)]).toEqual([
      [block],
      [block],
      [block],
    ]);
  });

  it("settles its attempt if it is listed with our offer, whatever else it lacks", () => {
    const found = after(
      unknown().state,
      listedPartly({ ...nothing, offerId: makeOffer("a").offerId }),
      NOON + 2_000,
    );
    expect(told(found)).toMatchObject([{ kind: "captured", block: { offerId: "a", payCents: 9000 } }]);
  });

  it("is probably the driver's if only the span is the one of an attempt, which is said once", () => {
    const { startsAt, endsAt } = makeOffer("a");
    const partial = { ...nothing, blockId: makeBlock(makeOffer("z")).blockId, startsAt, endsAt };
    const found = after(unknown().state, listedPartly(partial), NOON + 2_000);
    expect(told(found)).toMatchObject([{ kind: "probably_captured", offer: { offerId: "a" }, place: PLACE }]);
    expect(told(after(found.state, listedPartly(partial), NOON + 30_000))).toEqual([]);
    const named = { ...partial, offerId: makeOffer("a").offerId };
    expect(told(after(found.state, listedPartly(named), NOON + 60_000))).toMatchObject([
      { kind: "captured" },
    ]);
  });
});

describe("offers that can't be read", () => {
  const unreadable = (skipped: number, ...offers: ReturnType<typeof makeOffer>[]): MachineEvent => ({
    kind: "polled",
    sentAt: NOON,
    outcome: { kind: "offers", offers, skipped, quota: null, etag: null },
  });
  const later = (state: DriverState, event: MachineEvent, ms: number) => after(state, event, NOON + ms);

  it("make a phase of their own once they are most of the list for a minute, told once", () => {
    const first = later(activeState(), unreadable(3, makeOffer("a")), 0);
    expect(first.state.phase.kind).toBe("polling");
    const minute = later(first.state, unreadable(3), MINUTE_MS);
    expect(minute.state.phase).toEqual({ kind: "unreadable", since: NOON });
    expect(told(minute)).toEqual([{ kind: "unreadable" }]);
    expect(told(later(minute.state, unreadable(3), 2 * MINUTE_MS))).toEqual([]);
    expect(later(minute.state, polled(), 2 * MINUTE_MS).state.phase.kind).toBe("unreadable");
    expect(later(minute.state, unreadable(1, makeOffer("a")), 3 * MINUTE_MS).state.phase.kind).toBe(
      "polling",
    );
  });

  it("make that phase also while the platform answers that the list is unchanged", () => {
    const unchanged: MachineEvent = {
      kind: "polled",
      sentAt: NOON,
      outcome: { kind: "unchanged", quota: null },
    };
    const first = later(activeState(), unreadable(1), 0);
    const before = later(first.state, unchanged, MINUTE_MS - 1);
    expect(before.state.phase.kind).toBe("polling");
    expect(later(before.state, unchanged, MINUTE_MS).state.phase).toEqual({
      kind: "unreadable",
      since: NOON,
    });
    const gone = later(later(first.state, polled(), 1_000).state, unchanged, MINUTE_MS);
    expect(gone.state.phase.kind).toBe("polling");
  });

  it("are no such phase where a single one was odd", () => {
    const odd = later(activeState(), unreadable(1), 0);
    expect(later(odd.state, polled(), 2 * MINUTE_MS).state.phase.kind).toBe("polling");
  });
});

describe("blocks that can't be read", () => {
  it("are as they were after a restart, and offers are taken", () => {
    const held = makeBlock(makeOffer("h", { startsAt: NOON + 30 * HOUR_MS }));
    const read = after(activeState(), listed(held));
    const stored = { ...read.state, transient: activeState().transient };
    const fresh = recover({ ...stored, transient: { ...stored.transient, heldFetchedAt: null } });
    const failed = after(fresh, failedRead, NOON + 20 * MINUTE_MS);
    const overlapping = makeOffer("o", { startsAt: held.startsAt });
    const { effects } = after(failed.state, polled(makeOffer("a"), overlapping), NOON + 20 * MINUTE_MS + 100);
    expect(accepted(effects)).toEqual(["a"]);
  });

  it("cost secure mode a second and not an interval", () => {
    const secure = activeState({ profile: makeProfile({ mode: "secure" }) });
    const asked = after(secure, polled(makeOffer("a")));
    expect(kinds(asked.effects)).toContain("read_blocks");
    const failed = after(asked.state, failedRead, NOON + 100);
    const at = nextWakeAt(failed.state, ctx(NOON + 100));
    expect(at).toBe(NOON + 100 + SECOND_MS);
    expect(kinds(wake(failed.state, at ?? 0).effects)).toContain("read_blocks");
  });

  it("are no reason to leave an attempt in doubt alone: its repeat has the same key", () => {
    const outcome = { status: "unknown", tries: 1, triedAt: NOON - MINUTE_MS } as const;
    const open = makeAttempt("1", makeOffer("a"), { outcome });
    const state = transientState(
      { heldBackoff: { failures: 3, retryAt: NOON + MINUTE_MS } },
      { openAttempts: byId(open) },
    );
    expect(attempts(wake(state)).map(({ attemptId }) => attemptId)).toEqual([open.attemptId]);
  });
});

describe("an accept that hangs", () => {
  it("leaves three places of four to new matches once its accepts have timed out", () => {
    const spread = (name: string, index: number) =>
      makeOffer(name, { startsAt: NOON + (3 + 4 * index) * HOUR_MS });
    const hanging = ["a", "b", "c", "d"].map(spread);
    const behind = ["e", "f", "g"].map((name, index) => spread(name, index + 4));
    let result = after(activeState(), polled(...hanging));
    const pending = attempts(result);
    result = after(result.state, polled(...hanging, ...behind), NOON + 3_000);
    expect(accepted(result.effects)).toEqual([]);
    const sent: string[] = [];
    for (const { attemptId } of pending) {
      result = after(
        result.state,
        { kind: "accepted", attemptId, outcome: { kind: "timeout" } },
        NOON + 8_000,
      );
      sent.push(...accepted(result.effects));
    }
    expect(sent.toSorted()).toEqual(["d", "e", "f", "g"]);
  });
});

describe("a verdict", () => {
  it("is made anew when the block that it was made of is given back", () => {
    const held = makeBlock(makeOffer("old"));
    const again = makeOffer("new");
    const first = after(activeState({ held: [held] }), polled(again));
    expect(logged(first.effects)).toMatchObject([{ reasons: [{ code: "overlaps_block" }] }]);
    const read = after(first.state, listed(), NOON + 20_000);
    const judged = after(read.state, polled(again), NOON + 21_000);
    const verdicts = [...logged(read.effects), ...logged(judged.effects)].filter(
      ({ kind }) => kind === "offer_judged",
    );
    expect(verdicts).toMatchObject([{ reasons: [{ code: "given_back" }] }]);
  });
});

describe("verification that the platform asks for and then does not know of", () => {
  const required: MachineEvent = {
    kind: "polled",
    sentAt: NOON,
    outcome: { kind: "verification_required", url: null },
  };
  const none: MachineEvent = {
    kind: "verification_checked",
    outcome: { kind: "verification", required: false },
  };

  it("is asked about less and less often, as if it had gone on", () => {
    let state = after(activeState(), required).state;
    for (let at = NOON + 5_000; at < NOON + 5 * MINUTE_MS; at += 5_000)
      state = after(after(state, none, at).state, required, at + 100).state;
    expect(state.verification?.since).toBe(NOON);
  });
});

describe("when the platform last answered", () => {
  it("is known after a restart, once it has answered a poll or granted an offer", () => {
    const won = answer(after(activeState(), polled(makeOffer("a"))), {
      kind: "won",
      block: makeBlock(makeOffer("a")),
    });
    const restarted = { ...won.state, transient: activeState().transient };
    expect(lastAnswerAt(recover(restarted))).toBe(NOON + 100);
    expect(lastAnswerAt(activeState())).toBeNull();
  });

  it("is stored when polling ends", () => {
    const polling = after(activeState(), polled(), NOON + 7_000).state;
    const off = {
      kind: "profile_changed",
      profile: makeProfile({ revision: 2, switchedOn: false }),
    } as const;
    expect(after(polling, off, NOON + 8_000).state.contact.answeredAt).toBe(NOON + 7_000);
  });
});
