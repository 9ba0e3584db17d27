import { expect, it } from "vitest";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { Phase } from "../../../db/shapes/work/phase.ts";
import { isStillTrue } from "../../../durable/driver/notify/resend-text.ts";
import type { TextAbout } from "../../../durable/driver/storage/text-about.ts";
import { activeState, makeBlock, makeOffer, NOON } from "../fixtures.ts";

const VERIFY: Phase = { kind: "verification_required", url: null };
const inLine = (waitingForSpot: boolean): Phase => ({ kind: "no_service", waitingForSpot });

const BLOCK = makeBlock(makeOffer("a"));
const reminder = (until: number): TextAbout => ({
  kind: "give_back_ahead",
  block: BLOCK,
  reminder: "give_back_90",
  until,
  others: 0,
});

const shift = (startsAt: number): TextAbout => ({
  kind: "before_shift",
  startsAt,
  timeZone: "America/New_York",
  need: "link_ended",
  more: 0,
});

it.each<[string, Partial<Block> | null]>([
  ["given back", { status: "forfeited" }],
  ["moved", { startsAt: BLOCK.startsAt + HOUR_MS }],
  ["withdrawn", null],
])("a reminder does not hold once its block was %s", (_case, change) => {
  const held = change === null ? [] : [{ ...BLOCK, ...change }];
  expect(isStillTrue(reminder(NOON + 1), activeState({ held }), NOON)).toBe(false);
});

it.each<[TextAbout, Phase, boolean]>([
  [{ kind: "needs_link" }, { kind: "needs_link" }, true],
  [{ kind: "needs_link" }, { kind: "polling" }, false],
  [{ kind: "verification_required" }, VERIFY, true],
  [{ kind: "verification_required" }, { kind: "polling" }, false],
  [{ kind: "no_service", waitingForSpot: false }, inLine(false), true],
  [{ kind: "no_service", waitingForSpot: false }, inLine(true), false],
  [{ kind: "no_service", waitingForSpot: false }, { kind: "polling" }, false],
  [{ kind: "no_service", waitingForSpot: true }, inLine(true), true],
  [{ kind: "no_service", waitingForSpot: true }, inLine(false), false],
  [{ kind: "unreadable" }, { kind: "unreadable", since: NOON }, true],
  [{ kind: "unreadable" }, { kind: "polling" }, false],
  [shift(NOON + 1), { kind: "polling" }, true],
  [shift(NOON), { kind: "polling" }, false],
  [{ kind: "weekly_limit", until: NOON + 1 }, { kind: "polling" }, true],
  [{ kind: "weekly_limit", until: NOON }, { kind: "polling" }, false],
  [{ kind: "long_wait", until: NOON }, { kind: "polling" }, false],
  [reminder(NOON + 1), { kind: "polling" }, true],
  [reminder(NOON), { kind: "polling" }, false],
  [{ kind: "news", news: { kind: "spot_opened", subject: "Reno", until: NOON + 1 } }, inLine(true), true],
  [{ kind: "news", news: { kind: "spot_opened", subject: "Reno", until: NOON } }, inLine(true), false],
  [{ kind: "news", news: { kind: "raffle_won", subject: "june", until: null } }, { kind: "off" }, true],
  [{ kind: "silence_suspected" }, { kind: "off" }, true],
  [{ kind: "lost_day", date: "2026-06-09", lostMs: HOUR_MS, givenMs: HOUR_MS }, { kind: "off" }, true],
  [{ kind: "digest", held: 3 }, { kind: "off" }, true],
  [{ kind: "captured", block: BLOCK, place: null }, { kind: "off" }, true],
  [{ kind: "probably_captured", offer: makeOffer("a"), place: null }, { kind: "off" }, true],
])("a text about %j in the phase %j still holds: %s", (about, phase, holds) => {
  expect(isStillTrue(about, activeState({ phase, held: [BLOCK] }), NOON)).toBe(holds);
});

it("a warning of the end of service holds until then, and for no other end", () => {
  const state = activeState();
  const endsAt = state.profile?.serviceUntil ?? 0;
  const warning = (end: number): TextAbout => ({ kind: "service_ending", endsAt: end, remainingMs: HOUR_MS });
  expect(isStillTrue(warning(endsAt), state, endsAt - 1)).toBe(true);
  expect(isStillTrue(warning(endsAt), state, endsAt)).toBe(false);
  expect(isStillTrue(warning(endsAt - HOUR_MS), state, endsAt - 2 * HOUR_MS)).toBe(false);
});
