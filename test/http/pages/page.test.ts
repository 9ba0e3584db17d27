import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import { BUILT_POLICY, deployPage, POLICY } from "./page-harness.ts";

describe("the page", () => {
  it.each([
    ["/", "/pages/en/index.html"],
    ["/terms", "/pages/en/terms.html"],
    ["/terms/", "/pages/en/terms.html"],
    ["/terms//", "/pages/en/terms.html"],
    ["/flex/dashboard?x=1", "/pages/en/flex/dashboard.html"],
    ["/flex/receipts/9f2", "/pages/en/flex/receipts/$.html"],
    ["/es", "/pages/es/index.html"],
    ["/pt/terms", "/pages/pt/terms.html"],
  ])("of %s is %s", async (path, file) => {
    const { asked, get } = deployPage({});
    expect((await get(path)).status).toBe(200);
    expect(asked.at(-1)).toBe(file);
  });

  it.each([
    ["what its browser asks for", { "accept-language": "fr, pt-BR;q=0.9, en;q=0.8" }, "pt"],
    ["what was chosen on the device", { "accept-language": "pt", cookie: "PARAGLIDE_LOCALE=es" }, "es"],
    ["what it wants most", { "accept-language": "en;q=0.2,pt ;q=0.3 , es; Q = 1;q=0.5" }, "es"],
    ["nothing that it doesn't want", { "accept-language": "pt;q=0, es;q=0.1" }, "es"],
    ["what has no weight that can be read", { "accept-language": "en;q=0.5, pt;q=0.1x, es;xq=0.1" }, "pt"],
    ["what follows such a weight, too", { "accept-language": "en;q=0.5, es;xq=0.1" }, "es"],
    ["English where none is asked for", {}, "en"],
    ["English where the only one that it names is not wanted", { "accept-language": "pt;q=0" }, "en"],
    ["English where neither is ours", { "accept-language": "fr", cookie: "PARAGLIDE_LOCALE=xx" }, "en"],
  ])("is in %s", async (_case, headers, language) => {
    const { asked, get } = deployPage({});
    const response = await get("/login", headers);
    expect(asked).toEqual([`/pages/${language}/login.html`]);
    expect(response.headers.get("content-language")).toBe(language);
    expect(response.headers.get("vary")).toContain("accept-language, cookie");
  });

  it("says its language in its HTML", async () => {
    const text = await (await deployPage({}, '<!doctype html><html lang="en" class="x">').get("/es")).text();
    expect(text).toBe('<!doctype html><html lang="es" class="x">');
  });

  it("is one for all addresses in development", async () => {
    const { get, asked } = deployPage({}, undefined, POLICY, { isBuilt: false });
    expect([(await get("/nothing")).status, asked.at(-1)]).toEqual([200, "/index.html"]);
  });

  it("is in the language that its address names, whatever the device has", async () => {
    const { headers } = await deployPage({}).get("/es", { cookie: "PARAGLIDE_LOCALE=pt" });
    expect(headers.get("content-language")).toBe("es");
  });

  it("leads on with the referral of its address, and with none that is too long", async () => {
    const html =
      '<a href="/#faqs"></a><a href="/terms"></a><a href="/login"></a><link href="/icon.svg"><a href="/q"></a>';
    const { get } = deployPage({}, html);
    expect(await (await get('/es?referral=a%22%3E%26b"')).text()).toBe(
      '<a href="/es?referral=a%22%3E%26b%22#faqs"></a><a href="/es/terms?referral=a%22%3E%26b%22"></a>' +
        '<a href="/login?referral=a%22%3E%26b%22"></a><link href="/icon.svg"><a href="/q"></a>',
    );
    expect(await (await get(`/register?referral=${"x".repeat(65)}`)).text()).toBe(html);
  });

  it("leads to other pages in the language that its address names, and to forms as they are", async () => {
    const html =
      '<a href="/"></a><a href="/#pricing"></a><a href="/faqs#refunds"></a><a href="/login"></a><link href="/icon.svg">';
    const { get } = deployPage({}, html);
    expect(await (await get("/es/terms")).text()).toBe(
      '<a href="/es"></a><a href="/es#pricing"></a><a href="/es/faqs#refunds"></a><a href="/login"></a><link href="/icon.svg">',
    );
    expect(await (await get("/terms", { "accept-language": "es" })).text()).toBe(html);
  });

  it("names the deployment's product", async () => {
    const response = await deployPage({ PRODUCT_NAME: 'Turno & "Co" <b>' }).get("/");
    expect(await response.text()).toBe("<!doctype html><title>Turno &amp; &quot;Co&quot; &lt;b></title>");
    expect(response.headers.get("etag")).toBeNull();
  });

  it("has the year in which it is served, whenever it was built", async () => {
    vi.useFakeTimers({ now: Date.parse("2031-01-01T00:00:00Z"), toFake: ["Date"] });
    const text = await (await deployPage({}, "© {{year}} {{product}}").get("/terms")).text();
    vi.useRealTimers();
    expect(text).toBe("© 2031 Jornada");
  });

  it("names the product in JSON, the deployment's address, and the plans at their prices where these can be read", async () => {
    const html = `<link href="{{origin}}/es" /><script>{"name":"{{product in JSON}}","offers":"{{offers}}"}</script>`;
    const settings = { PRODUCT_NAME: 'Turno "Co" </script>', PUBLIC_URL: "https://turno.example/" };
    const jsonWith = async (db: object) => {
      const text = await (await deployPage(settings, html, POLICY, { db }).get("/")).text();
      expect(text).toContain(`<link href="https://turno.example/es" />`);
      return JSON.parse(/<script>(.*?)<\/script>/.exec(text)?.[1] ?? "");
    };
    expect(await jsonWith({})).toEqual({ name: settings.PRODUCT_NAME, offers: [] });
    expect(await jsonWith(bindD1(migratedDatabase()))).toEqual({
      name: settings.PRODUCT_NAME,
      offers: Object.entries({
        "3 days": "34.99",
        "7 days": "49.87",
        "14 days": "89.99",
        "30 days": "169.99",
      }).map(([name, price]) => ({
        "@type": "Offer",
        name,
        price,
        priceCurrency: "USD",
        url: "https://turno.example/register",
      })),
    });
  });

  it.each([
    ["/faqs", "/faqs"],
    ["/faqs/", "/faqs"],
    ["/es/faqs?x=1", "/es/faqs"],
    ['/"<b>', "/&quot;&lt;b>"],
  ])("names its own address, without what a caller adds: %s", async (path, address) => {
    const html = `<link rel="canonical" href="{{origin}}{{address}}" />`;
    const { get } = deployPage({ PUBLIC_URL: "https://turno.example" }, html);
    expect(await (await get(path)).text()).toBe(
      `<link rel="canonical" href="https://turno.example${address}" />`,
    );
  });

  it("says until when a sale's price holds, and asks the database for nothing that a page does not show", async () => {
    const database = migratedDatabase();
    const endsAt = Date.now() + 60_000;
    database
      .prepare(
        `INSERT INTO price_cuts (id, kind, plan, price_cents, driver_id, starts_at, ends_at) VALUES ('s', 'flash_sale', '7days', 4000, NULL, 0, ?)`,
      )
      .run(endsAt);
    let asked = 0;
    const bound = bindD1(database);
    const db = { ...bound, prepare: (sql: string) => ((asked += 1), bound.prepare(sql)) };
    const plans = deployPage({}, `"{{offers}}"`, POLICY, { db });
    const offers: unknown = JSON.parse(await (await plans.get("/")).text());
    expect(offers).toContainEqual({
      "@type": "Offer",
      name: "7 days",
      price: "40.00",
      priceCurrency: "USD",
      priceValidUntil: new Date(endsAt).toISOString(),
      url: "http://localhost:5173/register",
    });
    expect(Object(offers)[0]).not.toHaveProperty("priceValidUntil");
    expect(asked).toBeGreaterThan(0);
    asked = 0;
    await deployPage({}, "<p>", POLICY, { db }).get("/");
    expect(asked).toBe(0);
  });

  it("has the contacts that are set, also where no plan is shown", async () => {
    const html = `<template data-case="contacts email">__email__</template>`;
    const { get } = deployPage({ SUPPORT_EMAIL: "help@turno.example" }, html);
    expect(await (await get("/terms")).text()).toBe("help@turno.example");
  });

  it("says from when the terms hold, or that they are a template", async () => {
    const html = `<template data-case="terms template">a template</template><template data-case="terms dated">__terms-since__</template>`;
    expect(await (await deployPage({}, html).get("/terms")).text()).toBe("a template");
    const { get } = deployPage({ TERMS_DATE: "2027-01-05" }, html);
    expect(await (await get("/es/terms")).text()).toBe("5 de enero de 2027");
  });

  it("keeps of each part the form that the deployment's facts have, and fills them in", async () => {
    const html = [
      `{{offers}}<template data-case="plan-7days plain"><b>__price-7days__</b>, __day-7days__</template>`,
      `<template data-case="plan-7days sale">__before-7days__</template>`,
      `<template data-case="plan-7days unknown">wait</template>`,
      `<template data-case="raffle-14days open">__raffle__</template>`,
      `<template data-case="contacts email">__email__</template>`,
      `<template data-case="contacts email-phone"><a href="__phone-link__">__phone__</a> __email__</template>`,
      `<template data-case="contacts none">nobody</template>`,
    ].join("\n");
    const settings = {
      SUPPORT_EMAIL: 'help"<@turno.example',
      SUPPORT_PHONE: "+15550100199",
      CURRENCY: "BRL",
      LIST_PRICES: "3days=159,7days=229,14days=419,30days=799",
    };
    const filledWith = async (db: object) => {
      const { get } = deployPage(settings, html, POLICY, { db });
      return (await (await get("/", { "accept-language": "pt" })).text()).split("\n");
    };
    expect((await filledWith({})).slice(0, 4)).toEqual(["{{offers}}", "", "<!--now-->wait<!--/now-->", ""]);
    expect(await filledWith(bindD1(migratedDatabase()))).toEqual([
      "{{offers}}<!--now--><b>R$\u00A0229</b>, R$\u00A032,71<!--/now-->",
      "",
      "",
      "",
      "",
      `<a href="tel:+15550100199">+1 (555) 010-0199</a> help&quot;&lt;@turno.example`,
      "",
    ]);
    const none = await (await deployPage({}, html).get("/")).text();
    expect(none.split("\n").at(-1)).toBe("nobody");
  });

  it.each([
    "/nothing",
    "/index",
    "/404",
    "/es/login",
    "/flex/dashboard/more",
    "/flex/receipts",
    "/flex/receipts/a/b",
  ])("of %s, which no route has, says so with its status", async (path) => {
    const { asked, get } = deployPage({});
    expect((await get(path)).status).toBe(404);
    expect(asked.at(-1)).toBe("/pages/en/404.html");
  });

  it("of a raffle that nobody made is its page with the status, and is as ever where the database doesn't say", async () => {
    const database = migratedDatabase();
    database.exec(`INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash, prize)
      VALUES ('nov-26', '14days', 1, 2, 1, 'hash', '{}')`);
    const statusOf = async (path: string, db: object) => {
      const { asked, get } = deployPage({}, undefined, POLICY, { db });
      return [(await get(path)).status, asked.at(-1)];
    };
    const page = "/pages/en/raffle/$.html";
    expect(await statusOf("/raffle/nov-26", bindD1(database))).toEqual([200, page]);
    expect(await statusOf("/raffle/nov-27", bindD1(database))).toEqual([404, page]);
    expect(await statusOf("/raffle/nov%2026", bindD1(database))).toEqual([404, page]);
    expect(await statusOf("/raffle/nov-27", {})).toEqual([200, page]);
  });

  it("is not what an earlier build's chunk or a page's file is answered with", async () => {
    const { asked, get } = deployPage({});
    expect((await get("/assets/old.js")).status).toBe(404);
    expect((await get("/pages/en/index.html")).status).toBe(404);
    expect(asked).toEqual([]);
  });

  it("may frame the platform and call an outside user pool", async () => {
    const { headers } = await deployPage({ PLATFORM_URL: "https://platform.example/v1/" }).get("/");
    expect(headers.get("content-security-policy")).toBe(
      `${POLICY.replace("connect-src 'self'", "connect-src 'self' https://cognito-idp.us-east-1.amazonaws.com")}; frame-src 'self' https://platform.example`,
    );
    expect(headers.get("permissions-policy")).toBe('camera=(self "https://platform.example")');
    expect(headers.get("referrer-policy")).toBe("same-origin");
  });

  it("calls only itself where the user pool is its own", async () => {
    const settings = { IDENTITY: "embedded", PLATFORM_URL: "https://platform.example" };
    const { headers } = await deployPage(settings).get("/");
    expect(headers.get("content-security-policy")).toBe(
      `${POLICY}; frame-src 'self' https://platform.example`,
    );
  });

  const HTML = '<html lang="en" data-theme="light"></html>';
  const common = { IDENTITY: "embedded", PLATFORM_URL: "https://platform.example" };

  it("loads the challenge on pages whose forms may ask for it alone, where there is one", async () => {
    const settings = {
      ...common,
      TURNSTILE_URL: "https://challenge.example/path",
      TURNSTILE_SITE_KEY: "1x0",
      TURNSTILE_SECRET_KEY: "2x0",
    };
    const seen = async (path: string, given: Record<string, string> = settings) => {
      const response = await deployPage(given, HTML, BUILT_POLICY).get(path);
      const policy = response.headers.get("content-security-policy") ?? "";
      const [mark] = /data-challenge="\w+"/.exec(await response.text()) ?? [null];
      return [policy.split("challenge.example").length - 1, mark];
    };
    for (const path of ["/register", "/register?referral=rui", "/login", "/forgot-password/"])
      expect([path, await seen(path)]).toEqual([path, [2, 'data-challenge="here"']]);
    for (const path of ["/", "/faqs", "/flex/dashboard", "/flex/login", "/flex/profile", "/nothing"])
      expect([path, await seen(path)]).toEqual([path, [0, 'data-challenge="elsewhere"']]);
    expect(await seen("/register", common)).toEqual([0, null]);
  });

  it("says in its first element whether the deployment's own user pool signs in", async () => {
    const seen = async (settings: Record<string, string>) =>
      / data-own-pool/.test(await (await deployPage(settings, HTML, BUILT_POLICY).get("/login")).text());
    expect([
      await seen({ ...common, IDENTITY: "embedded" }),
      await seen({ ...common, IDENTITY: "cognito" }),
    ]).toEqual([true, false]);
  });

  const CHAT = {
    ...common,
    CHATWOOT_URL: "https://chat.example/",
    CHATWOOT_TOKEN: "web1",
    CHATWOOT_HMAC_KEY: "key",
    RECORDING_SCRIPT_URL: "https://www.recorder.example/tag/1",
    RECORDING_ORIGINS: "https://*.recorder.example",
    OPS_URL: "https://ops.example",
  };
  const policyOf = async (settings: Record<string, string>, path: string, cookie = "") => {
    const response = await deployPage(settings, HTML, BUILT_POLICY).get(path, { cookie });
    return {
      policy: response.headers.get("content-security-policy")?.split("; "),
      isMarked: / data-chat/.test(await response.text()),
    };
  };
  const stripe = "https://js.stripe.com https://*.js.stripe.com";
  const recorder = "https://www.recorder.example https://*.recorder.example";
  const END = [
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ];

  it.each([
    ["opens it", "/flex/dashboard?chat=open", ""],
    ["brings it back", "/contact", "theme=dark; cw_conversation=1"],
  ])("names exactly what the chat and the recorder need where a page %s", async (_name, path, cookie) => {
    expect(await policyOf(CHAT, path, cookie)).toEqual({
      policy: [
        "default-src 'self'",
        `script-src 'self' ${stripe} https://chat.example ${recorder}`,
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self'",
        `connect-src 'self' https://api.stripe.com ${recorder}`,
        `frame-src 'self' ${stripe} https://hooks.stripe.com https://platform.example https://chat.example`,
        ...END,
      ],
      isMarked: true,
    });
  });

  const BARE = [
    "default-src 'self'",
    `script-src 'self' ${stripe}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self' https://api.stripe.com",
    `frame-src 'self' ${stripe} https://hooks.stripe.com https://platform.example`,
    ...END,
  ];

  it("lets no page set styles that doesn't show the chat", async () => {
    const { policy, isMarked } = await policyOf(CHAT, "/flex/dashboard");
    expect([policy?.filter((part) => /chat|unsafe/.test(part)), isMarked]).toEqual([[], false]);
    expect(await policyOf(common, "/flex/dashboard?chat=open", "cw_conversation=1")).toEqual({
      policy: BARE,
      isMarked: false,
    });
  });

  it("has nothing of chat and recorder at the address that serves the console, too", async () => {
    const shared = { ...CHAT, OPS_URL: "" };
    expect(await policyOf(shared, "/flex/dashboard?chat=open", "cw_conversation=1")).toEqual({
      policy: BARE,
      isMarked: false,
    });
  });

  it("lets our own pages frame the check-in, which tells nobody its address", async () => {
    const { headers } = await deployPage({}).get("/arrived?token=secret");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });
});

