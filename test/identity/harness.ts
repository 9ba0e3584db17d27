import { vi } from "vitest";
import * as z from "zod";
import { openDb, type Db } from "../../db/client.ts";
import { createKeys } from "../../durable/runtime/keys.ts";
import type { Log } from "../../durable/runtime/log.ts";
import type { SmsFailure } from "../../durable/messaging/sms.ts";
import { createTextDoor, type TextDoor } from "../../durable/texts/text-door.ts";
import type { TextLimits } from "../../durable/texts/text-limits.ts";
import { driverId } from "../../db/shapes/units.ts";
import {
  createPoolContext,
  type PoolContext,
  type PoolDeps,
  type PoolLimits,
  type PoolSettings,
} from "../../worker/identity/pool-context.ts";
import { createUserPool, type TokenFacts, type UserPool } from "../../worker/identity/user-pool.ts";
import { d1, resetDatabase } from "./database.ts";

/** Where the pool takes its calls. */
export const ENDPOINT = "https://jornada.test/identity/";

/** A pool with the texts it sent, the requests it got, and a clock that it shares with the clients. */
export type PoolHarness = {
  pool: UserPool;
  /** The arguments of the pool's own functions. */
  context: PoolContext;
  db: Db;
  endpoint: string;
  poolId: string;
  clientId: string;
  texts: { to: string; body: string }[];
  calls: { operation: string; body: Record<string, unknown>; status: number }[];
  /** Moves the clock of the pool and of every client. */
  advanceClock(lengthMs: number): void;
  /** The code in the last text to a number. */
  codeFor(phone: string): string;
  /** The lines that pool and text door logged. */
  logs: Record<string, unknown>[];
  /** The way to texts that the pool sends its codes by. */
  door: TextDoor;
  /** Makes sending texts fail, until it is set to null. */
  setGatewayFailure(reason: SmsFailure | null): void;
  /** Calls an operation directly. */
  call(
    operation: string,
    body: unknown,
    /** The caller's address; none for a call from inside. */
    address?: string,
    headers?: { cookie?: string },
  ): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>;
  /** Registers and confirms an account. */
  register(options?: {
    phone?: string;
    password?: string;
  }): Promise<{ phone: string; password: string; sub: string }>;
  /** Starts a sign-in with the password flow. */
  start(account: Account, parameters?: Record<string, string>): Promise<Record<string, unknown>>;
  /** Responds to a challenge. */
  respond(
    challenge: Record<string, unknown>,
    responses: Record<string, string>,
  ): Promise<Record<string, unknown>>;
  /** Signs in with the password flow, without a challenge. */
  signIn(account: Account): Promise<Tokens>;
  /** How many rows a table has. */
  count(table: string): Promise<number>;
  /** Another pool on the same database. */
  createSiblingPool(deps: Partial<PoolDeps>): UserPool;
};

export type Account = { phone: string; password: string };

export const tokens = z.object({ IdToken: z.string(), AccessToken: z.string(), RefreshToken: z.string() });
export type Tokens = z.output<typeof tokens>;

/** The fictional area code 555 and what is served by default. */
const TEXT_COUNTRIES = ["US", "CA", "+1555"];
const TEXT_LIMITS: TextLimits = {
  perNumber: { perHour: 5, perDay: 10 },
  perAccount: { perHour: 8, perDay: 20 },
  perNetwork: { perHour: 20, perDay: 60 },
  toNewNumbers: { perHour: 200, perDay: 1000 },
  toProvedNumbers: { perHour: 200, perDay: 1000 },
  toDrivers: { perHour: 2000, perDay: 20_000 },
  toInvitedNumbers: { perHour: 100, perDay: 500 },
};

export const PASSWORD = "Jornada-1-demo";

let phones = 0;

/** A phone number that no other test in the file uses. */
export function newPhone(): string {
  phones += 1;
  return `+1555${String(100_0000 + phones)}`;
}

