import { eq } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { createDriver } from "../../../db/queries/accounts/drivers.ts";
import { addPoolUser } from "../../../db/queries/identity/pool-users.ts";
import { saveFiltersStatements } from "../../../db/queries/work/filters.ts";
import { users } from "../../../db/schema/drivers.ts";
import { driverStates } from "../../../db/schema/fleet.ts";
import { poolSessions } from "../../../db/schema/identity.ts";
import { feedback, invitations } from "../../../db/schema/rewards.ts";
import { securityEvents } from "../../../db/schema/security.ts";
import { citySpots, spots } from "../../../db/schema/spots.ts";
import { sentTexts } from "../../../db/schema/texts.ts";
import { errorGroups, errorGroupVersions } from "../../../db/schema/voice.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { createChance, pick } from "../../sandbox/chance.ts";
import { REGIONS } from "../../sandbox/platform/cities.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../../support/sandbox-client.ts";
import { poolUser } from "../../support/pool-user.ts";
import { warehousesOf } from "../driver-past.ts";
import { MADE_UP_DRIVERS, uuidOf, type MadeUpDriver } from "./made-up-drivers.ts";

const COMMENTS: readonly [score: number, comment: string][] = [
  [10, "Three blocks on my first evening. I was asleep for two of them."],
  [9, "The reasons for every skipped offer are gold, I raised my minimum because of them."],
  [8, "Funciona muy bien, solo quisiera menos mensajes por la noche."],
  [3, "On Tuesday I was on for three hours and got nothing at all. Chicago."],
  [7, "Gostei. Falta escolher galpões pelo mapa."],
  [9, "Me avisa antes que cualquier otro."],
  [5, "Charged, but service started an hour later."],
];

/** Accounts, records, filters, spots and what the objects last reported. */
export async function writeFleetRecords(db: Db, now: EpochMs): Promise<void> {
  for (const { name } of REGIONS)
    await db.insert(citySpots).values({ city: name, spots: 20 }).onConflictDoNothing();
  for (const [index, driver] of MADE_UP_DRIVERS.entries()) {
    await writeDriver(db, driver, now);
    await writeTraces(db, { driver, index }, now);
  }
  await writeVoices(db, now);
}

async function writeDriver(db: Db, driver: MadeUpDriver, now: EpochMs): Promise<void> {
  const { id, phoneNumber, name, language, city, timeZone, email, state } = driver;
  const createdAt = now - driver.joinedAgoMs - HOUR_MS;
  const isLinked = state !== "not_linked";
  await addPoolUser(db, poolUser({ id, phoneNumber, createdAt, attributes: { name } }));
  const record = { id, phoneNumber, name, language, referral: "jornada", humanTimezone: timeZone, createdAt };
  if (!(await createDriver(db, record, uuidOf(`invitation of ${id}`))))
    throw new Error(`${name} was not written`);
  await db
    .update(users)
    .set({
      switchedOn: state !== "off",
      proxyInstalled: isLinked && state !== "signed_out",
      humanRegion: isLinked ? city : null,
      flexEmail: isLinked ? email : null,
    })
    .where(eq(users.id, id));
  await db
    .insert(driverStates)
    .values({ driverId: id, state, since: sinceOf(driver, now), reportedAt: now - MINUTE_MS });
  if (!isLinked) return;
  await db
    .insert(spots)
    .values({ driverId: id, city, status: "held", since: createdAt + HOUR_MS, checkAt: now + 30 * DAY_MS });
  const region = REGIONS.find((one) => one.name === city)?.regionId ?? "";
  const filters = permissiveFilters(
    warehousesOf(region).map(({ warehouseId }, place) =>
      permissiveWarehouseFilter(warehouseId, {
        selected: place % 3 !== 2,
        minPriceCents: 4_500 + 500 * place,
      }),
    ),
  );
  const save = { filters, version: 0, saveId: uuidOf(`filters of ${id}`), listed: null };
  await db.batch(saveFiltersStatements(db, id, save));
}

