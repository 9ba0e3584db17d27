import { afterAll, beforeAll, expect, it } from "vitest";
import type { WarehousesResponse } from "../../worker/contract/work/filters.ts";
import type { User } from "../../worker/contract/account/user.ts";
import { LIVE_PROTOCOL, type ServerMessage, type Snapshot } from "../../db/shapes/work/live.ts";
import { startSandbox, type SandboxServer } from "../sandbox-server.ts";
import { startLoopbackApp, type BuiltApp } from "../support/runtime/built-app.ts";
import { driftCells, type DriftCell } from "../support/drift-cells.ts";
import { DriftProxy } from "../support/drift-proxy.ts";
import { DriverClient, parseResponse } from "../support/driver-client.ts";
import { lastText, openUserPool, registerAccount } from "../support/identity.ts";
import { shuffle } from "../support/seeded-rolls.ts";
import { permissiveFilters, permissiveWarehouseFilter, postJson } from "../support/sandbox-client.ts";
import { poolSession } from "../support/stored-session.ts";
import { RUN_SEED } from "../support/run-seed.ts";

const PASSWORD = "Jornada-1-test";
const MANY = "1000/10000";
const MONTH_MS = 30 * 86_400_000;
const IS_WHOLE = process.env["DRIFT"] === "whole";
/** How many fields the whole run changes, each in one of its ways by chance. */
const WHOLE = 60;
/** The calls of which a usual run changes the first field, always the same. */
const USUAL_CALLS = ["acceptOffer", "listBlocks", "listOffers"];
/** How soon what is held is told, and a phase says that nothing can be captured; and a little more for a busy machine. */
const TOLD_WITHIN_MS = 100_000;
const CHECK_MS = 2_000;
/** After a minute of listings that can't be read, the phase says so. */
const UNREADABLE_MS = 75_000;
/** How soon each of the calls has been made, also that of the blocks. */
const MET_WITHIN_MS = 40_000;
/** An hour passes before a token is refreshed. */
const SELDOM_CALLS: ReadonlySet<string> = new Set(["refreshTokens"]);

let outside: SandboxServer;
let proxy: DriftProxy;
let app: BuiltApp;

beforeAll(async () => {
  outside = await startSandbox();
  proxy = new DriftProxy(outside.url);
  app = await startLoopbackApp(outside.url, {
    PLATFORM_URL: await proxy.listen(),
    POLL_FLOOR_MS: "1000",
    TEXTS_PER_NETWORK: MANY,
    TEXTS_TO_NEW_NUMBERS: MANY,
  });
  await control("/sandbox/world", { generate: false, autoApproveMs: 0 });
});
afterAll(async () => {
  await app.stop();
  proxy.stop();
  await outside.stop();
});

const control = <Answer>(path: string, body: unknown) =>
  postJson<Answer>({ fetch, origin: outside.url }, path, body);

function chooseCells(): DriftCell[] {
  const met = driftCells().filter(({ call }) => !SELDOM_CALLS.has(call));
  if (!IS_WHOLE) return USUAL_CALLS.flatMap((name) => met.find(({ call }) => call === name) ?? []);
  const byField = Map.groupBy(met, ({ call, field }) => `${call} ${field}`);
  const cells = [...byField.values()].flatMap((changes, index) =>
    shuffle(changes, RUN_SEED + index).slice(0, 1),
  );
  return shuffle(cells, RUN_SEED).slice(0, WHOLE);
}

type Seated = { cell: DriftCell; client: DriverClient; phoneNumber: string; email: string };