/** Creates an empty pool and routes the global `fetch`, which the unmodified clients use, to it. */
export async function openPoolHarness(
  options: {
    settings?: Partial<PoolSettings>;
    limits?: Partial<PoolLimits>;
    textLimits?: Partial<TextLimits>;
    onGuessLock?: PoolDeps["onGuessLock"];
  } = {},
): Promise<PoolHarness> {
  vi.useRealTimers();
  await resetDatabase();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const texts: PoolHarness["texts"] = [];
  const calls: PoolHarness["calls"] = [];
  const logs: PoolHarness["logs"] = [];
  let gatewayFailure: SmsFailure | null = null;
  const db = openDb(d1);
  const writeLog: Log = (_level, event, facts) => void logs.push({ event, ...facts });
  const door = createTextDoor({
    sms: {
      sendText: async (text) => {
        if (gatewayFailure === "number")
          return { kind: "failed", reason: gatewayFailure, problem: "landline", retryable: false };
        if (gatewayFailure) return { kind: "failed", reason: gatewayFailure, retryable: false };
        texts.push(text);
        return { kind: "sent", id: null };
      },
    },
    db,
    now: () => Date.now(),
    log: writeLog,
    countries: TEXT_COUNTRIES,
    limits: { ...TEXT_LIMITS, ...options.textLimits },
    publicUrl: "https://jornada.test",
  });
  const deps: PoolDeps = {
    db,
    keys: createKeys(`test:${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`),
    texts: door,
    log: writeLog,
    messages: { code: (language, code) => `${language} ${code}` },
    now: () => Date.now(),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    publicUrl: "https://jornada.test",
    poolId: "local_Jornada1",
    clientId: "jornadaweb",
    settings: { secondFactors: true, ...options.settings },
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.onGuessLock ? { onGuessLock: options.onGuessLock } : {}),
  };
  const pool = createUserPool(deps);
  const route = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    if (!request.url.startsWith("https://jornada.test/identity")) throw new TypeError("fetch failed");
    const target = request.headers.get("x-amz-target") ?? "";
    const body = new TextDecoder().decode(await request.clone().arrayBuffer());
    const response = readableAsText(await pool.handle(request));
    calls.push({
      operation: target.split(".")[1] ?? request.method,
      body: parseObject(body),
      status: response.status,
    });
    return response;
  };
  vi.stubGlobal("fetch", route);
  const harness: PoolHarness = {
    pool,
    context: createPoolContext(deps),
    db,
    endpoint: ENDPOINT,
    poolId: deps.poolId,
    clientId: deps.clientId,
    texts,
    calls,
    advanceClock: (lengthMs) => void vi.setSystemTime(Date.now() + lengthMs),
    codeFor: (phone) => /\d{6}/.exec(texts.findLast(({ to }) => to === phone)?.body ?? "")?.[0] ?? "none",
    logs,
    door,
    setGatewayFailure: (reason) => {
      gatewayFailure = reason;
    },
    call: async (operation, body, address, more = {}) => {
      const response = await route(ENDPOINT, {
        method: "POST",
        headers: {
          "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`,
          ...more,
          ...(address === undefined ? {} : { "cf-connecting-ip": address }),
        },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
      const text = new TextDecoder().decode(await response.arrayBuffer());
      return { status: response.status, body: parseObject(text || "{}"), headers: response.headers };
    },
    register: async ({ phone = newPhone(), password = PASSWORD } = {}) => {
      const UserAttributes = [{ Name: "name", Value: "Ana Lima" }];
      const signUp = { ClientId: deps.clientId, Username: phone, Password: password, UserAttributes };
      const { body } = await harness.call("SignUp", signUp);
      const ConfirmationCode = harness.codeFor(phone);
      await harness.call("ConfirmSignUp", { ClientId: deps.clientId, Username: phone, ConfirmationCode });
      return { phone, password, sub: String(body["UserSub"]) };
    },
    start: async ({ phone, password }, parameters = {}) => {
      const AuthParameters = { USERNAME: phone, PASSWORD: password, ...parameters };
      const start = { ClientId: deps.clientId, AuthFlow: "USER_PASSWORD_AUTH", AuthParameters };
      return (await harness.call("InitiateAuth", start)).body;
    },
    respond: async ({ ChallengeName, Session }, ChallengeResponses) => {
      const response = { ClientId: deps.clientId, ChallengeName, Session, ChallengeResponses };
      return (await harness.call("RespondToAuthChallenge", response)).body;
    },
    signIn: async (account) => tokens.parse((await harness.start(account))["AuthenticationResult"]),
    count: async (table) => (await d1.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n")) ?? 0,
    createSiblingPool: (more) => createUserPool({ ...deps, ...more }),
  };
  return harness;
}

/** workerd warns when a body of this protocol's content type is read as text, which all of the clients do. */
function readableAsText(response: Response): Response {
  const text = async () => new TextDecoder().decode(await response.arrayBuffer());
  const json = async () => JSON.parse(await text());
  return Object.defineProperties(response, { text: { value: text }, json: { value: json } });
}

function parseObject(text: string): Record<string, unknown> {
  const parsed = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text.startsWith("{") ? text : "{}"));
  return parsed.data ?? {};
}

/** The rejection of a promise as the client reports it: its code or name, and its message. */
export async function errorOf(promise: Promise<unknown>): Promise<{ type: string; message: string }> {
  try {
    await promise;
  } catch (error) {
    const { code, name, message } = z
      .object({ code: z.string().optional(), name: z.string().optional(), message: z.string() })
      .parse(
        error instanceof Error ? { code: codeOf(error), name: error.name, message: error.message } : error,
      );
    return { type: code ?? name ?? "none", message };
  }
  throw new Error("the promise was not rejected");
}

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The session's claims in a verified token. */
export function factsOf(token: string): TokenFacts {
  const { sub, origin_jti, iat, exp } = claimsOf(token);
  return {
    userId: driverId.parse(sub),
    originJti: String(origin_jti),
    lifetimeSeconds: Number(exp) - Number(iat),
  };
}

/** Decodes the claims of a token without verifying it. */
export function claimsOf(token: string): Record<string, unknown> {
  const part = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  return parseObject(new TextDecoder().decode(Uint8Array.from(atob(part), (letter) => letter.charCodeAt(0))));
}
