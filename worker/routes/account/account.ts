import { Hono } from "hono";
import { stream } from "hono/streaming";
import { deleteAccount } from "../../../db/queries/accounts/account-changes.ts";
import { loadDriverData } from "../../../db/queries/accounts/account-deletion.ts";
import type { DriverExport } from "../../contract/account/driver-export.ts";
import { followAccountSoon } from "../../accounts/account-changes.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { freshSignIn } from "../../http/gate/fresh-sign-in.ts";
import { noteSecurity } from "../../http/gate/note-security.ts";
import { outliveCaller } from "../../http/request-scope.ts";
import { createCheckoutContext } from "../../payments/checkout.ts";
import { closePayments } from "../../payments/close-payments.ts";
import { callerObject, loadCallerRecord } from "../caller.ts";
import { toUser } from "./user-response.ts";

const LOG_PAGE = 500;

/** Exports a driver's data, and deletes the account. */
export const accountRoutes = new Hono<AppEnv>()
  .get("/export", freshSignIn, async (c) => {
    const { caller, db, deps, userPool } = c.var;
    const { row, profile, ...rest } = await loadCallerRecord(c);
    const object = callerObject(c);
    const [driverData, account, { warehouses, held }, givenBack, browsersListening, textsAbout] =
      await Promise.all([
        loadDriverData(db, caller.driverId),
        userPool?.exportAccount(caller.driverId) ?? null,
        object.snapshot(),
        object.givenBack(),
        object.pushSessions(),
        object.sentTexts(),
      ]);
    const now = deps.now();
    const head: Omit<DriverExport, "log" | "unreadableRows"> = {
      exportedAt: now,
      account,
      user: toUser({ row, profile, ...rest }, now),
      createdAt: row.createdAt,
      waitingForSpot: row.waitingForSpot,
      notifications: row.notifications,
      recording:
        row.recordingConsent === null ? null : { consent: row.recordingConsent, at: row.recordingConsentAt },
      browsersListening: browsersListening.length,
      filters: { version: profile.filtersVersion, filters: profile.filters },
      ...driverData,
      textsAbout: textsAbout.map((text) => ({ ...text, about: { ...text.about } })),
      warehouses,
      held,
      givenBack,
    };
    c.header("content-type", "application/json");
    c.header("content-disposition", `attachment; filename="${fileName(deps.config.productName, now)}"`);
    // The log of a busy month exceeds the size of one RPC response.
    return stream(c, async (out) => {
      await out.write(`${JSON.stringify(head).slice(0, -1)},"log":[`);
      for (let after = 0; ;) {
        const page = await object.logPage({ after, limit: LOG_PAGE });
        const text = page.map(({ seq, event }) => JSON.stringify({ seq, event })).join(",\n");
        const last = page.at(-1);
        if (last) await out.write(after === 0 ? text : `,\n${text}`);
        if (!last || page.length < LOG_PAGE) break;
        after = last.seq;
      }
      // Counted last, since reading the log may find some.
      await out.write(`],"unreadableRows":${await object.countUnreadableRows()}}`);
    });
  })
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

function fileName(productName: string, now: number): string {
  const product = productName.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return `${product}-${new Date(now).toISOString().slice(0, 10)}.json`;
}
