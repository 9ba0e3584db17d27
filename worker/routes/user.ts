import { Hono } from "hono";
import { changeDriver, isInGoodStanding, toUser } from "../../db/queries/drivers.ts";
import { userPatch } from "../contract/user.ts";
import type { App } from "../http/context.ts";
import { Failure } from "../http/failure.ts";
import { parseSealed, sealed } from "../http/sealed.ts";
import { callersRecord, tellObject } from "./driver.ts";

/** The driver's own record. */
export const user = new Hono<App>()
  .get("/", async (c) => {
    const record = await callersRecord(c);
    return c.json({ Item: toUser(record, c.var.deps.now()) }, 200);
  })
  .patch("/", sealed, async (c) => {
    const change = parseSealed(userPatch, c.var.sealedBody);
    const { driverId } = c.var.caller;
    const { db, deps } = c.var;
    if ("userDisabled" in change) {
      const record = await callersRecord(c);
      if (change.phoneNumber !== record.row.phoneNumber) throw new Failure("forbidden");
      const switchedOn = change.userDisabled === 0;
      if (switchedOn && !(record.row.proxyInstalled && record.filtersComplete))
        throw new Failure("filters_incomplete");
      if (switchedOn && !isInGoodStanding(record.profile, deps.now())) throw new Failure("no_service");
      await changeDriver(db, driverId, { switchedOn });
    } else if ("mode" in change) {
      await changeDriver(db, driverId, { mode: change.mode, specialMode: change.specialMode ?? null });
    } else if ("updateLanguage" in change) {
      await changeDriver(db, driverId, { language: change.language });
    } else {
      const { name, preferredPhoneNumber } = change;
      await changeDriver(db, driverId, { name, preferredPhoneNumber });
    }
    return c.json({ Item: toUser(await tellObject(c), deps.now()) }, 200);
  });
