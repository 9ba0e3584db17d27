import { Hono } from "hono";
import { changeDriver, createDriver, isInGoodStanding, toUser } from "../../db/queries/drivers.ts";
import type { EarningsAnswer } from "../contract/earnings.ts";
import { LANGUAGES, userDetails, userInput, userPatch, type Language } from "../contract/user.ts";
import type { App } from "../http/context.ts";
import { Failure } from "../http/failure.ts";
import { parseSealed, sealed } from "../http/sealed.ts";
import { validated } from "../http/validated.ts";
import { callersObject, callersRecord, tellObject } from "./driver.ts";

/** The driver's own record. */
export const user = new Hono<App>()
  .get("/", async (c) => {
    const record = await callersRecord(c);
    return c.json({ Item: toUser(record, c.var.deps.now()) }, 200);
  })
  .get("/earnings", async (c) => {
    const { row } = await callersRecord(c);
    const earnings = row.proxyInstalled ? await callersObject(c).earnings() : null;
    return c.json({ earnings } satisfies EarningsAnswer, 200);
  })
  .put("/", sealed, async (c) => {
    const given = parseSealed(userInput, c.var.sealedBody);
    const { caller, db, deps } = c.var;
    if (given.phoneNumber !== caller.phoneNumber) throw new Failure("forbidden");
    const made = await createDriver(db, {
      id: caller.driverId,
      phoneNumber: caller.phoneNumber,
      name: given.name,
      language: languageOf(c.req.header("accept-language")),
      referral: given.referral ?? deps.config.productName.toLowerCase(),
      humanTimezone: readTimeZone(given.humanTimezone),
      createdAt: deps.now(),
    });
    if (!made) throw new Failure("conflict", { fields: { phoneNumber: "invalid" } });
    return c.json({ Item: toUser(await tellObject(c), deps.now()) }, 200);
  })
  .put("/:phone{(?:\\+|%2B|%2b)?[0-9]+}", validated("json", userDetails), async (c) => {
    const { row } = await callersRecord(c);
    if (c.req.param("phone") !== row.phoneNumber) throw new Failure("forbidden");
    const { humanTimezone, ...rest } = c.req.valid("json");
    const zone = readTimeZone(humanTimezone);
    await changeDriver(c.var.db, row.id, { ...rest, humanTimezone: zone });
    return c.json({ Item: toUser(await tellObject(c), c.var.deps.now()) }, 200);
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

const DEFAULT_TIME_ZONE = "America/New_York";

/** The first language of ours that the browser names. */
function languageOf(header: string | undefined): Language {
  const wanted = (header ?? "").split(",").map((part) => part.trim().slice(0, 2).toLowerCase());
  return wanted.flatMap((tag) => LANGUAGES.find((language) => language === tag) ?? [])[0] ?? "en";
}

/**
 * The zone as given, if the runtime knows it.
 * @throws {Failure} `invalid_request`
 */
function readTimeZone(given: string | undefined): string {
  if (given === undefined) return DEFAULT_TIME_ZONE;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: given }).resolvedOptions().timeZone;
  } catch {
    throw new Failure("invalid_request", { fields: { humanTimezone: "invalid" } });
  }
}