function sinceOf({ id, state }: MadeUpDriver, now: EpochMs): EpochMs {
  const chance = createChance(`since ${id}`);
  return now - Math.round(chance() * (state === "throttled" ? 20 * MINUTE_MS : 9 * HOUR_MS)) - MINUTE_MS;
}

/** Where they are signed in, what befell their account, and the texts of the last days. */
async function writeTraces(db: Db, { driver, index }: { driver: MadeUpDriver; index: number }, now: EpochMs) {
  const { id: driverId, phoneNumber } = driver;
  const chance = createChance(`traces ${driverId}`);
  const device = pick(chance(), [
    { browser: "Chrome", system: "Android" },
    { browser: "Safari", system: "iPhone" },
  ]);
  const seenAt = now - Math.round(chance() * DAY_MS);
  await db.insert(poolSessions).values({
    ...device,
    originJti: uuidOf(`session of ${driverId}`),
    userId: driverId,
    createdAt: seenAt - 3 * DAY_MS,
    expiresAt: seenAt + 27 * DAY_MS,
    lastSeenAt: seenAt,
    country: "US",
  });
  const events = index % 9 === 4 ? ["sign_in", "sign_in_failed", "locked"] : ["registered", "sign_in"];
  for (const [place, event] of events.entries()) {
    const at = seenAt - (events.length - place) * HOUR_MS;
    const once = {
      userId: driverId,
      event,
      hour: Math.floor(at / HOUR_MS),
      network: "demo",
      times: place + 1,
    };
    await db.insert(securityEvents).values({ ...once, ...device, country: "US", firstAt: at, lastAt: at });
  }
  for (const ago of [3, 21, 40]) {
    const status = index % 11 === 5 && ago === 3 ? "undelivered" : "delivered";
    const sentAt = now - ago * HOUR_MS - Math.round(chance() * HOUR_MS);
    await db
      .insert(sentTexts)
      .values({ id: uuidOf(`text ${ago} ${driverId}`), phoneNumber, account: driverId, status, sentAt });
  }
  if (index % 8 !== 0) return;
  const friend = MADE_UP_DRIVERS[index + 1];
  await db.insert(invitations).values({
    id: uuidOf(`invitation by ${driverId}`),
    inviterId: driverId,
    phoneNumber: friend?.phoneNumber ?? null,
    friendId: friend?.id ?? null,
    hasTrial: false,
    completedAt: null,
    revocations: 0,
    createdAt: now - 12 * DAY_MS,
    withheld: index % 16 === 0 ? "same_card" : null,
  });
}

async function writeVoices(db: Db, now: EpochMs): Promise<void> {
  const chance = createChance("voices");
  for (const [index, { id: driverId }] of MADE_UP_DRIVERS.entries()) {
    const [score, comment] = COMMENTS[index % COMMENTS.length] ?? [9, ""];
    const isWritten = index % 5 === 0;
    const at = now - Math.round(chance() * 20 * DAY_MS);
    const own = { id: uuidOf(`feedback of ${driverId}`), driverId, at };
    if (index % 4 !== 3)
      await db.insert(feedback).values({
        ...own,
        score: isWritten ? score : 6 + Math.floor(chance() * 5),
        comment: isWritten ? comment : null,
      });
  }
  const group = { id: "demo-render", caller: "error_page", name: "TypeError", place: "render feed.js" };
  await db.insert(errorGroups).values({
    ...group,
    message: "Cannot read properties of undefined (reading 'startsAt')",
    reports: 41,
    drivers: 7,
    firstSeenAt: now - 2 * DAY_MS,
    lastSeenAt: now - 40 * MINUTE_MS,
    requestId: "demo-request",
    stack: "at render (feed.js:1:3812)",
  });
  await db.insert(errorGroupVersions).values({ groupId: group.id, version: "0.1.0", reports: 41 });
}
