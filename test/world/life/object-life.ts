import type { Driver } from "../../../durable/driver/driver.ts";
import type { Life } from "../timeline.ts";

/** Moments around a step to the outside at which the object can be lost. */
export const CRASH_MOMENTS = ["written", "durable", "sent", "arrived", "answered"] as const;
export type CrashMoment = (typeof CRASH_MOMENTS)[number];
/** The subject of the step; `write` if it was storage alone. */
export type Step =
  | "poll"
  | "accept"
  | "blocks"
  | "token"
  | "link"
  | "other"
  | "sms"
  | "push"
  | "d1"
  | "write"
  | "reply";

export type Outgoing = { step: Step; deliver: () => void };

/** One life of the object in memory. */
export class ObjectLife implements Life {
  readonly id: number;
  isAlive = true;
  timers = 0;
  /** Requests, statements and calls under way. */
  inFlight = 0;
  /** False for one that was replaced and does not know it yet. */
  isCurrent = true;
  /** Its writes will never be durable, so nothing leaves it any more. */
  isGateBroken = false;
  driver: Driver | null = null;
  outgoing: Outgoing[] = [];
  locks = 0;
  waiting: (() => void)[] = [];
  readonly onDeath = new Set<() => void>();

  constructor(id: number) {
    this.id = id;
  }
}
