import { URL } from "node:url";
import { SimulatedD1 } from "../host/d1.ts";
import { takeOverGlobals } from "../host/globals.ts";
import { loadDriverClass } from "../life/load-driver.ts";
import { MORNING, planDay } from "./mixed-day-plan.ts";
import type { Item } from "../script.ts";
import { runWeek } from "../week.ts";

// Counts what stands between the platform's answer to an accept and the frame that tells an open page. Run by its test.

const MINUTE = 60_000;
const CAPTURES = 40;

const root = new URL("../../..", import.meta.url);
const driverClass = await loadDriverClass(root);
const d1 = new SimulatedD1(new URL("db/migrations/", root));
takeOverGlobals();

/** A capture a minute while D1 is slow. No two overlap. */
const items = Array.from({ length: CAPTURES }, (_one, index): Item => {
  const at = MORNING + (index + 1) * MINUTE;
  const offer = {
    offerId: `of${index}`,
    warehouse: 0,
    startsAt: MORNING + 10 * 60 * MINUTE + index * 30 * MINUTE,
    minutes: 30,
    payCents: 10_001 + 10 * index,
    currency: "USD",
    serviceType: "parcel",
    until: at + MINUTE,
    rivalAt: null,
  };
  return { at, kind: "offer", offer };
});
const endsAt = MORNING + (CAPTURES + 3) * MINUTE;
const day = planDay([
  { at: MORNING + 5_000, kind: "dashboard" },
  { at: MORNING, kind: "slow", step: "d1", ms: 500, forMs: endsAt - MORNING },
  ...items,
]);
const { network, dashboard } = await runWeek({ ...day, endsAt }, { driverClass, d1 });
const frames = [...dashboard.heardAt].flatMap(([event, heardAt]) => {
  if (event.kind !== "attempt_settled" || event.attempt.outcome.status !== "won") return [];
  const { attemptId } = event.attempt;
  const answeredAt = network.wire.find(({ key }) => key === attemptId)?.answeredAt ?? null;
  return answeredAt === null ? [] : [{ answeredAt, heardAt }];
});
const trips = frames.map(({ answeredAt, heardAt }) => {
  const isBetween = ({ sentAt, endedAt }: { sentAt: number; endedAt: number | null }) =>
    sentAt >= answeredAt && endedAt !== null && endedAt <= heardAt;
  return network.wire.filter(isBetween).length + network.d1Trips.filter(isBetween).length;
});
const delays = frames
  .map(({ answeredAt, heardAt }) => heardAt - answeredAt)
  .toSorted((one, other) => one - other);
process.stdout.write(
  JSON.stringify({
    frames: frames.length,
    mostTrips: Math.max(...trips),
    medianMs: delays[Math.floor(delays.length / 2)],
    longestMs: delays.at(-1),
  }),
);
process.exit(0);
