import type { SimulatedD1 } from "../host/d1.ts";
import type { DriverClass } from "../life/load-driver.ts";
import type { OfferSpec, WeekPlan } from "../script.ts";
import { runWeek, type WeekRecord } from "../week.ts";
import type { DriftCell } from "../../support/drift-cells.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Noon of a Wednesday in New York. */
const STARTS_AT = Date.parse("2026-06-10T16:00:00Z");
/** How soon what is held is told, a phase says that nothing can be captured, and an operator reads the field's name. */
const TOLD_WITHIN = 60 * SECOND;
const NAMED_WITHIN = 5 * MINUTE;

/** A harm that a cell did: the three figures that must be zero. */
export type DriftFinding = { figure: "untold" | "looking" | "unnamed"; says: string };

type World = { driverClass: DriverClass; d1: SimulatedD1 };

/** Lives through ten minutes in which every answer of one kind has one field that is another. */
export async function liveThrough(cell: DriftCell, world: World): Promise<DriftFinding[]> {
  let hasViolated = false;
  const drift = {
    operation: cell.operation,
    isRefusal: cell.isRefusal,
    apply: (body: unknown) => {
      const next = cell.apply(body);
      hasViolated ||= !cell.violates(body) && cell.violates(next);
      return next;
    },
  };
  const record = await runWeek(planOf(drift), world);
  const findings = [...untold(record), ...unsaid(record), ...looking(record)];
  if (hasViolated && !isNamed(cell, world.d1)) {
    findings.push({ figure: "unnamed", says: `no alert names ${cell.call} ${cell.field}` });
  }
  return findings;
}

function planOf(drift: NonNullable<WeekPlan["drift"]>): WeekPlan {
  const offer = (index: number, at: number): OfferSpec => ({
    offerId: `off_${index}`,
    warehouse: 0,
    startsAt: STARTS_AT + (60 + 90 * index) * MINUTE,
    minutes: 60,
    payCents: 9_000 + 111 * index,
    currency: "USD",
    serviceType: "parcel",
    until: at + 3 * MINUTE,
    rivalAt: null,
  });
  return {
    seed: 1,
    startsAt: STARTS_AT,
    endsAt: STARTS_AT + 2 * MINUTE + NAMED_WITHIN + MINUTE,
    timeZones: ["America/New_York", "America/New_York"],
    quota: { kind: "none", limit: 1, windowMs: MINUTE },
    refusesOverlaps: true,
    weeklyLimit: null,
    accessTokenSeconds: 90,
    pollFloorMs: 1_000,
    hasPush: false,
    schedule: Array.from({ length: 7 }, () => ({ active: true, start: 0, end: 0 })),
    items: [
      { at: STARTS_AT + 30 * SECOND, kind: "switch", on: true },
      ...[1, 2].map((index) => {
        const at = STARTS_AT + index * MINUTE;
        return { at, kind: "offer" as const, offer: offer(index, at) };
      }),
      // Taken by hand a moment before, so that the accept of the same work is refused.
      {
        at: STARTS_AT + 3 * MINUTE,
        kind: "take by hand",
        offer: { ...offer(3, 0), offerId: "off_hand" },
        status: "scheduled",
        serviceType: "parcel",
      },
      { at: STARTS_AT + 3 * MINUTE + 1, kind: "offer", offer: offer(3, STARTS_AT + 3 * MINUTE) },
      // The second is refused.
      { at: STARTS_AT + 4 * MINUTE, kind: "check in" },
      { at: STARTS_AT + 4 * MINUTE + 20 * SECOND, kind: "check in" },
      { at: STARTS_AT + 4 * MINUTE + 40 * SECOND, kind: "look at earnings" },
    ],
    drift,
  };
}

/** Blocks that the platform gave the driver through us, and of which nobody told them. */
function untold({ platform, log, network, plan }: WeekRecord): DriftFinding[] {
  const blocks = [...platform.accounts.values()].flatMap((account) => account.blocks);
  return blocks.flatMap(({ offerId, acceptedAt, isByHand, payCents }) => {
    if (isByHand || acceptedAt > plan.endsAt - TOLD_WITHIN) return [];
    const isLogged = log.some(
      ({ event }) =>
        event.kind === "attempt_settled" &&
        event.attempt.offer.offerId.includes(offerId) &&
        (event.attempt.outcome.status === "won" ||
          (event.attempt.outcome.status === "lost" && event.attempt.outcome.reason === "probably_yours")) &&
        event.at - acceptedAt <= TOLD_WITHIN,
    );
    const isTexted = network.texts.some(
      ({ at, body }) => at - acceptedAt <= TOLD_WITHIN && body.includes("block"),
    );
    return isLogged && isTexted
      ? []
      : [{ figure: "untold", says: `${offerId} for ${payCents} was not told` }];
  });
}

/** A check-in that the platform granted, and that the driver was told had failed. */
function unsaid({ hand, platform }: WeekRecord): DriftFinding[] {
  const blocks = [...platform.accounts.values()].flatMap((account) => account.blocks);
  const isGranted = blocks.some(({ status }) => status === "checked_in");
  const isSaid = hand.checkIns.some((checkIn) => checkIn.isSaid);
  return isGranted && !isSaid
    ? [{ figure: "untold", says: "a check-in was granted and said to have failed" }]
    : [];
}

/** Offers that were not tried while the phase said that we look for some. */
function looking({ hand, network, log, plan }: WeekRecord): DriftFinding[] {
  const tried = new Set(
    network.wire.filter(({ step }) => step === "accept").map(({ sentAt }) => Math.floor(sentAt)),
  );
  return [...hand.terms].flatMap(([offerId, [first]]) => {
    if (!first?.offer) return [];
    const at = first.at + TOLD_WITHIN + 20 * SECOND;
    const isTried = [...tried].some((sentAt) => sentAt >= first.at && sentAt <= at);
    if (isTried || at > plan.endsAt) return [];
    const phase = log.findLast(({ event }) => event.kind === "phase_changed" && event.at <= at)?.event;
    const isLooking = phase?.kind === "phase_changed" && phase.phase.kind === "polling";
    return isLooking
      ? [{ figure: "looking", says: `${offerId} was not tried, and the phase said looking` }]
      : [];
  });
}

/** Whether an operator's alert names the field, what it is part of, or a part of it. */
function isNamed({ call, field }: DriftCell, d1: SimulatedD1): boolean {
  const names = d1.all(`SELECT name FROM service_alerts WHERE name LIKE 'platform.drift.%'`);
  return names.some(({ name }) => {
    const [, , named = "", ...parts] = String(name).split(".");
    const found = parts.join(".");
    const isOf = field.startsWith(found) || found.startsWith(field) || found === "body";
    return isOf && (named === call || (call === "Session" && /Session|Otp/.test(named)));
  });
}
