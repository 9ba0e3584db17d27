import { URL } from "node:url";
import { createChance } from "../chance.ts";
import { SimulatedD1 } from "../host/d1.ts";
import { takeOverGlobals } from "../host/globals.ts";
import { loadDriverClass } from "../life/load-driver.ts";
import { MORNING, planDay } from "../counts/mixed-day-plan.ts";
import type { Item } from "../script.ts";
import { runWeek } from "../week.ts";

// Loses the object around each of many captures, and counts the texts that were lost with it. Run by its test.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** A quarter of what is counted: its test plays four, each with a time limit of its own. */
const CAPTURES = 80;
/** From the publication to the text takes about a second: half of it until the next poll, the rest for slow trips to D1. */
const AIM_MS = 1_500;
const D1_TRIP_MS = 100;
/** By then a kill and what came after it are over. */
const APART_MS = 20 * SECOND;

const root = new URL("../../..", import.meta.url);
const driverClass = await loadDriverClass(root);
const d1 = new SimulatedD1(new URL("db/migrations/", root));
takeOverGlobals();
const chance = createChance(Number(process.argv[2] ?? 1), "text kills");

/** Captures, each followed by a kill. No two overlap. */
const items = Array.from({ length: CAPTURES }, (_, index): Item[] => {
  const at = MORNING + (index + 1) * APART_MS;
  const offer = {
    offerId: `of${index}`,
    warehouse: 0,
    startsAt: MORNING + 10 * 60 * MINUTE + index * 30 * MINUTE,
    minutes: 30,
    // Never whole dollars, which texts write otherwise.
    payCents: 10_001 + 10 * index,
    currency: "USD",
    serviceType: "parcel",
    until: at + 15 * SECOND,
    rivalAt: null,
  };
  return [
    { at, kind: "offer", offer },
    { at: at + chance.between(0, AIM_MS), kind: "crash", moment: "now", step: "any" },
  ];
}).flat();
const endsAt = MORNING + CAPTURES * APART_MS + 3 * MINUTE;
const day = planDay([{ at: MORNING, kind: "slow", step: "d1", ms: D1_TRIP_MS, forMs: endsAt - MORNING }]);
const { network, platform, crashes } = await runWeek(
  { ...day, endsAt, items: [...day.items, ...items].toSorted((one, other) => one.at - other.at) },
  { driverClass, d1 },
);
const captured = [...platform.accounts.values()].flatMap(({ blocks }) => blocks);
const textsOf = (payCents: number) =>
  network.texts.filter(({ body }) => body.includes(`$${(payCents / 100).toFixed(2)}`)).length;
const counts = captured.map(({ payCents }) => textsOf(payCents));
process.stdout.write(
  JSON.stringify({
    captured: captured.length,
    kills: crashes.length,
    lost: counts.filter((count) => count === 0).length,
    doubled: counts.filter((count) => count > 1).length,
  }),
);
process.exit(0);
