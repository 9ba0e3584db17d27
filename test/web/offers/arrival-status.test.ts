import * as z from "zod/mini";
import { describe, expect, it } from "vitest";
import type { NextBlockResponse } from "../../../db/shapes/work/check-in.ts";
import { blockId, MINUTE_MS, offerId, warehouseId } from "../../../db/shapes/units.ts";
import { RequestError } from "../../../web/api/client/request-error.ts";
import {
  distanceBetween,
  nextAttemptAt,
  fixToCheckInWith,
  arrivalStatus,
  type ArrivalState,
} from "../../../web/features/arrival/arrival-status.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const STATION = { latitude: 40.7, longitude: -73.5 };
const METER = 1 / 111_195;

const next: NextBlockResponse = {
  block: {
    blockId: z.parse(blockId, "b1"),
    offerId: z.parse(offerId, "o1"),
    warehouseId: z.parse(warehouseId, "DNY4"),
    serviceType: "parcel",
    startsAt: NOW + 10 * MINUTE_MS,
    endsAt: NOW + 190 * MINUTE_MS,
    payCents: 9000,
    currency: "USD",
    status: "scheduled",
    acceptedAt: NOW - MINUTE_MS,
    checkedInAt: null,
  },
  warehouse: {
    ...STATION,
    warehouseId: z.parse(warehouseId, "DNY4"),
    name: "Bethpage (DNY4)",
    address: null,
    serviceType: "parcel",
    timeZone: "America/New_York",
    geofenceMeters: 150,
  },
  obstacle: null,
};

function fix(metersNorth: number, { accuracyMeters = 10, ageMs = 0 } = {}): ArrivalState["position"] {
  const latitude = STATION.latitude + metersNorth * METER;
  return { kind: "fix", fix: { ...STATION, latitude, accuracyMeters, observedAt: NOW - ageMs } };
}

const arrival = (change: Partial<ArrivalState> = {}): ArrivalState => ({
  next,
  position: fix(0),
  attempt: null,
  isCheckingIn: false,
  isOnline: true,
  now: NOW,
  ...change,
});

describe("the distance on the globe", () => {
  it.each([
    ["nowhere", STATION, STATION, 0],
    ["a degree of latitude", { latitude: 0, longitude: 0 }, { latitude: 1, longitude: 0 }, 111_195],
    ["across the date line", { latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }, 111_195],
    ["from pole to pole", { latitude: 90, longitude: 0 }, { latitude: -90, longitude: 77 }, 20_015_114],
  ])("is right for %s", (_name, one, other, meters) => {
    expect(Math.round(distanceBetween(one, other))).toBe(meters);
  });
});

describe("how it stands with arriving", () => {
  it.each([
    ["none without a block", { next: { block: null, warehouse: null, obstacle: null } }, { kind: "none" }],
    [
      "prevented where the platform has signed the driver out, however near they are",
      { next: { ...next, obstacle: { kind: "not_linked" } } },
      { kind: "prevented", obstacle: { kind: "not_linked" } },
    ],
    [
      "open again after a wait",
      { next: { ...next, obstacle: { kind: "wait", until: NOW } } },
      { kind: "inside" },
    ],
    ["locating before a fix", { position: { kind: "locating" } }, { kind: "locating" }],
    [
      "locating where the fix is older than a minute",
      { position: fix(0, { ageMs: 61_000 }) },
      { kind: "locating" },
    ],
    ["denied", { position: { kind: "denied" } }, { kind: "denied" }],
    ["coarse", { position: fix(0, { accuracyMeters: 501 }) }, { kind: "coarse", accuracyMeters: 501 }],
    ["inside at the edge", { position: fix(149) }, { kind: "inside" }],
    [
      "done where it was checked in before",
      { next: { ...next, block: { ...next.block!, status: "checked_in" } } },
      { kind: "done", already: true },
    ],
    ["checking while it is asked", { isCheckingIn: true }, { kind: "checking" }],
    [
      "early until it opens",
      { attempt: { response: { outcome: "too_early", opensAt: NOW + 1 }, error: null, retryAt: NOW + 1 } },
      { kind: "early", opensAt: NOW + 1 },
    ],
    [
      "late",
      { attempt: { response: { outcome: "too_late" }, error: null, retryAt: null } },
      { kind: "late" },
    ],
    [
      "outside by the platform's word, though the device says inside",
      {
        attempt: {
          response: { outcome: "outside_geofence", distanceMeters: 210 },
          error: null,
          retryAt: NOW + 1,
        },
      },
      { kind: "outside", distanceMeters: 210 },
    ],
  ] satisfies [string, Partial<ArrivalState>, object][])("is %s", (_name, change, standing) => {
    expect(arrivalStatus(arrival(change))).toEqual(standing);
  });

  it("is outside by so many metres", () => {
    expect(arrivalStatus(arrival({ position: fix(400) }))).toEqual({
      kind: "outside",
      distanceMeters: expect.closeTo(400, 0),
    });
  });
});

describe("the fix to check in with by itself", () => {
  const of = (change: Partial<ArrivalState> = {}, instant = false) =>
    fixToCheckInWith(arrival(change), { instant });
  const early = (retryAt: number): Partial<ArrivalState> => ({
    attempt: { response: { outcome: "too_early", opensAt: retryAt }, error: null, retryAt },
  });

  it("is what the device measured, as it is, once inside", () => {
    expect(of()).toEqual({ ...STATION, accuracyMeters: 10, observedAt: NOW });
    expect(of({ position: fix(160) })).toBeNull();
  });

  it("is none while one is asked, before the next try may follow, or where the fix is old or coarse", () => {
    expect(of({ isCheckingIn: true })).toBeNull();
    expect(of(early(NOW + 1))).toBeNull();
    expect(of(early(NOW))).not.toBeNull();
    expect(of({ position: fix(0, { ageMs: 61_000 }) })).toBeNull();
    expect(of({ position: fix(0, { accuracyMeters: 501 }) })).toBeNull();
  });

  it("is tried once by the instant variant, wherever the device is", () => {
    expect(of({ position: fix(5_000) }, true)).not.toBeNull();
    expect(of({ position: fix(5_000), ...early(NOW) }, true)).toBeNull();
  });
});

describe("the next try after one", () => {
  it.each([
    [{ outcome: "too_early", opensAt: NOW + 5_001 }, null, NOW + 5_001],
    // By the platform's clock it is too early still.
    [{ outcome: "too_early", opensAt: NOW }, null, NOW + 5_000],
    [{ outcome: "too_early", opensAt: null }, null, NOW + MINUTE_MS],
    [{ outcome: "outside_geofence", distanceMeters: null }, null, NOW + 10_000],
    [{ outcome: "too_late" }, null, null],
    [null, new RequestError(503, "platform_unreachable"), NOW + 15_000],
    [null, new RequestError(409, "platform_refused"), NOW + 15_000],
    [null, new RequestError(429, "rate_limited", { retryAfter: 40 }), NOW + 40_000],
    [null, new RequestError(409, "not_linked"), null],
    [null, new RequestError(409, "verification_required"), null],
  ] as const)("follows %j %s", (answer, error, at) => {
    expect(nextAttemptAt(answer, error, NOW)).toBe(at);
  });
});
