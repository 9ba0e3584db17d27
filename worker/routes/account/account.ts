import { Hono, type Context } from "hono";
import { deleteAccount } from "../../../db/queries/accounts/account-changes.ts";
import { eraseDeleted, notifyOfDeletion } from "../../accounts/account-changes.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { freshSignIn } from "../../http/gate/fresh-sign-in.ts";
import { ahead, readsAhead } from "../../http/gate/read-ahead.ts";
import { noteSecurity } from "../../http/gate/note-security.ts";
import { afterResponse, outliveCaller } from "../../http/request-scope.ts";
import { createCheckoutContext } from "../../payments/checkout.ts";
import { closePaymentsFirst } from "../../payments/close-payments.ts";
import { loadCallerRecord, recordAhead } from "../caller.ts";
import { streamDriverExport } from "./driver-export.ts";
import { storeRecordingConsent } from "../../../db/queries/accounts/recording-consent.ts";
import { recordingInput, type RecordingResponse } from "../../contract/account/account.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { validate } from "../../http/validate.ts";

const objectsAhead = ahead((c, driverId) => c.var.deps.objectsOf(driverId));

/** Exports a driver's data, and deletes the account. */
export const accountRoutes = new Hono<AppEnv>()
  .get("/export", recordAhead, readsAhead(objectsAhead.start), freshSignIn, async (c) => {
    const [record, objects] = await Promise.all([loadCallerRecord(c), objectsAhead.of(c)]);
    return streamDriverExport(c, record, objects);
  })
  /**
   * Once the account is gone, what is left is repeated until it is done. Only the text to its owner may come after the
   * answer.
   */
  .delete("/", readsAhead(objectsAhead.start), freshSignIn, async (c) => {
    const { caller, db, deps } = c.var;
    const checkout = createCheckoutContext({ deps, db });
    const objects = await objectsAhead.of(c);
    // First, since it may fail: then nothing is deleted, and the driver is told.
    const { customerId } = await closePaymentsFirst(checkout, caller.driverId);
    const change = await deleteAccount(deps.db, caller.driverId, deps.now());
    c.var.userPool?.forgetSessions();
    await noteSecurity(c, "account_deleted");
    const erased = outliveCaller(eraseDeleted(checkout, caller.driverId, { objects, customerId }));
    await afterResponse(async () => notifyOfDeletion(checkout, change, await erased));
    await erased;
    return c.body(null, 204);
  });

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
