import type { Limits } from "../../db/shapes/work/filters.ts";
import type { Drift } from "../support/drift-cells.ts";
import type { CrashMoment, Step } from "./life/object-life.ts";

/** A fault that affects requests of one kind for a while. */
export const FAULTS = [
  "request lost",
  "request late",
  "request doubled",
  "answer lost",
  "answer late",
  "answer garbled",
  "answer half known",
  "500 without effect",
  "500 after effect",
  "503 without effect",
  "503 with Retry-After",
  "503 until a date",
  "404 after effect",
  "400 without effect",
  "429 without effect",
  "429 with Retry-After",
  "429 after effect",
  "429 asks a second",
  "429 until the reset",
  "429 asks ten years",
  "401 from a gateway",
  "connection hangs",
] as const;
export type Fault = (typeof FAULTS)[number];

export type OfferSpec = {
  offerId: string;
  warehouse: number;
  startsAt: number;
  minutes: number;
  payCents: number;
  currency: string;
  serviceType: string;
  /** Listed from `at` until then. */
  until: number;
  /** When a rival takes it; null if none does. */
  rivalAt: number | null;
};

/** One thing that happens in a week. `at` is an instant of the week's own time. */
export type Item = { at: number } & (
  | { kind: "offer"; offer: OfferSpec }
  | { kind: "reprice"; offerId: string; payCents: number }
  | { kind: "withdraw"; offerId: string }
  | { kind: "relist"; offerId: string; forMs: number }
  | { kind: "take by hand"; offer: OfferSpec; status: string; serviceType: string }
  | { kind: "give back"; relistAfterMs: number | null; vanishes: boolean }
  /** Offers at these warehouses, each with so many characters that the contract doesn't know. */
  | { kind: "long list"; count: number; forMs: number; warehouses: readonly number[]; padding: number }
  | { kind: "open warehouse" }
  | { kind: "look at filters" }
  | { kind: "selfie"; forMs: number }
  /** Calls are refused for a selfie of which the driver's state says nothing. */
  | { kind: "disputed selfie"; of: "polls" | "accepts"; forMs: number }
  | { kind: "shrink quota"; limit: number; forMs: number }
  | { kind: "own app"; forMs: number; everyMs: number }
  | { kind: "switch"; on: boolean }
  /** The same, but the message to the object is held up on its way. */
  | { kind: "late switch"; on: boolean; afterMs: number }
  | { kind: "filters"; minPriceCents: number; bufferMinutes: number; minHourlyCents: number }
  | { kind: "mode"; mode: "lucrative" | "secure" | "masacre"; wholeFoods: boolean }
  | { kind: "service"; days: number }
  | { kind: "unlink" }
  | { kind: "link"; email: string }
  /** The driver looks whether the account is linked, and links it again if the platform has ended the link. */
  | { kind: "look at link" }
  | { kind: "delete account" }
  | { kind: "dashboard" }
  /** The driver looks at the page again. */
  | { kind: "come back" }
  | { kind: "arrive" }
  /** The driver checks in to the block that starts first. */
  | { kind: "check in" }
  | { kind: "look at earnings" }
  | { kind: "fault"; fault: Fault; step: Step | "any"; forMs: number; share: number; times?: number }
  | { kind: "slow"; step: Step; ms: number; forMs: number }
  | { kind: "crash"; moment: CrashMoment | "now"; step: Step | "any" }
  | { kind: "zombie"; forMs: number }
  | { kind: "duplicate alarm" }
  | { kind: "clock jump"; ms: number }
  | { kind: "d1 down"; forMs: number }
  /** The next accept finds its token dead, and the refresh after it is answered 400 once. */
  | { kind: "token dies" }
);

export type QuotaKind = "none" | "fixed" | "sliding";

export type WeekPlan = {
  seed: number;
  startsAt: number;
  endsAt: number;
  timeZones: readonly string[];
  quota: { kind: QuotaKind; limit: number; windowMs: number };
  /** Whether the platform itself refuses a block that overlaps another. */
  refusesOverlaps: boolean;
  weeklyLimit: number | null;
  accessTokenSeconds: number;
  pollFloorMs: number;
  hasPush: boolean;
  schedule: readonly { active: boolean; start: number; end: number }[];
  items: readonly Item[];
  /** Whether the rules of all warehouses but the second ask first. */
  asks?: boolean;
  /** The limits of the driver's days and weeks, if they have any. */
  limits?: Limits;
  drift?: Drift;
  /** When the ticker is lost, if a ticker calls the object: without these its own alarms wake it. */
  tickerEnds?: readonly number[];
  /** More entries of the timeline than it needs, if not those of a short week. */
  maxEntries?: number;
  /** Where the object was made; left out, in the platform's region of today. */
  region?: string;
};