describe("every answer", () => {
  const facts = ({ headers }: Response) =>
    ["cache-control", "x-content-type-options", "strict-transport-security"].map((name) => headers.get(name));

  it("is kept by no cache, except where its route says so", async () => {
    const { get } = deployPage({});
    expect(facts(await get("/"))).toEqual(["no-store", "nosniff", "max-age=31536000"]);
    expect(facts(await get("/assets/x"))).toEqual(["no-store", "nosniff", "max-age=31536000"]);
    expect(facts(await get("/cached"))).toEqual(["max-age=5", "nosniff", "max-age=31536000"]);
  });

  it.each([
    ["host", "max-age=31536000"],
    ["subdomains", "max-age=31536000; includeSubDomains"],
    ["preload", "max-age=31536000; includeSubDomains; preload"],
  ])("extends https as far as the setting says: %s", async (HSTS, expected) => {
    const { headers } = await deployPage({ HSTS }).get("/");
    expect(headers.get("strict-transport-security")).toBe(expected);
  });

  it("that is a file says nothing of https, since browsers follow the latest", () => {
    expect(readFileSync(new URL("../../../web/public/_headers", import.meta.url), "utf8")).not.toMatch(
      /strict-t/i,
    );
    expect(BUILT_POLICY).toContain("object-src 'none'");
  });

  it("that opens a socket is passed on as it is", async () => {
    expect(facts(await deployPage({}).get("/socket"))).toEqual([null, null, null]);
  });
});

describe("security.txt", () => {
  it("says where to report, for less than a year, and is not there without an address", async () => {
    const path = "/.well-known/security.txt";
    const { get } = deployPage({ SECURITY_CONTACT: "mailto:security@example.com" });
    const text = await (await get(path)).text();
    expect(text).toContain("Contact: mailto:security@example.com\n");
    expect(text).toContain("Canonical: http://localhost:5173/.well-known/security.txt\n");
    const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? "");
    expect(expires).toBeGreaterThan(Date.now());
    expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
    expect(await (await deployPage({ SUPPORT_EMAIL: "help@example.com" }).get(path)).text()).toContain(
      "Contact: mailto:help@example.com",
    );
    expect((await deployPage({}).get(path)).status).toBe(404);
  });
});
