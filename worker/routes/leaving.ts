import { Hono } from "hono";
import { stream } from "hono/streaming";
import { toUser } from "../../db/queries/drivers.ts";
import { eraseDriver, readKept } from "../../db/queries/leaving.ts";
import type { DriverExport } from "../contract/leaving.ts";
import type { App } from "../http/context.ts";
import { poolOf } from "../http/pool.ts";
import { callersObject, callersRecord } from "./driver.ts";

const LOG_PAGE = 500;

/** Taking everything along, and leaving. */
export const leaving = new Hono<App>()
  .get("/export", async (c) => {
    const { caller, db, deps } = c.var;
    const { row, profile, ...rest } = await callersRecord(c);
    const object = callersObject(c);
    const [kept, account, { warehouses, held }, browsersListening] = await Promise.all([
      readKept(db, caller.driverId),
      poolOf(deps, c.env)?.describeAccount(caller.driverId) ?? null,
      object.snapshot(),
      object.countBrowsers(),
    ]);
    const now = deps.now();
    const head: Omit<DriverExport, "log"> = {
      exportedAt: now,
      account,
      user: toUser({ row, profile, ...rest }, now),
      createdAt: row.createdAt,
      waitingForSpot: row.waitingForSpot,
      notifications: row.notifications,
      browsersListening,
      filters: { version: profile.filtersVersion, filters: profile.filters },
      ...kept,
      warehouses,
      held,
    };
    c.header("content-type", "application/json");
    c.header("content-disposition", `attachment; filename="${fileName(deps.config.productName, now)}"`);
    c.header("cache-control", "no-store");
    // The log of a busy month is larger than one answer of the object may be.
    return stream(c, async (out) => {
      await out.write(`${JSON.stringify(head).slice(0, -1)},"log":[`);
      for (let after = 0; ;) {
        const page = await object.log({ after, limit: LOG_PAGE });
        const text = page.map(({ seq, event }) => JSON.stringify({ seq, event })).join(",\n");
        const last = page.at(-1);
        if (last) await out.write(after === 0 ? text : `,\n${text}`);
        if (!last || page.length < LOG_PAGE) break;
        after = last.seq;
      }
      await out.write("]}");
    });
  })
  /** The account goes last: until then the token is good, so that whoever was cut off can ask again. */
  .delete("/", async (c) => {
    const { caller, db, deps } = c.var;
    await callersObject(c).leave();
    await eraseDriver(db, caller.driverId);
    await poolOf(deps, c.env)?.deleteAccount(caller.driverId);
    return c.body(null, 204);
  });

function fileName(productName: string, now: number): string {
  const product = productName.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return `${product}-${new Date(now).toISOString().slice(0, 10)}.json`;
}
