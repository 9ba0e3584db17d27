import type { PlatformBlock } from "../platform/model.ts";
import type { WeekRecord } from "../week.ts";
import type { WireEntry } from "../host/network.ts";
import type { Violation } from "./violation.ts";
import { CLOCK_TOLERANCE_MS, isCapturing, isWanted, profilesInForce, termsAround } from "./told.ts";

/** A call that was sent just before the object heard of something may still be on its way. */
const LEAVING_MS = 100;
/** Held blocks are known this long after one was taken by hand, or after a false answer. */
const HELD_KNOWN_MS = 45_000;
const CURRENCY = "USD";

/** An accept that made a block. */
export type Effect = { at: number; email: string; block: PlatformBlock; key: string; sent: WireEntry | null };

export function effectsOf({ platform, network }: WeekRecord): Effect[] {
  return platform.log.flatMap(({ at, email, effect, key }) => {
    if (!effect || email === null || key === null) return [];
    const sent = network.wire.find((entry) => entry.key === key && entry.sentAt <= at) ?? null;
    return [{ at, email, block: effect, key, sent }];
  });
}

/** Calls that left, judged by the object's knowledge and their effect on the platform. */
export function judgeAccepts(record: WeekRecord): Violation[] {
  return [...judgeSent(record), ...judgeEffects(record)];
}

function judgeSent(record: WeekRecord): Violation[] {
  const { network, worker, platform } = record;
  const violations: Violation[] = [];
  for (const entry of network.wire) {
    const { sentAt: at, offerId, key } = entry;
    if (entry.step !== "accept" || offerId === null) continue;
    const says = `accept of ${offerId} under ${key} left the object${entry.isFromOldInstance ? " (an old instance)" : ""}`;
    const inForce = profilesInForce(record, at);
    const active = inForce.filter(({ profile }) => isCapturing(profile, at - CLOCK_TOLERANCE_MS));
    if (active.length === 0) {
      violations.push({
        invariant: "none after off, unlink or the end of service",
        cause: "off or no service",
        at,
        says,
      });
    }
    // A repeat asks for what was decided on when it was first sent, listed still or not.
    const firstAt = network.wire.find((other) => other.key === key)?.sentAt ?? at;
    const terms = [firstAt, at].flatMap((instant) => termsAround(record, offerId, instant));
    const isFit = active.some(({ profile }) =>
      terms.some((offer) => isWanted(record, { profile, offer, at: at - CLOCK_TOLERANCE_MS })),
    );
    if (active.length > 0 && !isFit) {
      violations.push({
        invariant: "every accept satisfies the filters in force",
        cause: "filters",
        at,
        says,
      });
    }
    if (terms.length > 0 && terms.every(({ currency }) => currency !== CURRENCY)) {
      violations.push({
        invariant: "every accept satisfies the filters in force",
        cause: "currency",
        at,
        says,
      });
    }
    const owner = [...platform.accounts.values()].find(({ accessIssuedAt }) =>
      accessIssuedAt.has(entry.token ?? ""),
    );
    const issuedAt = owner?.accessIssuedAt.get(entry.token ?? "") ?? 0;
    for (const { kind, deliveredAt } of worker.farewells) {
      if (deliveredAt === null || at <= deliveredAt + LEAVING_MS || issuedAt > deliveredAt) continue;
      violations.push({ invariant: "none after off, unlink or the end of service", cause: kind, at, says });
    }
    if (owner && !wasShown(record, { entry, email: owner.email })) {
      violations.push({
        invariant: "none after off, unlink or the end of service",
        cause: "shown to another account",
        at,
        says,
      });
    }
  }
  return violations;
}

/** Whether an answer to this account had listed the offer before. */
function wasShown(
  { network, platform }: WeekRecord,
  { entry, email }: { entry: WireEntry; email: string },
): boolean {
  const tokens = platform.account(email).accessIssuedAt;
  const needle = `"${entry.offerId}"`;
  return network.wire.some(
    (poll) =>
      poll.step === "poll" &&
      poll.answeredAt !== null &&
      poll.answeredAt <= entry.sentAt &&
      tokens.has(poll.token ?? "") &&
      JSON.stringify(poll.body)?.includes(needle),
  );
}

function judgeEffects(record: WeekRecord): Violation[] {
  const violations: Violation[] = [];
  const effects = effectsOf(record);
  for (const [index, effect] of effects.entries()) {
    const { at, block, email } = effect;
    const earlier = effects.slice(0, index).find((other) => other.block.offerId === block.offerId);
    if (earlier) {
      const isBack = earlier.block.givenBackAt !== null && earlier.block.givenBackAt < at;
      violations.push({
        invariant: isBack ? "what is given back stays so" : "at most one effect per offer",
        cause: isBack ? "taken again" : "twice",
        at,
        says: `${block.offerId} became the driver's block a second time`,
      });
    }
    for (const other of record.platform.account(email).blocks) {
      if (other === block || other.acceptedAt > at || !isKnownHeld(record, { other, effect, effects }))
        continue;
      if (other.startsAt >= block.endsAt || block.startsAt >= other.endsAt) continue;
      violations.push({
        invariant: "no two overlapping blocks",
        cause: other.isByHand ? "taken by hand" : "own",
        at,
        says: `${block.offerId} overlaps ${other.offerId}, held since ${other.acceptedAt}`,
      });
    }
  }
  return violations;
}

/** Whether the object must know of a block by the time of an effect. */
export function isKnownHeld(
  { hand, crashes }: WeekRecord,
  { other, effect, effects }: { other: PlatformBlock; effect: Effect; effects: readonly Effect[] },
): boolean {
  const sentAt = effect.sent?.sentAt ?? effect.at;
  if (other.givenBackAt !== null && other.givenBackAt <= effect.at) return false;
  if (other.isByHand) {
    const isCalm = ![...hand.disturbances, ...crashes].some((at) => Math.abs(at - sentAt) < 120_000);
    return isCalm && other.status === "scheduled" && other.acceptedAt < sentAt - HELD_KNOWN_MS;
  }
  const made = effects.find(({ block }) => block === other);
  const wasLied = made?.sent?.code !== null && made?.sent?.code !== undefined && made.sent.status !== 200;
  return !wasLied || other.acceptedAt < sentAt - HELD_KNOWN_MS;
}
