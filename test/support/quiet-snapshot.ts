import type { EpochMs } from "../../db/shapes/units.ts";

/** The message by which a dashboard opens, unread, of a driver who is on: nothing was listed today, and nothing is held. */
export function quietSnapshot(at: EpochMs) {
  return {
    seq: 1,
    at,
    phase: { kind: "polling" },
    switchedOn: true,
    mode: "lucrative",
    specialMode: null,
    filtersVersion: 1,
    serviceUntil: null,
    lastPollAt: at,
    timeZone: "America/New_York",
    warehouses: [],
    held: [],
    today: { captured: 0, passedOver: 0, gone: 0, capturedCents: 0 },
    won: [],
    feed: [],
  };
}
