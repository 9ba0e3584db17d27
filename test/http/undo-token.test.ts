import type { Language } from "../../db/shapes/language.ts";
import { describe, expect, it, vi } from "vitest";
import { addPoolUser, type PoolUser } from "../../db/queries/identity/pool-users.ts";
import { driverId } from "../../db/shapes/units.ts";
import { createDeps } from "../../durable/deps.ts";
import { formatMessage } from "../../locales/format-message.ts";
import { warnOfGuesses, openUserPool } from "../../worker/http/gate/user-pool.ts";
import { noteSecurity } from "../../worker/http/gate/note-security.ts";
import { byUndoToken } from "../../worker/routes/account/security.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { passwordNotice, poolUser } from "../support/pool-user.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { insertDriver } from "../support/driver-insert.ts";
import { appWith, callerOf } from "./app-with.ts";

const OWNER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
const OTHER = driverId.parse("11111111-1111-4111-8111-111111111111");

function openDeps() {
  const database = migratedDatabase();
  const env = { ...DEMO_SETTINGS, IDENTITY: "embedded", DB: bindD1(database), DRIVER: {}, ASSETS: {} };
  return { database, env, deps: createDeps(env) };
}

describe("the link in a text that told of a change", () => {
  const change = passwordNotice(OWNER);

  /** A call's response, with a pool that knows one token; `null` has no pool. */
  async function answerTo(authorization: string | null, hasPool = true) {
    const { deps, env } = openDeps();
    const pool = openUserPool(deps, env);
    const findUndo = async (token: string) => (token === "known" ? change : null);
    const app = appWith({ deps, userPool: pool && hasPool ? { ...pool, findUndo } : null }).get(
      "/",
      async (c) => c.json({ caller: await byUndoToken(c), undo: c.get("undo") }),
    );
    const headers = new Headers(authorization === null ? [] : [["authorization", authorization]]);
    const response = await app.request("/", { headers });
    const body = Object(await response.json());
    return response.status === 200 ? body : [response.status, body.code];
  }

  it("stands for the owner of the account, and for the change", async () => {
    expect(await answerTo("Undo known")).toEqual({ caller: callerOf(OWNER), undo: change });
    expect(await answerTo("undo known")).toEqual({ caller: callerOf(OWNER), undo: change });
  });

  it.each([
    ["without a token", null, [401, "unauthenticated"]],
    ["with another kind of token", "Bearer known", [401, "unauthenticated"]],
    ["with nothing after the scheme", "Undo", [401, "unauthenticated"]],
    ["with an empty token", "Undo ", [401, "unauthenticated"]],
    ["with a token that is used, forged or too old", "Undo other", [410, "undo_expired"]],
  ])("is refused %s", async (_name, authorization, refusal) => {
    expect(await answerTo(authorization)).toEqual(refusal);
  });

  it("is over where another pool signs drivers in", async () => {
    expect(await answerTo("Undo known", false)).toEqual([410, "undo_expired"]);
  });
});

describe("the owner of an account at which somebody guesses", () => {
  async function warn(change: Partial<PoolUser> = {}, language: Language | null = null) {
    const { database, deps } = openDeps();
    await addPoolUser(
      deps.db,
      poolUser({ id: OWNER, phoneNumber: "+15550100100", attributes: { locale: "es-MX" }, ...change }),
    );
    if (language !== null) insertDriver(database, { id: OWNER, language });
    const sendWarning = vi.fn(async (_text: unknown) => {});
    await warnOfGuesses({ db: deps.db, texts: { ...deps.texts, sendWarning }, product: "Turno" }, OWNER);
    return sendWarning.mock.calls.map(([text]) => text);
  }
  const text = (language: Language) => ({
    to: "+15550100100",
    account: OWNER,
    body: formatMessage(language, "text_guesses", { product: "Turno" }),
  });

  it("is told in the language of the record, else of the account", async () => {
    expect(await warn({}, "pt")).toEqual([text("pt")]);
    expect(await warn()).toEqual([text("es")]);
    expect(await warn({ attributes: {} })).toEqual([text("en")]);
  });

  it("gets the text at a number that was proved, and nobody else does", async () => {
    expect(await warn({ phoneVerified: false })).toEqual([]);
    expect(await warn({ id: OTHER })).toEqual([]);
  });
});

describe("a driver's change", () => {
  async function noteOf(
    headers: Record<string, string>,
    more: Parameters<typeof noteSecurity>[2],
    caller = true,
  ) {
    const { deps } = openDeps();
    const note = vi.fn(async (_event: unknown) => {});
    const known = { deps: { ...deps, security: { note } }, ...(caller && { caller: callerOf(OWNER) }) };
    const app = appWith(known).get("/", async (c) => {
      await noteSecurity(c, "linked", more);
      return c.text("done");
    });
    const request = Object.assign(new Request("http://localhost/", { headers }), { cf: { country: "US" } });
    await app.request(request);
    return note.mock.calls.map(([event]) => event);
  }
  const nobody = { address: null, device: { browser: null, system: null, country: "US" } };

  it("is noted with who, from where and by what", async () => {
    const headers = { "cf-connecting-ip": "192.0.2.1", "user-agent": "Mozilla/5.0 (iPhone) CriOS/120" };
    expect(await noteOf(headers, {})).toEqual([
      {
        event: "linked",
        account: OWNER,
        caller: { address: "192.0.2.1", device: { browser: "Chrome", system: "iPhone", country: "US" } },
      },
    ]);
  });

  it("is noted for the account that it concerns, with its facts", async () => {
    const facts = { code: "forbidden" };
    expect(await noteOf({}, { account: "other", facts })).toEqual([
      { event: "linked", account: "other", caller: nobody, facts },
    ]);
  });

  it("is noted for nobody where nobody signed in", async () => {
    expect(await noteOf({}, undefined, false)).toEqual([{ event: "linked", account: null, caller: nobody }]);
  });
});