/** A driver with service who links, as far as the drift lets them. */
async function seatDriver(cell: DriftCell, index: number): Promise<Seated> {
  const phoneNumber = `+1555${String(2_000_000 + index)}`;
  const email = `driver${index}@example.com`;
  const pool = await openUserPool(app.origin);
  await registerAccount(pool, { phoneNumber, password: PASSWORD, name: "Ana" }, () =>
    lastText(outside.url, phoneNumber),
  );
  const { idToken: token } = await poolSession(app.origin, { phoneNumber, password: PASSWORD });
  const client = new DriverClient({ fetch, origin: app.origin, token });
  const made = await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });
  await parseResponse<{ Item: User }>(made, "register");
  await app.sql(
    `INSERT INTO service_credits (source, driver_id, duration_ms, at)
     SELECT 'test:' || id, id, ?, ? FROM users WHERE phone_number = ?`,
    MONTH_MS,
    Date.now(),
    phoneNumber,
  );
  await app.sql(`UPDATE users SET revision = revision + 1 WHERE phone_number = ?`, phoneNumber);
  proxy.seat(email, cell);
  await client.sealed("POST", "/flex/v1/setup/login", { email, password: "right" });
  const world = await fetch(`${outside.url}/sandbox/platform/world`);
  const { sessions } = (await world.json()) as { sessions: { email: string; code: string }[] };
  const code = sessions.findLast((session) => session.email === email)?.code;
  await client.sealed("POST", "/flex/v1/setup/otp", { code });
  return { cell, client, phoneNumber, email };
}

/** Switches on, publishes an offer for this driver alone, and does what the cell's call needs. */
async function work({ cell, client, phoneNumber, email }: Seated): Promise<void> {
  // A session or warehouses that can't be read may end the linking, in words.
  const setup = await client.call("GET", "/flex/v1/setup");
  if (!setup.ok || ((await setup.json()) as { step: string }).step !== "linked") return;
  const known = await client.call("GET", "/flex/v1/warehouses");
  if (!known.ok) return;
  const { warehouses } = (await known.json()) as WarehousesResponse;
  const [warehouse] = warehouses;
  if (!warehouse) return;
  await client.saveFilters(
    permissiveFilters(warehouses.map(({ warehouseId }) => permissiveWarehouseFilter(warehouseId))),
  );
  await client.patchUser({ mode: "masacre" });
  await client.patchUser({ phoneNumber, userDisabled: 0 });
  const world = await fetch(`${outside.url}/sandbox/platform/world`);
  const places = ((await world.json()) as { warehouses: Place[] }).warehouses;
  const place = places.find(({ warehouseId }) => warehouseId === warehouse.warehouseId) ?? places[0];
  const isArriving = cell.operation === "check in";
  const { offerId } = await control<{ offerId: string }>("/sandbox/platform/offers", {
    warehouseId: place?.warehouseId,
    startsAt: new Date(Date.now() + (isArriving ? 20 : 180) * 60_000).toISOString(),
    minutes: 60,
    payCents: 9_000,
  });
  proxy.seats.get(email)?.offers.add(offerId);
  if (cell.operation === "earnings") await client.call("GET", "/flex/v1/user/earnings");
  if (isArriving && place) await arrive(client, place, cell.isRefusal);
}

type Place = { warehouseId: string; location: { latitude: number; longitude: number } };

/** Checks in to the captured block; from elsewhere where it shall be refused. */
async function arrive(client: DriverClient, { location }: Place, isElsewhere: boolean): Promise<void> {
  const held = async () => (await snapshotOf(client)).held[0]?.blockId ?? null;
  await expect.poll(held, { timeout: TOLD_WITHIN_MS, interval: CHECK_MS }).not.toBeNull();
  const position = {
    latitude: location.latitude - (isElsewhere ? 1 : 0),
    longitude: location.longitude,
    accuracyMeters: 10,
    observedAt: Date.now(),
  };
  await client.sealed("POST", `/flex/v1/blocks/${await held()}/check-in`, position);
}

