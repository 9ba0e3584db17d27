import type { User } from "../../worker/contract/account/user.ts";

/** The record of a driver who has just registered. */
export const RECORD: User = {
  name: "Ana",
  phoneNumber: "+15550100144",
  preferredPhoneNumber: null,
  language: "en",
  mode: "lucrative",
  specialMode: null,
  userDisabled: 1,
  referral: "jornada",
  humanTimezone: "America/New_York",
  humanRegion: null,
  flexEmail: null,
  proxyInstalled: false,
  setupComplete: false,
  goodStanding: false,
  expirationDateTimestamp: 0,
};
