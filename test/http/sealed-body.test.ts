import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { openDb } from "../../db/client.ts";
import { DAY_MS, driverId, MINUTE_MS } from "../../db/shapes/units.ts";
import { createDeps } from "../../durable/deps.ts";
import { issueSeal, sealedJson } from "../../worker/http/sealed-body.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { appWith, callerOf } from "./app-with.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const ROUTE = "PATCH /flex/v1/user";

const database = migratedDatabase();
const db = openDb(bindD1(database));
const deps = { ...createDeps({ ...DEMO_SETTINGS, DB: {}, DRIVER: {}, ASSETS: {} }), now: () => NOW };
beforeEach(() => database.exec("DELETE FROM used_seals"));

const app = appWith({ deps, db, caller: callerOf(driverId.parse("ana")) }).patch(
  "/",
  sealedJson(ROUTE, z.object({ mode: z.string() })),
  (c) => c.json(c.req.valid("json")),
);

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const utf8 = (text: string) => new TextEncoder().encode(text);

/** Seals a text as the contract describes it, with a key that was issued at some time. */
async function seal(
  text: string,
  { issuedAt = NOW, route = ROUTE }: { issuedAt?: number; route?: string } = {},
) {
  const { id, key } = await issueSeal(deps.keys, issuedAt);
  const nonce = crypto.getRandomValues(new Uint8Array(16));
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array([...utf8(id), ...nonce]));
  const secret = await crypto.subtle.importKey("raw", fromBase64(key), "AES-GCM", false, ["encrypt"]);
  const iv = new Uint8Array(digest).slice(0, 12);
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: utf8(route) },
    secret,
    utf8(text),
  );
  return { v: 1, id, nonce: toBase64(nonce), data: toBase64(new Uint8Array(sealed)) };
}

const content = (at: number, more: object = {}) => JSON.stringify({ at, body: { mode: "secure" }, ...more });

async function send(body: string | object) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await app.request("/", { method: "PATCH", body: text });
  const answer: unknown = await response.json();
  return { status: response.status, answer };
}

const opened = { status: 200, answer: { mode: "secure" } };
const refused = (code: string) => ({ status: 400, answer: { code } });

describe("a sealed body", () => {
  it.each([
    ["now", NOW],
    ["five minutes ago", NOW - 5 * MINUTE_MS],
    ["in five minutes, by a fast clock", NOW + 5 * MINUTE_MS],
  ])("is opened where it was sealed %s", async (_when, at) => {
    expect(await send(await seal(content(at)))).toEqual(opened);
  });

  it.each([
    ["more than five minutes ago", NOW - 5 * MINUTE_MS - 1],
    ["more than five minutes ahead", NOW + 5 * MINUTE_MS + 1],
  ])("is too old where it was sealed %s", async (_when, at) => {
    expect(await send(await seal(content(at)))).toMatchObject(refused("seal_expired"));
  });

  it.each([
    ["a day ago", NOW - DAY_MS, 200],
    ["more than a day ago", NOW - DAY_MS - 1, 400],
    ["five minutes ahead", NOW + 5 * MINUTE_MS, 200],
    ["more than five minutes ahead", NOW + 5 * MINUTE_MS + 1, 400],
  ])("may have a key that was issued %s, or not", async (_when, issuedAt, status) => {
    const { status: answered, answer } = await send(await seal(content(NOW), { issuedAt }));
    expect(answered).toBe(status);
    if (status === 400) expect(answer).toMatchObject({ code: "seal_expired" });
  });

  it("works once, for as long as it could be sent again", async () => {
    const body = await seal(content(NOW + 1000));
    expect(await send(body)).toEqual(opened);
    expect(await send(body)).toMatchObject(refused("seal_expired"));
    expect(database.prepare("SELECT expires_at AS at FROM used_seals").all()).toEqual([
      { at: NOW + 1000 + 5 * MINUTE_MS },
    ]);
  });

  it("counts for its caller alone, where it names one", async () => {
    expect(await send(await seal(content(NOW, { caller: "ana" })))).toEqual(opened);
    expect(await send(await seal(content(NOW, { caller: "eva" })))).toMatchObject(refused("seal_broken"));
  });

  it("is required", async () => {
    for (const body of ["", "{", JSON.stringify({ mode: "secure" }), "null"])
      expect(await send(body)).toMatchObject(refused("seal_required"));
  });

  it.each([
    [
      "that is no id of ours",
      async () => ({ ...(await seal(content(NOW))), id: toBase64(new Uint8Array(23)) }),
      "seal_expired",
    ],
    [
      "that is longer than one",
      async () => ({ ...(await seal(content(NOW))), id: toBase64(new Uint8Array(30)) }),
      "seal_expired",
    ],
    ["of no bytes", async () => ({ ...(await seal(content(NOW))), data: "" }), "seal_broken"],
    [
      "of fewer bytes than a tag",
      async () => ({ ...(await seal(content(NOW))), data: toBase64(new Uint8Array(15)) }),
      "seal_broken",
    ],
    ["with nothing but a tag", async () => seal(""), "seal_broken"],
    ["of another call", async () => seal(content(NOW), { route: "PUT /flex/v1/user" }), "seal_broken"],
    ["that holds no JSON", async () => seal("mode=secure"), "seal_broken"],
    ["without an instant", async () => seal(JSON.stringify({ body: { mode: "secure" } })), "seal_broken"],
    [
      "whose id begins like one",
      async () => {
        const sealed = await seal(content(NOW));
        return { ...sealed, id: toBase64(new Uint8Array([...fromBase64(sealed.id), 0, 0])) };
      },
      "seal_expired",
    ],
    [
      "whose id is too short to be read",
      async () => ({ ...(await seal(content(NOW))), id: toBase64(new Uint8Array(3)) }),
      "seal_expired",
    ],
  ])("%s is refused", async (_what, body, code) => {
    expect(await send(await body())).toMatchObject(refused(code));
  });

  it("says which field of its content does not fit", async () => {
    expect(await send(await seal(JSON.stringify({ at: NOW, body: {} })))).toMatchObject({
      status: 400,
      answer: { code: "invalid_request", fields: { mode: "required" } },
    });
  });

  it("has a key of its own", async () => {
    const seals = await Promise.all([issueSeal(deps.keys, NOW), issueSeal(deps.keys, NOW)]);
    expect(new Set(seals.flatMap(({ id, key }) => [id, key])).size).toBe(4);
    for (const { id, key } of seals)
      expect([fromBase64(id).length, fromBase64(key).length]).toEqual([24, 32]);
  });
});
