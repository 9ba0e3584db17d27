import { existsSync, writeFileSync } from "node:fs";
import * as z from "zod/mini";
import { objectName } from "../../durable/driver/object-name.ts";
import { DAY_MS, driverId, type EpochMs, type WarehouseId } from "../../db/shapes/units.ts";
import { DriverClient, parseResponse } from "../support/driver-client.ts";
import {
  permissiveFilters,
  permissiveWarehouseFilter,
  linkPlatformAccount,
  platformWorld,
} from "../support/sandbox-client.ts";
import { lastText, openUserPool, registerAccount, signInBySrp } from "../support/identity.ts";
import { DEMO_DRIVER } from "../support/settings.ts";
import { regionIdOf } from "../sandbox/platform/cities.ts";
import { payForService } from "./demo-payments.ts";
import { makeDriverPast, warehousesOf, type DriverPast } from "./driver-past.ts";
import { objectFile, writeObjectStorage } from "./object-file.ts";

const WEEK_MS = 7 * 86_400_000;
/** As `PLATFORM_REGION` is by default. */
const OBJECT_REGION = "enam";
const FRIEND = "5550100177";

/**
 * Keeps a week of service for the demo driver, also after they paid long ago: with the record, since the user pool
 * assigns their id and it isn't known before, and anew at every start.
 */
export function demoService(now: number): string {
  const values = (id: string) => `VALUES ('demo:1', ${id}, ${WEEK_MS}, ${now})`;
  return `
DROP TRIGGER IF EXISTS demo_service;
CREATE TRIGGER demo_service AFTER INSERT ON users WHEN NEW.phone_number = '${DEMO_DRIVER.phoneNumber}'
BEGIN
  INSERT INTO service_credits (source, driver_id, duration_ms, at) ${values("NEW.id")};
END;
UPDATE service_credits SET duration_ms = ${WEEK_MS}, at = ${now} WHERE source = 'demo:1';
UPDATE users SET revision = revision + 1 WHERE phone_number = '${DEMO_DRIVER.phoneNumber}';
`;
}

/**
 * Registers the demo driver, pays, links them, saves filters, invites a friend and switches them on, through the same
 * API as any driver. Only what they lived through before this start is written to local storage.
 */
export async function startDemoDriver(origin: string, stateFolder: string, now: EpochMs): Promise<void> {
  const { phoneNumber, name, email } = DEMO_DRIVER;
  await ensureRegistered(origin, stateFolder);
  const token = await signInDemoDriver(origin);
  const client = new DriverClient({ fetch, origin, token });
  const past = writePast(stateFolder, { id: subjectOf(token), now });
  const made = await client.sealed("PUT", "/flex/v1/user", { name, phoneNumber });
  if (!made.ok) throw new Error(`creating the record failed: ${await made.text()}`);
  const { step } = await client.setup();
  if (step !== "linked") await linkPlatformAccount({ fetch, origin, client }, email);
  // Where a city has a limit of spots, only drivers who have one pay.
  await payForService(origin, client);
  if (past) await tellPlatform(origin, past);
  const { filters } = await client.filters();
  if (filters.warehouses.length === 0) {
    const { warehouses } = await client.warehouses();
    await client.saveFilters(demoFilters(warehouses.map(({ warehouseId }) => warehouseId)));
  }
  await inviteFriend(client);
  const switched = await client.patchUser({ phoneNumber, userDisabled: 0 });
  if (!switched.ok) throw new Error(`switching on failed: ${await switched.text()}`);
}

