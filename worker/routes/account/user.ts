import { Hono, type Context } from "hono";
import { claimNumber, loadAccountChange } from "../../../db/queries/accounts/account-changes.ts";
import {
  createDriver,
  isInGoodStanding,
  toDriverOwner,
  type DriverRecord,
} from "../../../db/queries/accounts/drivers.ts";
import { switchOnWithTrial } from "../../../db/queries/rewards/trial.ts";
import type { EarningsResponse } from "../../../db/shapes/work/earnings.ts";
import {
  parseReferral,
  userDetails,
  userInput,
  userParams,
  userPatch,
  type CreatedUserResponse,
} from "../../contract/account/user.ts";
import { knownTimeZone } from "../../../db/shapes/time-zone.ts";
import type { SetupResponse } from "../../../db/shapes/work/linking.ts";
import { describeError } from "../../../durable/runtime/describe-error.ts";
import { followAccount, followAccountSoon } from "../../accounts/account-changes.ts";
import { createCheckoutContext } from "../../payments/checkout.ts";
import { DEVICE_HEADER } from "../../contract/headers.ts";
import { noteCallerDevice } from "../../rewards/device.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { requireFreshSignIn } from "../../http/gate/fresh-sign-in.ts";
import { readsAhead } from "../../http/gate/read-ahead.ts";
import { requestLanguage } from "../../http/pages/request-language.ts";
import { visitorTimeZone } from "../../http/pages/served-cases.ts";
import { sealedJson } from "../../http/sealed-body.ts";
import { validate } from "../../http/validate.ts";
import {
  callerObject,
  findCallerFilterGaps,
  loadCallerRecord,
  saveCaller,
  syncCallerObject,
  syncObject,
  recordAhead,
} from "../caller.ts";
import { toUserResponse } from "./user-response.ts";

/** The account as a registration needs it first. */
const accountAhead = readsAhead((c, driverId) => {
  const { deps, userPool } = c.var;
  const read = async () => {
    const [change, number = null] = await Promise.all([
      loadAccountChange(deps.db, driverId),
      userPool?.findNumber(driverId),
    ]);
    return { hasChanged: change !== null, number };
  };
  const account = read();
  // The handler hears of a failure.
  account.catch(() => {});
  c.set("accountAhead", account);
});

/** The driver's own record. */
export const userRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .get("/", async (c) => {
    return c.json(toUserResponse(c, await loadCallerRecord(c)), 200);
  })
  .get("/earnings", async (c) => {
    await loadCallerRecord(c);
    // The object knows them, even after the platform has signed the driver out.
    const earnings = await callerObject(c).earnings();
    return c.json({ earnings } satisfies EarningsResponse, 200);
  })
  .put("/", accountAhead, sealedJson("PUT /flex/v1/user", userInput), async (c) => {
    const given = c.req.valid("json");
    const { caller, db, deps } = c.var;
    if (given.phoneNumber !== caller.phoneNumber) throw new ApiError("forbidden");
    const phoneNumber = await findOwnNumber(c, caller.phoneNumber);
    const driver = {
      id: caller.driverId,
      phoneNumber,
      name: given.name,
      language: requestLanguage(c),
      referral: parseReferral(given.referral) ?? deps.config.productName.toLowerCase(),
      humanTimezone: zoneOfDevice(c, given.humanTimezone),
      createdAt: deps.now(),
    };
    const created = await createDriver(db, driver, crypto.randomUUID());
    const record = created ?? (await takeOverNumber(c, driver));
    if (!record) throw new ApiError("conflict", { fields: { phoneNumber: "invalid" } });
    const device = c.req.header(DEVICE_HEADER);
    const [setup] = await Promise.all([
      loadLinkStep(c, record),
      syncObject(c, record),
      noteCallerDevice(db, { driverId: caller.driverId, device, now: deps.now() }),
    ]);
    const response: CreatedUserResponse = { ...toUserResponse(c, record), ...(setup && { setup }) };
    return c.json(response, 200);
  })
  .put(
    "/:phone{(?:\\+|%2B|%2b)?[0-9]+}",
    validate("param", userParams),
    validate("json", userDetails),
    async (c) => {
      const { row } = await loadCallerRecord(c);
      if (c.req.valid("param").phone !== row.phoneNumber) throw new ApiError("forbidden");
      const { humanTimezone, ...rest } = c.req.valid("json");
      requireOwnerForNumber(c, row, rest.preferredPhoneNumber);
      const zone = parseTimeZone(humanTimezone);
      return c.json(toUserResponse(c, await saveCaller(c, { ...rest, humanTimezone: zone })), 200);
    },
  )
  .patch("/", sealedJson("PATCH /flex/v1/user", userPatch), async (c) => {
    const change = c.req.valid("json");
    const { driverId } = c.var.caller;
    const { db, deps } = c.var;
    if ("userDisabled" in change) {
      const record = await loadCallerRecord(c);
      if (change.phoneNumber !== record.row.phoneNumber) throw new ApiError("forbidden");
      const switchedOn = change.userDisabled === 0;
      if (switchedOn) await requireCompleteFilters(c, record);
      if (switchedOn && !isInGoodStanding(record, deps.now())) throw new ApiError("no_service");
      if (!switchedOn || !record.row.trialPending)
        return c.json(toUserResponse(c, await saveCaller(c, { switchedOn })), 200);
      await switchOnWithTrial(db, driverId, deps.now());
      return c.json(toUserResponse(c, await syncCallerObject(c)), 200);
    }
    if ("mode" in change) {
      const { mode, specialMode = null } = change;
      return c.json(toUserResponse(c, await saveCaller(c, { mode, specialMode })), 200);
    }
    if ("updateLanguage" in change)
      return c.json(toUserResponse(c, await saveCaller(c, { language: change.language })), 200);
    const { name, preferredPhoneNumber } = change;
    requireOwnerForNumber(c, (await loadCallerRecord(c)).row, preferredPhoneNumber);
    return c.json(toUserResponse(c, await saveCaller(c, { name, preferredPhoneNumber })), 200);
  });

