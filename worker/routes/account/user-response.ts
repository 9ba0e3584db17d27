import type { Context } from "hono";
import { isInGoodStanding, type DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { User, UserResponse } from "../../contract/account/user.ts";
import type { AppEnv } from "../../http/app-env.ts";

/** The record as the API returns it. */
export function toUser(record: DriverRecord, now: EpochMs): User {
  const { row, profile, filtersComplete } = record;
  return {
    revision: row.revision,
    name: row.name,
    phoneNumber: row.phoneNumber,
    preferredPhoneNumber: row.preferredPhoneNumber,
    preferredPhoneVerified: row.preferredPhoneVerified || row.preferredPhoneNumber === row.phoneNumber,
    language: row.language,
    mode: row.mode,
    specialMode: row.specialMode,
    userDisabled: row.switchedOn ? 0 : 1,
    referral: row.referral,
    humanTimezone: row.humanTimezone,
    humanRegion: row.humanRegion,
    flexEmail: row.flexEmail,
    proxyInstalled: row.proxyInstalled,
    setupComplete: row.proxyInstalled && filtersComplete,
    waitingForSpot: row.waitingForSpot,
    goodStanding: isInGoodStanding(record, now),
    trialPending: row.trialPending,
    expirationDateTimestamp: profile.serviceUntil ?? 0,
  };
}

/** The response of a call that reads or changes the record. */
export function toUserResponse(c: Context<AppEnv>, record: DriverRecord): UserResponse {
  return { Item: toUser(record, c.var.deps.now()) };
}
