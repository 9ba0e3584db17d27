import { sql } from "drizzle-orm";
import { vi } from "vitest";
import { openDb } from "../../db/client.ts";
import { driverId } from "../../db/shapes/units.ts";
import { createKeys } from "../../durable/runtime/keys.ts";
import type { TextDoor } from "../../durable/texts/text-door.ts";
import type { CodeRequest } from "../../durable/texts/text-limits.ts";
import { createPoolContext, type PoolDeps } from "../../worker/identity/pool-context.ts";
import { createUserPool } from "../../worker/identity/user-pool.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

export const NOW = Date.parse("2026-11-21T12:00:00Z");
export const PASSWORD = "Jornada-1-demo";
export const PHONE = "+15550100123";
export const OTHER_PHONE = "+15550100999";
export const OWNER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
export const OTHER = driverId.parse("11111111-1111-4111-8111-111111111111");
/** Base64 of 32 bytes. */
export const KEYS = "test:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/** A pool over a database in memory, a clock that tests move, and a gateway that they steer. */
export function openPool(change: Partial<PoolDeps> = {}, image: Uint8Array | null = null) {
  const database = migratedDatabase();
  if (image) database.deserialize(image);
  const clock = { now: NOW };
  const texts: { to: string; body: string }[] = [];
  const asked: CodeRequest[] = [];
  const gateway: {
    refuses: "number" | "stopped" | "limit" | "ceiling" | null;
    fails: Failure | null;
    /** Happens after a text has left, before the gateway says so. */
    meanwhile: () => Promise<unknown>;
  } = {
    refuses: null,
    fails: null,
    meanwhile: async () => {},
  };
  const db = openDb(bindD1(database));
  const admitCode: TextDoor["admitCode"] = async (request, store) => {
    asked.push(request);
    if (gateway.refuses) return { kind: "refused", reason: gateway.refuses };
    const [first, ...others] = store.statements(sql`true`);
    const [[stored]] = await db.batch([first, ...others]);
    if (!stored) return { kind: "refused", reason: "limit" };
    return {
      kind: "admitted",
      hash: stored.hash,
      send: async (body) => {
        const { fails } = gateway;
        if (!fails || fails.mayArrive) texts.push({ to: request.to, body });
        await gateway.meanwhile();
        if (fails) return { kind: "failed", ...fails };
        return { kind: "sent" };
      },
    };
  };
  const note = vi.fn(async (_event: unknown) => {});
  const onAccountChange = vi.fn(async (_id: string) => {});
  const log = vi.fn<PoolDeps["log"]>();
  const deps: PoolDeps = {
    db,
    keys: createKeys(KEYS),
    texts: { admitCode },
    messages: { code: (language, code) => `${language} ${code}` },
    now: () => clock.now,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    publicUrl: "https://jornada.test",
    poolId: "local_Jornada1",
    clientId: "jornadaweb",
    log,
    security: { note },
    onAccountChange,
    ...change,
  };
  const pool = createUserPool(deps);
  const rows = (query: string, ...params: (string | number | null)[]) =>
    database.prepare(query).all(...params);
  const harness = {
    asked,
    clock,
    context: createPoolContext(deps),
    deps,
    gateway,
    log,
    note,
    onAccountChange,
    /** The database as it is now, for `openPool`. */
    image: () => database.serialize(),
    pool,
    rows,
    texts,
    run: (query: string, ...params: (string | number | null)[]) =>
      void database.prepare(query).run(...params),
    /** Calls an operation, from a network where one is given. */
    async call(operation: string, body: object, headers: Record<string, string> = {}) {
      const response = await pool.handle(
        new Request("https://jornada.test/identity/", {
          method: "POST",
          headers: { "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`, ...headers },
          body: JSON.stringify({ ClientId: "jornadaweb", ...body }),
        }),
      );
      const answer = Object(JSON.parse((await response.text()) || "{}"));
      return { status: response.status, type: answer["__type"] ?? "done", headers: response.headers, answer };
    },
    /** The code in the last text. */
    code: () => /\d{6,}/.exec(texts.at(-1)?.body ?? "")?.[0] ?? "none",
    /** The names of what was noted. */
    noted: () => note.mock.calls.map(([event]) => Object(event)["event"]),
    /** Registers and confirms an account. @returns its sub */
    async register(Username = PHONE): Promise<string> {
      const { answer } = await harness.call("SignUp", { Username, Password: PASSWORD });
      await harness.call("ConfirmSignUp", { Username, ConfirmationCode: harness.code() });
      note.mockClear();
      onAccountChange.mockClear();
      return String(answer["UserSub"]);
    },
  };
  return harness;
}

type Failure = { reason: "no_gateway" | "stopped"; mayArrive: boolean };
export type Pool = ReturnType<typeof openPool>;