/** How far linking has come, for the first screen after registering; null where that screen had better ask. */
async function loadLinkStep(c: Context<AppEnv>, record: DriverRecord): Promise<SetupResponse | null> {
  try {
    const result = await callerObject(c).linkStatus(toDriverOwner(record));
    return result.ok && result.linkedEmail === undefined ? result.response : null;
  } catch (error) {
    c.var.deps.log("warn", "driver.link.unknown", { driverId: record.row.id, ...describeError(error) });
    return null;
  }
}

/** @throws {ApiError} `filters_incomplete`, with the fields that no offer can pass */
async function requireCompleteFilters(c: Context<AppEnv>, { row, profile }: DriverRecord): Promise<void> {
  if (!row.proxyInstalled) throw new ApiError("filters_incomplete");
  const fields = await findCallerFilterGaps(c, profile.filters);
  if (Object.keys(fields).length > 0) throw new ApiError("filters_incomplete", { fields });
}

/**
 * Sends texts to another number only for somebody who has just signed in. To send them to the driver's own again, any
 * sign-in does.
 * @throws {ApiError} `sign_in_again`
 */
function requireOwnerForNumber(c: Context<AppEnv>, row: DriverRecord["row"], wanted: string | null): void {
  if (wanted !== null && wanted !== row.preferredPhoneNumber) requireFreshSignIn(c);
}

const DEFAULT_TIME_ZONE = "America/New_York";

/** The zone that a device names; where it names none that is known, the one of its address on the Internet. */
function zoneOfDevice(c: Context<AppEnv>, named: string | null | undefined): string {
  return knownTimeZone(named ?? "") ?? visitorTimeZone(c, DEFAULT_TIME_ZONE);
}

/**
 * The zone that a driver chose, if the runtime knows it.
 * @throws {ApiError} `invalid_request`
 */
function parseTimeZone(chosen: string): string {
  const known = knownTimeZone(chosen);
  if (known === undefined) throw new ApiError("invalid_request", { fields: { humanTimezone: "invalid" } });
  return known;
}

/**
 * The number that the caller's account has by now, which may be newer than the token. The follow-up of an interrupted
 * deletion comes first.
 * @throws {ApiError} `unauthenticated` if the account was deleted since the token was issued
 */
async function findOwnNumber(c: Context<AppEnv>, claimed: string): Promise<string> {
  const { caller, db, deps, userPool } = c.var;
  let { hasChanged, number } = await c.var.accountAhead;
  if (hasChanged) {
    await followAccount(createCheckoutContext({ deps, db }), caller.driverId);
    number = (await userPool?.findNumber(caller.driverId)) ?? null;
  }
  if (!userPool) return claimed;
  if (number === null) throw new ApiError("unauthenticated");
  return number;
}

/** The number is the caller's by a code, so a record that still has it is of an account that hasn't it any more. */
async function takeOverNumber(
  c: Context<AppEnv>,
  driver: Parameters<typeof createDriver>[1],
): Promise<DriverRecord | null> {
  const { db, deps, userPool } = c.var;
  if (!userPool) return null;
  const { id: userId, phoneNumber } = driver;
  const former = await claimNumber(deps.db, { userId, phoneNumber, now: deps.now() });
  const checkout = createCheckoutContext({ deps, db });
  await Promise.all(former.map((id) => followAccountSoon(checkout, id)));
  return createDriver(db, driver, crypto.randomUUID());
}
