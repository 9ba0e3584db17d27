import { startSandbox } from "../sandbox-server.ts";
import { createContractClient } from "./contract.ts";

type Json = Record<string, unknown>;

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** A Monday morning in New York. */
export const START = Date.parse("2026-11-23T15:00:00Z");
export const BETHPAGE = { latitude: 40.7432, longitude: -73.4954 };

/** A running sandbox and the actions that tests need. */
export async function openSandboxHarness() {
  const server = await startSandbox();
  const client = createContractClient(server.url);

  async function control<Answer = Json>(method: string, path: string, body?: unknown): Promise<Answer> {
    const sent =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const response = await fetch(server.url + path, { method, ...sent });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === "" ? {} : JSON.parse(text)) as Answer;
  }

  const world = (change: Json) => control("POST", "/sandbox/world", change);

  /** An empty world with a stopped clock, no generated offers and automatic approvals. */
  const clear = (change: Json = {}) =>
    world({ reset: true, generate: false, now: START, autoApproveMs: 0, ...change });

  const begin = (email: string, password = "good") =>
    client.call("createSession", { body: { email, password, device: { id: "device-1", name: "Jornada" } } });

  async function codeFor(recipient: string): Promise<string> {
    const path = `/sandbox/sms?to=${encodeURIComponent(recipient)}`;
    const { messages } = await control<{ messages: { body: string }[] }>("GET", path);
    return /\d{6}/.exec(messages[0]?.body ?? "")?.[0] ?? "";
  }

  async function link(email = "driver@example.com") {
    const session = String((await begin(email)).body.sessionId);
    const answer = await client.call("answerOtp", {
      path: { sessionId: session },
      body: { code: await codeFor(email) },
    });
    const { accessToken: token, refreshToken } = answer.body.tokens as {
      accessToken: string;
      refreshToken: string;
    };
    const { driverId } = (await client.call("readDriver", { token })).body as { driverId: string };
    return { token, refreshToken, driverId };
  }

  /** Publishes an offer that starts this many minutes after `START`. */
  async function drop(
    given: { inMinutes?: number; minutes?: number; payCents?: number } & Json = {},
  ): Promise<string> {
    const { inMinutes = 120, minutes = 180, payCents = 9000, ...rest } = given;
    const startsAt = new Date(START + inMinutes * MINUTE).toISOString();
    const body = { warehouseId: "nyc-dny4", startsAt, minutes, payCents, ...rest };
    return (await control<{ offerId: string }>("POST", "/sandbox/platform/offers", body)).offerId;
  }

  const accept = (token: string, offerId: string, { key = `key-${offerId}`, payAtLeast = 0 } = {}) =>
    client.call("acceptOffer", {
      token,
      path: { offerId },
      headers: { "Idempotency-Key": key },
      body: { payAtLeast },
    });

  const fault = (order: Json) => control("POST", "/sandbox/faults", order);

  return { server, ...client, control, world, clear, begin, codeFor, link, drop, accept, fault };
}

export type SandboxHarness = Awaited<ReturnType<typeof openSandboxHarness>>;
/** The stories of one file share its sandbox, which is started before the first of them. */
export type OpenSandbox = () => SandboxHarness;