/** The snapshot that an open page gets. */
async function snapshotOf(client: DriverClient): Promise<Snapshot> {
  const { ticket } = await client.ticket();
  const socket = new WebSocket(`${app.origin.replace("http", "ws")}/flex/v1/live`, [
    LIVE_PROTOCOL,
    `ticket.${ticket}`,
  ]);
  try {
    return await new Promise((resolve, reject) => {
      socket.addEventListener("open", () => socket.send(JSON.stringify({ kind: "resume", seq: 0 })));
      socket.addEventListener("error", () => reject(new Error("the WebSocket did not open")));
      socket.addEventListener("message", ({ data }: MessageEvent<string>) => {
        const message = JSON.parse(data) as ServerMessage;
        if (message.kind === "snapshot") resolve(message.snapshot);
      });
    });
  } finally {
    socket.close();
  }
}

/** The harms that a cell still does; empty once everyone was told what they must know. */
async function harmsOf({ cell, client, phoneNumber, email }: Seated): Promise<string[]> {
  const seat = proxy.seats.get(email);
  if (!seat) return ["no such driver"];
  const harms: string[] = [];
  const isHeld = seat.accepts.some(({ status }) => status === 200);
  if (isHeld && !/block|probably yours/.test(await lastText(outside.url, phoneNumber))) harms.push("untold");
  if (seat.offers.size > 0 && seat.accepts.length === 0) {
    const { phase } = await snapshotOf(client);
    if (phase.kind === "polling") harms.push("looking in vain");
  }
  if (seat.hasViolated && !(await isNamed(cell))) harms.push("not named");
  return harms;
}

/** Whether the drift was met and an offer tried, or both had their time. */
function wasMet({ email }: Seated, passedMs: number): boolean {
  const seat = proxy.seats.get(email);
  const isTried = !seat || seat.offers.size === 0 || seat.accepts.length > 0 || passedMs > UNREADABLE_MS;
  return isTried && (seat?.hasViolated === true || passedMs > MET_WITHIN_MS);
}

/** Whether an alert names the field, what it is part of, or a part of it. */
async function isNamed({ call, field }: DriftCell): Promise<boolean> {
  const rows = await app.sql(`SELECT name FROM service_alerts WHERE name LIKE 'platform.drift.%'`);
  return rows.some(({ name }) => {
    const [, , named = "", ...parts] = String(name).split(".");
    const found = parts.join(".");
    const isOf = field.startsWith(found) || found.startsWith(field) || found === "body";
    return isOf && (named === call || (call === "Session" && /Session|Otp/.test(named)));
  });
}

it(
  "tells of what is held, of what can't be read and of what changed, whichever fields the platform changes, as it is built",
  { timeout: 900_000 },
  async () => {
    const seated: Seated[] = [];
    for (const [index, cell] of chooseCells().entries()) seated.push(await seatDriver(cell, index));
    await Promise.all(seated.map(work));
    const from = Date.now();
    let left = seated;
    const nameOf = ({ cell }: Seated) => `${cell.call} ${cell.field}, ${cell.change}`;
    const harms = new Map<string, string[]>();
    while (left.length > 0 && Date.now() < from + TOLD_WITHIN_MS) {
      await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
      for (const driver of left) harms.set(nameOf(driver), await harmsOf(driver));
      const passedMs = Date.now() - from;
      left = left.filter((driver) => harms.get(nameOf(driver))?.length !== 0 || !wasMet(driver, passedMs));
    }
    const found = Object.fromEntries([...harms].filter(([, names]) => names.length > 0));
    expect(found, `among ${seated.map(nameOf).join("; ")}`).toEqual({});
    expect(seated).toHaveLength(IS_WHOLE ? WHOLE : USUAL_CALLS.length);
    if (!IS_WHOLE) return;
    const seats = [...proxy.seats.values()];
    expect(seats.filter(({ accepts }) => accepts.length > 0).length).toBeGreaterThan(WHOLE / 3);
    expect(seats.filter(({ hasViolated }) => hasViolated).length).toBeGreaterThan(WHOLE / 3);
  },
);
