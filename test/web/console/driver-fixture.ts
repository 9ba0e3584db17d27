import { driverId } from "../../../db/shapes/units.ts";
import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import { makeFilters, NOON } from "../../engine/fixtures.ts";

export const ANA = driverId.parse("driver-1");

/** The driver Ana, as the console shows her. */
export const DRIVER: DriverPage["driver"] = {
  id: ANA,
  name: "Ana",
  phone: "+1•••••••0100",
  preferredPhone: null,
  isPreferredVerified: false,
  isMasked: true,
  language: "en",
  humanTimezone: "America/New_York",
  humanRegion: "New York",
  flexEmail: null,
  isLinked: true,
  isSwitchedOn: true,
  isWaitingForSpot: false,
  isEnabled: true,
  mode: "secure",
  specialMode: null,
  createdAt: NOON,
};

/** Her page, before anything has happened. */
export const DRIVER_PAGE: DriverPage = {
  driver: DRIVER,
  service: { until: null, unusedMs: 0, lines: [] },
  points: { balance: 0, lines: [] },
  payments: [],
  prices: [],
  filters: { version: 1, filters: makeFilters(), isComplete: true },
  texts: { delivery: { status: "ok" }, sent: [] },
  sessions: [],
  renewal: null,
  locks: null,
  security: [],
  invitations: [],
  acts: [],
  cut: [],
};
