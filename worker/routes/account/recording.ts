import { Hono, type Context } from "hono";
import { storeRecordingConsent } from "../../../db/queries/accounts/recording-consent.ts";
import { recordingInput, type RecordingResponse } from "../../contract/account/recording.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { validate } from "../../http/validate.ts";
import { loadCallerRecord, recordAhead } from "../caller.ts";

/** Whether a driver's sessions may be recorded: never before they said so. */
export const recordingRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .get("/", async (c) => {
    requireRecording(c);
    const { row } = await loadCallerRecord(c);
    const { recordingConsent: consent, phoneNumber } = row;
    return c.json({ consent, phoneNumber } satisfies RecordingResponse, 200);
  })
  .put("/", validate("json", recordingInput), async (c) => {
    requireRecording(c);
    const { row } = await loadCallerRecord(c);
    const { consent } = c.req.valid("json");
    await storeRecordingConsent(c.var.db, { driverId: row.id, consent, at: c.var.deps.now() });
    return c.json({ consent, phoneNumber: row.phoneNumber } satisfies RecordingResponse, 200);
  });

/** @throws {ApiError} `not_found` where sessions aren't recorded */
function requireRecording(c: Context<AppEnv>): void {
  if (!c.var.deps.config.recording) throw new ApiError("not_found");
}
