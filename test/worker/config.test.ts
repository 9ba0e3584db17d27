import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { ConfigError, parseConfig } from "../../durable/runtime/config.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";

const read = (change: Record<string, string | undefined>) =>
  parseConfig({ DB: env.DB, DRIVER: env.DRIVER, ASSETS: env.ASSETS, ...DEMO_SETTINGS, ...change });

describe("the settings", () => {
  it.each([
    ["PUBLIC_URL", undefined],
    ["PLATFORM_URL", "not an address"],
    ["MASTER_KEYS", ""],
    ["POLL_FLOOR_MS", "soon"],
    ["COGNITO_POOL_ID", undefined],
    ["COGNITO_CLIENT_ID", undefined],
    ["VAPID_PUBLIC_KEY", undefined],
    ["VAPID_PUBLIC_KEY", "AEb7A-dk-ou9-xGE5gIgG6zvezVzJMEO9l8DPJ"],
    ["VAPID_PRIVATE_KEY", ""],
    ["VAPID_PRIVATE_KEY", "not+Base64url+not+Base64url+not+Base64url+n"],
    ["VAPID_SUBJECT", undefined],
    ["VAPID_SUBJECT", "somebody"],
    ["STRIPE_URL", "stripe"],
    ["CURRENCY", "JPY"],
    ["CURRENCY", "KWD"],
    ["CURRENCY", "usd"],
    ["STRIPE_SECRET_KEY", "sk_live_sandbox"],
    ["STRIPE_PUBLISHABLE_KEY", "pk_live_sandbox"],
    ["PAYMENT_METHODS", "card, Apple Pay"],
    ["STATEMENT_SUFFIX", "SERVICE<OF>DAYS"],
    ["TAX_NAME", "VAT"],
    ["BANK_FEE_RATE", "little"],
    ["BANK_FEE_RATE", "0.7"],
  ])("are rejected if %s is %s, naming it without its value", (name, value) => {
    const problem = (() => {
      try {
        read({ [name]: value });
        return null;
      } catch (error) {
        return error;
      }
    })();
    expect(problem).toBeInstanceOf(ConfigError);
    expect(String(problem)).toContain(`${name} is missing or malformed`);
    if (value) expect(String(problem)).not.toContain(value);
  });

  it("have no browser notifications if none of the three VAPID settings is set", () => {
    const none = { VAPID_PUBLIC_KEY: undefined, VAPID_PRIVATE_KEY: undefined, VAPID_SUBJECT: "" };
    expect(read(none).vapid).toBeNull();
  });

  it("require no Cognito pool with the embedded pool", () => {
    const { identity } = read({
      IDENTITY: "embedded",
      COGNITO_POOL_ID: undefined,
      COGNITO_CLIENT_ID: undefined,
    });
    expect(identity).toEqual({
      kind: "embedded",
      endpoint: "/identity/",
      issuer: "http://localhost:5173/identity/local_Jornada1",
      poolId: "local_Jornada1",
      clientId: "jornadaweb",
    });
  });

  it("have defaults for everything optional", () => {
    const { productName, platform, engine, currency, paymentMethods, seller, tax } = read({});
    expect({ productName, region: platform.region, engine, currency, paymentMethods, seller, tax }).toEqual({
      productName: "Jornada",
      region: "enam",
      engine: { pollFloorMs: 1000, offerHorizonMs: 86_400_000, currency: "USD" },
      currency: "USD",
      paymentMethods: ["card", "link"],
      seller: { name: "Jornada", address: null, taxId: null },
      tax: null,
    });
  });

  it("have live keys together, and a tax with its name", () => {
    const live = { STRIPE_SECRET_KEY: "rk_live_a", STRIPE_PUBLISHABLE_KEY: "pk_live_b" };
    expect(read(live).cards?.secretKey).toBe("rk_live_a");
    expect(read({ TAX_NAME: "IVA", TAX_RATE: "0.16", CURRENCY: "MXN" })).toMatchObject({
      tax: { name: "IVA", millionths: 160_000 },
      currency: "MXN",
    });
  });

  it("enable cards only with both keys, and parse the fee rate", () => {
    expect(read({ STRIPE_WEBHOOK_SECRETS: "whsec_a, whsec_b" })).toMatchObject({
      cards: {
        url: "http://stripe.localhost",
        secretKey: "sk_test_sandbox",
        webhookSecrets: ["whsec_a", "whsec_b"],
      },
      bankFeeMillionths: 7000,
    });
    expect(read({ STRIPE_SECRET_KEY: undefined }).cards).toBeNull();
    expect(read({ STRIPE_PUBLISHABLE_KEY: "" }).cards).toBeNull();
    expect(read({ BANK_FEE_RATE: "0.029" }).bankFeeMillionths).toBe(29_000);
  });
});
