import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { sealedBody, SEALED_ROUTES } from "../../../worker/contract/sealed-body.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { SUB, token } from "../../support/scripted-network.ts";

let harness: ReturnType<typeof createBrowserHarness>;
/** Every call but those for settings and keys, and how the server answers them, in order; the last one stays. */
let sent: { call: string; body: unknown }[];
let answers: Response[];
let keysIssued: number;
let isKeyOutOfReach: boolean;
/** How far the server's clock is ahead of this device's; null for a server that does not say the time. */
let aheadMs: number | null;

beforeEach(() => {
  vi.resetModules();
  harness = createBrowserHarness();
  harness.signIn();
  const network = fetch;
  [sent, answers, keysIssued, isKeyOutOfReach, aheadMs] = [[], [], 0, false, null];
  vi.stubGlobal("fetch", async (input: string, init: RequestInit = {}) => {
    if (input === "/status/config") return network(input, init);
    if (input === "/status/health") {
      if (isKeyOutOfReach) throw new TypeError("Failed to fetch");
      keysIssued += 1;
      const headers = {
        "x-amz-cf-id": btoa(`key ${keysIssued}`),
        "x-amz-version-id": btoa("k".repeat(32)),
      };
      const time = aheadMs === null ? {} : { now: Date.now() + aheadMs };
      return Response.json({ ok: true, version: "1", ...time }, { headers });
    }
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : null;
    sent.push({ call: `${init.method} ${input}`, body });
    const answer = answers.length > 1 ? answers.shift() : answers[0]?.clone();
    return answer ?? new Response(null, { status: 204 });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const openPage = () => import("../../../web/api/client/client.ts");

const refusal = (code: string) =>
  Response.json({ code, message: { en: "-", es: "-", pt: "-" }, requestId: "1" }, { status: 400 });

it.each(SEALED_ROUTES)("%s leaves the page sealed, whoever calls it", async (route) => {
  const { requestAsDriver } = await openPage();
  const [method = "", path = ""] = route.split(" ");
  await requestAsDriver(path, { method, body: JSON.stringify({ password: "swordfish" }) });
  expect(sent.map(({ call }) => call)).toEqual([route]);
  expect(z.safeParse(sealedBody, sent[0]?.body).success).toBe(true);
  expect(JSON.stringify(sent)).not.toContain("swordfish");
});

it("a typed call is sealed, and another goes as it is", async () => {
  const { api } = await openPage();
  await api.flex.v1.user.$patch({ json: { mode: "secure" } });
  await api.flex.v1.payments.quote.$post({ json: { plan: "7days", points: 0 } });
  expect(z.safeParse(sealedBody, sent[0]?.body).success).toBe(true);
  expect(sent[1]).toEqual({
    call: "POST /flex/v1/payments/quote",
    body: { plan: "7days", points: 0 },
  });
});

it("seals a body for the driver who is signed in", async () => {
  const { api } = await openPage();
  await api.flex.v1.user.$patch({ json: { mode: "secure" } });
  expect(await openSent()).toMatchObject({ caller: SUB, body: { mode: "secure" } });
});

it.each([
  ["right", 0],
  ["twenty minutes slow", 20 * 60_000],
  ["twenty minutes fast", -20 * 60_000],
  ["as it is, where the server does not say the time", null],
])("a body is dated by the server's clock where the device's is %s", async (_clock, ahead) => {
  aheadMs = ahead;
  const { api } = await openPage();
  await api.flex.v1.user.$patch({ json: { mode: "secure" } });
  const { at } = z.parse(z.object({ at: z.number() }), await openSent());
  expect(Math.abs(at - Date.now() - (ahead ?? 0))).toBeLessThan(60_000);
});

it("a token that a fast clock takes for expired is good once the server has said the time", async () => {
  aheadMs = -24 * 3_600_000;
  const idToken = token("id", { endsInMs: aheadMs + 3_600_000 });
  harness.signIn({ idToken });
  const { api } = await openPage();
  const { fetchStatus } = await import("../../../web/api/client/seal.ts");
  await fetchStatus();
  for (let call = 0; call < 3; call++)
    await api.flex.v1.payments.quote.$post({ json: { plan: "7days", points: 0 } });
  expect(sent.map(({ call }) => call)).toEqual(Array(3).fill("POST /flex/v1/payments/quote"));
});

/** Opens the first sealed body. */
async function openSent(): Promise<unknown> {
  const { id, nonce, data } = z.parse(sealedBody, sent[0]?.body);
  const bytes = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const named = new Uint8Array([...new TextEncoder().encode(id), ...bytes(nonce)]);
  const iv = (await crypto.subtle.digest("SHA-256", named)).slice(0, 12);
  const raw = new TextEncoder().encode("k".repeat(32));
  const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["decrypt"]);
  const additionalData = new TextEncoder().encode("PATCH /flex/v1/user");
  const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData }, key, bytes(data));
  return JSON.parse(new TextDecoder().decode(plain));
}

it("a sealed call without a body sends nothing", async () => {
  const { requestAsDriver } = await openPage();
  await expect(requestAsDriver("/flex/v1/user", { method: "PATCH" })).rejects.toThrow(TypeError);
  expect(sent).toEqual([]);
});

it("takes a new key and repeats once where the server finds the seal expired", async () => {
  const { api } = await openPage();
  answers = [refusal("seal_expired"), new Response(null, { status: 204 })];
  const response = await api.flex.v1.setup.otp.$post({ json: { code: "123456" } });
  expect(response.status).toBe(204);
  expect(keysIssued).toBe(2);
  const ids = sent.map(({ body }) => z.parse(sealedBody, body).id);
  expect(ids).toEqual([btoa("key 1"), btoa("key 2")]);
});

it("repeats no second time, and no other failure at all", async () => {
  const { api } = await openPage();
  answers = [refusal("seal_expired")];
  const expired = await api.flex.v1.setup.otp.$post({ json: { code: "123456" } });
  expect([expired.status, sent.length]).toEqual([400, 2]);
  sent = [];
  answers = [refusal("seal_broken")];
  const broken = await api.flex.v1.setup.otp.$post({ json: { code: "123456" } });
  expect([broken.status, sent.length]).toEqual([400, 1]);
  expect(await broken.json()).toMatchObject({ code: "seal_broken" });
});

it("asks for the key again after it could not be had", async () => {
  const { api } = await openPage();
  isKeyOutOfReach = true;
  await expect(api.flex.v1.user.$patch({ json: { mode: "secure" } })).rejects.toThrow();
  expect(sent).toEqual([]);
  isKeyOutOfReach = false;
  expect((await api.flex.v1.user.$patch({ json: { mode: "secure" } })).status).toBe(204);
  expect(sent).toHaveLength(1);
});
