import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSandbox, type SandboxServer } from "../sandbox-server.ts";
import { startLoopbackApp, type BuiltApp } from "../support/runtime/built-app.ts";
import { parseResponse, DriverClient } from "../support/driver-client.ts";
import { permissiveFilters, permissiveWarehouseFilter, postJson } from "../support/sandbox-client.ts";
import { promisify, lastText, openUserPool, registerAccount, signInBySrp } from "../support/identity.ts";
import type { PrepareResponse } from "../../worker/contract/money/payments.ts";
import type { User } from "../../worker/contract/account/user.ts";

const PHONE = "+15550100123";
const PASSWORD = "Jornada-1-test";

let outside: SandboxServer;
let app: BuiltApp;

beforeAll(async () => {
  outside = await startSandbox();
  app = await startLoopbackApp(outside.url, { POLL_FLOOR_MS: "1000" });
});
afterAll(async () => {
  await app.stop();
  await outside.stop();
});

describe("a deployment without the sandbox binding", () => {
  it("registers, signs in, charges, links, captures and texts through services on other ports", async () => {
    const pool = await openUserPool(app.origin);
    const texts = () => lastText(outside.url, PHONE);
    await registerAccount(pool, { phoneNumber: PHONE, password: PASSWORD, name: "Ana" }, texts);
    const { user, idToken: token } = await signInBySrp(pool, { phoneNumber: PHONE, password: PASSWORD });

    const client = new DriverClient({ fetch, origin: app.origin, token });
    const made = await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber: PHONE });
    const { Item } = (await made.json()) as { Item: User };
    expect([made.status, Item.phoneNumber, Item.referral]).toEqual([200, PHONE, "jornada"]);

    const stripe = (path: string, body: unknown) =>
      postJson({ fetch, origin: outside.url }, `/sandbox/stripe/${path}`, body);
    await stripe("endpoint", { url: `${app.origin}/webhooks/stripe`, secret: "whsec_sandbox" });
    const input = { plan: "30days", points: 0, totalCents: 17_118, lastPaymentId: null };
    const asked = await client.sealed("POST", "/flex/v1/payments/prepare", input);
    const { clientSecret } = await parseResponse<PrepareResponse>(asked, "prepare");
    await stripe(`intents/${clientSecret?.split("_secret_")[0]}/pay`, {});
    const isPaid = async () =>
      (await client.fetchJson<{ Item: User }>("GET", "/flex/v1/user")).Item.goodStanding;
    await expect.poll(isPaid).toBe(true);

    await postJson({ fetch, origin: outside.url }, "/sandbox/world", { generate: false, autoApproveMs: 0 });
    await client.sealed("POST", "/flex/v1/setup/login", {
      email: "driver+sms@example.com",
      password: "right",
    });
    const world = await fetch(`${outside.url}/sandbox/platform/world`);
    const { sessions } = (await world.json()) as { sessions: { code: string }[] };
    await client.sealed("POST", "/flex/v1/setup/otp", { code: sessions[0]?.code });
    await expect.poll(async () => (await client.setup()).step).toBe("linked");

    const { warehouses } = await client.warehouses();
    const warehouse = warehouses[0]!;
    await client.saveFilters(permissiveFilters([permissiveWarehouseFilter(warehouse.warehouseId)]));
    const switched = await client.patchUser({ phoneNumber: PHONE, userDisabled: 0 });
    expect(switched.status).toBe(200);
    await postJson({ fetch, origin: outside.url }, "/sandbox/platform/offers", {
      warehouseId: warehouse.warehouseId,
      startsAt: new Date(Date.now() + 3 * 3_600_000).toISOString(),
      minutes: 180,
      payCents: 9900,
    });
    await expect.poll(texts).toContain("$99");

    await promisify((done) => user.globalSignOut({ onSuccess: () => done(null), onFailure: done }));
    await expect
      .poll(async () => (await client.call("GET", "/flex/v1/user")).status, {
        timeout: 60_000,
        interval: 2_000,
      })
      .toBe(401);
  });
});
