import { Hono } from "hono";
import { deleteAccount } from "../../../db/queries/accounts/account-changes.ts";
import { followAccountSoon } from "../../accounts/account-changes.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { freshSignIn } from "../../http/gate/fresh-sign-in.ts";
import { noteSecurity } from "../../http/gate/note-security.ts";
import { outliveCaller } from "../../http/request-scope.ts";
import { createCheckoutContext } from "../../payments/checkout.ts";
import { closePayments } from "../../payments/close-payments.ts";
import { loadCallerRecord, recordAhead } from "../caller.ts";
import { streamDriverExport } from "./driver-export.ts";

/** Exports a driver's data, and deletes the account. */
export const accountRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .get("/export", freshSignIn, async (c) => streamDriverExport(c, await loadCallerRecord(c)))
  /** Once the account is gone, what is left is repeated until it is done. */
  .delete("/", freshSignIn, async (c) => {
    const { caller, db, deps } = c.var;
    const checkout = createCheckoutContext({ deps, db });
    // First, since it may fail: then nothing is deleted, and the driver is told.
    await closePayments(checkout, caller.driverId);
    await deleteAccount(deps.db, caller.driverId, deps.now());
    c.var.userPool?.forgetSessions();
    await noteSecurity(c, "account_deleted");
    await outliveCaller(followAccountSoon(checkout, caller.driverId));
    return c.body(null, 204);
  });
