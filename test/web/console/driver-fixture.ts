import { driverId } from "../../../db/shapes/units.ts";
import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import { NOON } from "../../engine/fixtures.ts";

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
