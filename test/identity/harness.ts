import { vi } from "vitest";
import * as z from "zod";
import { openDb, type Db } from "../../db/client.ts";
import { createKeys } from "../../durable/runtime/keys.ts";
import {
  createPoolContext,
  type PoolContext,
  type PoolDeps,
  type PoolLimits,
  type PoolSettings,
} from "../../worker/identity/pool-context.ts";
import { createUserPool, type UserPool } from "../../worker/identity/user-pool.ts";
import { d1, resetDatabase } from "./database.ts";

/** A pool with the texts it sent, the requests it got, and a clock that it shares with the clients. */
export type PoolHarness = {
  pool: UserPool;
  /** What the pool's own functions receive. */
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
  /** Makes sending texts fail. */
  setTextsBroken(isBroken: boolean): void;
  /** Calls an operation directly. */
  call(
    operation: string,
    body: unknown,
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
  /** Another pool on the same database. */
  createSiblingPool(deps: Partial<PoolDeps>): UserPool;
};

export type Account = { phone: string; password: string };

const tokens = z.object({ IdToken: z.string(), AccessToken: z.string(), RefreshToken: z.string() });
export type Tokens = z.output<typeof tokens>;

export const PASSWORD = "Jornada-1-demo";

let phones = 0;

/** A phone number that no other test in the file uses. */
export function newPhone(): string {
  phones += 1;
  return `+1555${String(100_0000 + phones)}`;
}

/** Creates an empty pool and routes the global `fetch`, which the unmodified clients use, to it. */
export async function openPoolHarness(
  options: { settings?: Partial<PoolSettings>; limits?: Partial<PoolLimits> } = {},
): Promise<PoolHarness> {
  vi.useRealTimers();
  await resetDatabase();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const texts: PoolHarness["texts"] = [];
  const calls: PoolHarness["calls"] = [];
  let areTextsBroken = false;
  const db = openDb(d1);
  const deps: PoolDeps = {
    db,
    keys: createKeys(`test:${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`),
    sendText: async (message) => {
      if (areTextsBroken) throw new Error("the gateway is down");
      texts.push(message);
    },
    messages: { code: (language, code) => `${language} ${code}` },
    now: () => Date.now(),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    publicUrl: "https://jornada.test",
    poolId: "local_Jornada1",
    clientId: "jornadaweb",
    ...options,
  };
  const pool = createUserPool(deps);
  const endpoint = "https://jornada.test/identity/";
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
    endpoint,
    poolId: deps.poolId,
    clientId: deps.clientId,
    texts,
    calls,
    advanceClock: (lengthMs) => void vi.setSystemTime(Date.now() + lengthMs),
    codeFor: (phone) => /\d{6}/.exec(texts.findLast(({ to }) => to === phone)?.body ?? "")?.[0] ?? "none",
    setTextsBroken: (isBroken) => {
      areTextsBroken = isBroken;
    },
    call: async (operation, body) => {
      const response = await route(endpoint, {
        method: "POST",
        headers: { "x-amz-target": `AWSCognitoIdentityProviderService.${operation}` },
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

/** Decodes the claims of a token without verifying it. */
export function claimsOf(token: string): Record<string, unknown> {
  const part = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  return parseObject(new TextDecoder().decode(Uint8Array.from(atob(part), (letter) => letter.charCodeAt(0))));
}
