import { env } from "cloudflare:test";
import type { InvitationsResponse } from "../../worker/contract/money/invitations.ts";
import type { RewardsResponse } from "../../worker/contract/money/rewards.ts";
import { DriverClient } from "../support/driver-client.ts";
import { signIn } from "../support/sandbox-client.ts";
import { driverId as driverIdShape } from "../../db/shapes/units.ts";
import { apiTarget, type TestDriver } from "./harness.ts";

/** A number in the area code that texts go to in tests. */
export function newNumber(): string {
  return `555${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`;
}

export function fetchRewards({ client }: TestDriver): Promise<RewardsResponse> {
  return client.fetchJson("GET", "/flex/v1/rewards");
}

export function redeem({ client }: TestDriver, body: Record<string, unknown>): Promise<Response> {
  return client.call("POST", "/flex/v1/rewards/redeem", {
    body: { idempotencyKey: crypto.randomUUID(), ...body },
  });
}

export function invite({ client }: TestDriver, phoneNumber: string): Promise<Response> {
  return client.call("POST", "/flex/v1/invitations", { body: { phoneNumber } });
}

export function fetchInvitations({ client }: TestDriver): Promise<InvitationsResponse> {
  return client.fetchJson("GET", "/flex/v1/invitations");
}

export async function referralOf(driver: TestDriver): Promise<string> {
  return new URL((await fetchInvitations(driver)).link).searchParams.get("referral") ?? "";
}

/** Somebody who registers with this number now, as the page does. */
export async function registerFriend(tenDigits: string, referral?: string): Promise<TestDriver> {
  const driverId = driverIdShape.parse(crypto.randomUUID());
  const phoneNumber = `+1${tenDigits}`;
  const token = await signIn(apiTarget, { driverId, phoneNumber });
  const client = new DriverClient({ ...apiTarget, token });
  const body = { name: "Bea", phoneNumber, ...(referral === undefined ? {} : { referral }) };
  const answer = await client.sealed("PUT", "/flex/v1/user", body);
  if (!answer.ok) throw new Error(await answer.text());
  return { driverId, phoneNumber, email: "", token, client, warehouseIds: [] };
}

/** The days of service that invitations gave a driver, and the trial, by the entries of the ledger. */
export async function freeDaysOf({ driverId }: TestDriver): Promise<[string, number][]> {
  const { results } = await env.DB.prepare(
    `SELECT source, duration_ms FROM service_credits WHERE driver_id = ?
      AND (source LIKE 'invitation:%' OR source LIKE 'trial:%' OR source LIKE 'reward:%') ORDER BY at, rowid`,
  )
    .bind(driverId)
    .all<{ source: string; duration_ms: number }>();
  return results.map(({ source, duration_ms: ms }) => [
    source.replace(/[\w-]{36}:?/g, "").replace(/:$/, ""),
    ms / 86_400_000,
  ]);
}
