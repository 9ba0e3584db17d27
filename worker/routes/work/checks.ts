import { Hono } from "hono";
import { toDriverOwner } from "../../../db/queries/accounts/drivers.ts";
import type { ChecksResponse } from "../../contract/work/checks.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { callerObject, loadCallerRecord, recordAhead } from "../caller.ts";

/** The list of everything that a capture needs. */
export const checkRoutes = new Hono<AppEnv>().use(recordAhead).get("/", async (c) => {
  const record = await loadCallerRecord(c);
  const { row, profile } = record;
  const { preferredPhoneNumber: preferred, preferredPhoneVerified: isProved, phoneNumber } = row;
  const isNumberPending = preferred !== null && preferred !== phoneNumber && !isProved;
  const checks = await callerObject(c).checks(toDriverOwner(record), { profile, isNumberPending });
  return c.json({ checks } satisfies ChecksResponse, 200);
});