/** The demo driver's last weeks, as the log of an object that is started for the first time. Null if it was started before. */
function writePast(stateFolder: string, { id, now }: { id: string; now: EpochMs }): DriverPast | null {
  const region = regionIdOf(DEMO_DRIVER.email);
  const filters = demoFilters(warehousesOf(region).map(({ warehouseId }) => warehouseId));
  const settings = {
    revision: 1,
    switchedOn: true,
    filtersVersion: 1,
    serviceUntil: now,
    waitingForSpot: false,
  };
  const past = makeDriverPast(
    { ...settings, mode: "lucrative", specialMode: null, filters },
    { region, now },
  );
  const file = objectFile(stateFolder, objectName(OBJECT_REGION, z.parse(driverId, id)));
  const isNew = writeObjectStorage(
    file,
    ({ events, outbox, wonBlocks, heldBlocks, listings }) => {
      const rows = events.append(past.events);
      for (const [, changes] of Map.groupBy(past.listings, ({ at }) => Math.floor(at / DAY_MS)))
        listings.append(changes);
      const seqs = new Map(
        rows.map(({ seq, event }) => [
          event.kind === "attempt_settled" ? event.attempt.attemptId : null,
          seq,
        ]),
      );
      heldBlocks.follow(
        past.won.map(({ block }) => block),
        { isWhole: false, now },
      );
      for (const { attempt, block } of past.won)
        for (const day of wonBlocks.add(
          { attemptId: attempt.attemptId, block },
          seqs.get(attempt.attemptId) ?? 0,
        ))
          outbox.add({ kind: "won_day", day }, now);
    },
    () => now,
  );
  return isNew ? past : null;
}

/** The platform knows the blocks too. The driver checked in to those that began. */
async function tellPlatform(origin: string, { won }: DriverPast): Promise<void> {
  const time = (at: EpochMs) => new Date(at).toISOString();
  const { drivers } = await platformWorld({ fetch, origin });
  const blocks = won.map(
    ({ block: { startsAt, endsAt, acceptedAt, status: _status, currency: _currency, ...block } }) => ({
      ...block,
      startsAt: time(startsAt),
      endsAt: time(endsAt),
      acceptedAt: time(acceptedAt),
      checkedInAt: startsAt < Date.now() ? time(startsAt - 300_000) : null,
    }),
  );
  const platformId = drivers.find(({ email }) => email === DEMO_DRIVER.email)?.driverId;
  const told = await fetch(`${origin}/sandbox/platform/history`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ driverId: platformId, blocks }),
  });
  await parseResponse(told, "history");
}

async function inviteFriend(client: DriverClient): Promise<void> {
  const { invitations } = await client.fetchJson<{ invitations: unknown[] }>("GET", "/flex/v1/invitations");
  if (invitations.length > 0) return;
  const invited = await client.call("POST", "/flex/v1/invitations", { body: { phoneNumber: FRIEND } });
  if (!invited.ok) throw new Error(`inviting failed: ${await invited.text()}`);
}

/** The `sub` of a token. */
function subjectOf(token: string): string {
  const { sub } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as {
    sub: string;
  };
  return sub;
}

/** The ID token of the demo driver, who is registered. */
export async function signInDemoDriver(origin: string): Promise<string> {
  return (await signInBySrp(await openUserPool(origin), DEMO_DRIVER)).idToken;
}

/**
 * Registers the demo driver with the first start of a state folder, which a file in it remembers: to try a sign-in would
 * print one that is refused. A folder without that file may be of an earlier version, which has registered them.
 */
async function ensureRegistered(origin: string, stateFolder: string): Promise<void> {
  const mark = `${stateFolder}/demo-driver-registered`;
  if (existsSync(mark)) return;
  const pool = await openUserPool(origin);
  try {
    await registerAccount(pool, DEMO_DRIVER, () => lastText(origin, DEMO_DRIVER.phoneNumber));
  } catch (error) {
    if (!(error instanceof Error && error.name === "UsernameExistsException")) throw error;
  }
  writeFileSync(mark, "");
}

/** Filters that some offers pass and others don't, so that the feed shows both. */
function demoFilters(warehouseIds: readonly WarehouseId[]) {
  const warehouseFilters = warehouseIds.map((warehouseId, index) =>
    permissiveWarehouseFilter(warehouseId, {
      selected: index % 4 !== 3,
      minPriceCents: 4500,
      minHourlyCents: 2200,
      bufferMinutes: 30,
    }),
  );
  return permissiveFilters(warehouseFilters);
}
