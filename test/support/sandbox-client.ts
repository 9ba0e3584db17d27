import { ALL_DURATIONS } from "../../db/shapes/work/durations.ts";
import { NO_LIMITS, type Filters, type WarehouseFilter } from "../../db/shapes/work/filters.ts";
import type { BlockId, WarehouseId } from "../../db/shapes/units.ts";
import { parseResponse, type DriverClient } from "./driver-client.ts";
import { DEMO_SETTINGS } from "./settings.ts";

type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

/** The driver to sign in. */
export type DriverIdentity = { driverId: string; phoneNumber: string };

/** The issuer in the settings: a Cognito pool that the sandbox serves. */
export const ISSUER = `https://cognito-idp.us-east-1.amazonaws.com/${DEMO_SETTINGS.COGNITO_POOL_ID}`;

/** An id token for a driver from the sandbox's user pool. */
export async function signIn(
  { fetch, origin }: { fetch: Fetch; origin: string },
  { driverId, phoneNumber }: DriverIdentity,
  claims: Record<string, unknown> = {},
): Promise<string> {
  const { idToken } = await postJson<{ idToken: string }>({ fetch, origin }, "/sandbox/identity/token", {
    sub: driverId,
    phoneNumber,
    clientId: DEMO_SETTINGS.COGNITO_CLIENT_ID,
    issuer: ISSUER,
    ...claims,
  });
  return idToken;
}

/** Links a driver's platform account through the API, with the code and the approval from the sandbox's control routes. */
export async function linkPlatformAccount(
  { fetch, origin, client }: { fetch: Fetch; origin: string; client: DriverClient },
  email: string,
): Promise<void> {
  const login = await client.sealed("POST", "/flex/v1/setup/login", { email, password: "right" });
  await parseResponse(login, "setup login");
  const world = await platformWorld({ fetch, origin }, email);
  const session = world.sessions.find((open) => open.email === email && open.state === "otp_required");
  if (!session) throw new Error("the platform has no session");
  await parseResponse(
    await client.sealed("POST", "/flex/v1/setup/otp", { code: session.code }),
    "setup code",
  );
  await postJson({ fetch, origin }, `/sandbox/platform/sessions/${session.id}/approve`, {});
  const { step } = await client.setup();
  if (step !== "linked") throw new Error(`linking stopped at ${step}`);
}

export type PlatformWorld = {
  sessions: { id: string; email: string; state: string; code: string }[];
  warehouses: {
    warehouseId: WarehouseId;
    name: string | null;
    timeZone: string;
    location: { latitude: number; longitude: number };
  }[];
  drivers: { driverId: string; email: string; linked: boolean }[];
};

/** @param email whose sessions and account alone; everybody's if left out */
export async function platformWorld(
  { fetch, origin }: { fetch: Fetch; origin: string },
  email?: string,
): Promise<PlatformWorld> {
  const query = email === undefined ? "" : `?${new URLSearchParams({ email })}`;
  return parseResponse(await fetch(`${origin}/sandbox/platform/world${query}`), "sandbox world");
}

/** A block that a driver accepted by hand on the platform, starting in this many minutes. */
export async function acceptOnPlatform(
  target: { fetch: Fetch; origin: string },
  email: string,
  { warehouseId, inMinutes }: { warehouseId: WarehouseId; inMinutes: number },
): Promise<BlockId> {
  const { drivers } = await platformWorld(target);
  const driverId = drivers.find((known) => known.email === email)?.driverId;
  const startsAt = new Date(Date.now() + inMinutes * 60_000).toISOString();
  const block = { driverId, warehouseId, startsAt, minutes: 180, payCents: 9000 };
  return (await postJson<{ blockId: BlockId }>(target, "/sandbox/platform/blocks", block)).blockId;
}

export async function postJson<Answer>(
  { fetch, origin }: { fetch: Fetch; origin: string },
  path: string,
  body: unknown,
): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return parseResponse(response, path);
}

/** Filters for one warehouse that most offers pass. Override what a test is about. */
export function permissiveWarehouseFilter(
  warehouseId: WarehouseId,
  change: Partial<WarehouseFilter> = {},
): WarehouseFilter {
  return {
    warehouseId,
    selected: true,
    minPriceCents: 100,
    bufferMinutes: 0,
    minHourlyCents: 0,
    durations: ALL_DURATIONS,
    onlyHourly: false,
    action: "take",
    askSeconds: 60,
    extraRules: [],
    ...change,
  };
}

const wholeDay = { active: true, start: 0, end: 0 };

/** Filters for any time, without a general minimum. */
export function permissiveFilters(
  warehouses: readonly WarehouseFilter[],
  change: Partial<Filters> = {},
): Filters {
  return {
    minHourlyCents: null,
    schedule: [wholeDay, wholeDay, wholeDay, wholeDay, wholeDay, wholeDay, wholeDay],
    warehouses: [...warehouses],
    limits: NO_LIMITS,
    dates: [],
    ...change,
  };
}
