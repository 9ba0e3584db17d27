import { env } from "cloudflare:test";
import { createSrpSession, signSrpSession } from "cognito-srp-helper";
import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { RENEWAL_WORDS } from "../../db/shapes/money/renewal.ts";
import { LIVE_PROTOCOL } from "../../db/shapes/work/live.ts";
import type { CalendarAddressResponse } from "../../worker/contract/account/calendar.ts";
import { API_ROUTES } from "../../worker/contract/api-routes.ts";
import { requests } from "../../worker/identity/protocol/requests.ts";
import { DriverClient, parseResponse } from "../support/driver-client.ts";
import { createPushSubscriber } from "../support/push-subscriber.ts";
import {
  acceptOnPlatform,
  linkPlatformAccount,
  permissiveFilters,
  permissiveWarehouseFilter,
  platformWorld,
  postJson,
} from "../support/sandbox-client.ts";
import { callCountedPool, counted, openCounted, seen } from "./counted-trips.ts";
import { newPhone, PASSWORD, textedCode } from "./embedded-pool.ts";
import { apiTarget } from "./harness.ts";
import { callStripeSandbox, fetchEvents, runMinute } from "./payments-harness.ts";

const MOST_PER_ROUTE = 2;
const MOST_PER_OPERATION = 3;
const OTHER_PASSWORD = "Other-2-password";

beforeAll(openCounted);

const tokensShape = z.object({ IdToken: z.string(), AccessToken: z.string(), RefreshToken: z.string() });

/** Expects that nothing waited for more trips than these, and says what they were for where something did. */
function expectAtMost(most: number, names: readonly string[]): void {
  const exceeding = names.filter((name) => (seen.get(name)?.trips ?? Infinity) > most);
  expect(exceeding.map((name) => [name, ...(seen.get(name)?.log ?? ["was not called"])])).toEqual([]);
}

async function textsTo(phoneNumber: string): Promise<string[]> {
  const query = new URLSearchParams({ to: phoneNumber });
  const answer = await apiTarget.fetch(`${apiTarget.origin}/sandbox/sms?${query}`);
  return (await answer.json<{ messages: { body: string }[] }>()).messages.map(({ body }) => body);
}

/** Signs in with a proof of the password, as the page does. */
async function signInByProof(phone: string, password = PASSWORD): Promise<z.infer<typeof tokensShape>> {
  const session = createSrpSession(phone, password, "local_Jornada1", false);
  const start = { AuthFlow: "USER_SRP_AUTH", AuthParameters: { USERNAME: phone, SRP_A: session.largeA } };
  const { ChallengeParameters } = z
    .object({ ChallengeParameters: z.record(z.string(), z.string()) })
    .parse(await callCountedPool("InitiateAuth", start));
  const signed = signSrpSession(session, { ChallengeParameters });
  const ChallengeResponses = {
    USERNAME: ChallengeParameters["USERNAME"],
    PASSWORD_CLAIM_SECRET_BLOCK: signed.secret,
    PASSWORD_CLAIM_SIGNATURE: signed.passwordSignature,
    TIMESTAMP: signed.timestamp,
  };
  const response = { ChallengeName: "PASSWORD_VERIFIER", ChallengeResponses };
  return tokensShape.parse(
    (await callCountedPool("RespondToAuthChallenge", response))["AuthenticationResult"],
  );
}

async function signUp(phone = newPhone()): Promise<string> {
  await callCountedPool("SignUp", {
    Username: phone,
    Password: PASSWORD,
    ClientMetadata: { registration: "a".repeat(32) },
  });
  await callCountedPool("ConfirmSignUp", {
    Username: phone,
    ConfirmationCode: await textedCode(phone),
    ClientMetadata: { registration: "a".repeat(32) },
  });
  return phone;
}

it("an operation of the pool waits for three trips at most", async () => {
  await callCountedPool("SignUp", { Username: newPhone(), Password: PASSWORD });
  const phone = newPhone();
  await callCountedPool("SignUp", { Username: phone, Password: PASSWORD });
  await callCountedPool("ResendConfirmationCode", { Username: phone });
  await callCountedPool("ConfirmSignUp", { Username: phone, ConfirmationCode: await textedCode(phone) });
  const { AccessToken, RefreshToken } = await signInByProof(phone);
  await callCountedPool("InitiateAuth", {
    AuthFlow: "USER_PASSWORD_AUTH",
    AuthParameters: { USERNAME: phone, PASSWORD },
  });
  const { Session } = await callCountedPool("InitiateAuth", {
    AuthFlow: "CUSTOM_AUTH",
    AuthParameters: { USERNAME: phone },
  });
  await callCountedPool("RespondToAuthChallenge", {
    ChallengeName: "CUSTOM_CHALLENGE",
    Session,
    ChallengeResponses: { USERNAME: phone, ANSWER: await textedCode(phone) },
  });
  const renewed = z.object({ AuthenticationResult: tokensShape }).parse(
    await callCountedPool("InitiateAuth", {
      AuthFlow: "REFRESH_TOKEN_AUTH",
      AuthParameters: { REFRESH_TOKEN: RefreshToken },
    }),
  ).AuthenticationResult;
  const refreshed = z
    .object({ AuthenticationResult: tokensShape })
    .parse(await callCountedPool("GetTokensFromRefreshToken", { RefreshToken: renewed.RefreshToken }));
  await callCountedPool("GetUser", { AccessToken });
  await callCountedPool("UpdateUserAttributes", {
    AccessToken,
    UserAttributes: [{ Name: "name", Value: "Ana" }],
  });
  const next = newPhone();
  await callCountedPool("UpdateUserAttributes", {
    AccessToken,
    UserAttributes: [{ Name: "phone_number", Value: next }],
  });
  await callCountedPool("GetUserAttributeVerificationCode", { AccessToken, AttributeName: "phone_number" });
  await callCountedPool("VerifyUserAttribute", {
    AccessToken,
    AttributeName: "phone_number",
    Code: await textedCode(next),
  });
  await callCountedPool("DeleteUserAttributes", { AccessToken, UserAttributeNames: ["name"] });
  await callCountedPool("ChangePassword", {
    AccessToken,
    PreviousPassword: PASSWORD,
    ProposedPassword: OTHER_PASSWORD,
  });
  await callCountedPool("SetUserMFAPreference", { AccessToken, SMSMfaSettings: { Enabled: false } });
  await callCountedPool("RevokeToken", { Token: refreshed.AuthenticationResult.RefreshToken });
  await callCountedPool("ForgotPassword", { Username: next });
  await callCountedPool("ConfirmForgotPassword", {
    Username: next,
    ConfirmationCode: await textedCode(next),
    Password: PASSWORD,
  });
  const again = await signInByProof(next);
  await callCountedPool("GlobalSignOut", { AccessToken: again.AccessToken });
  const last = await signInByProof(next);
  await callCountedPool("DeleteUser", { AccessToken: last.AccessToken });

  expectAtMost(
    MOST_PER_OPERATION,
    Object.keys(requests).filter((name) => seen.get(name)?.statuses.has(200)),
  );
});

/** Calls that wait for more, each for the reason that `worker/decisions/choices.md` gives. None may be added. */
const MORE_TRIPS: Readonly<Record<string, number>> = {
  "DELETE /flex/v1/user": 4,
  "POST /flex/v1/payments/prepare": 3,
};

const failed: string[] = [];

it("a route waits for two trips at most", async () => {
  const phone = await signUp();
  const { IdToken: token } = await signInByProof(phone);
  const client = new DriverClient({ ...counted, token });
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await client.call(method, path, { body, headers });
    if (!response.ok) failed.push(`${method} ${path} ${response.status} ${await response.clone().text()}`);
    return response;
  };
  const open = async (method: string, path: string, init: RequestInit = {}) =>
    counted.fetch(`${counted.origin}${path}`, { method, ...init });
  const sealed = async (method: string, path: string, body: unknown) => {
    const response = await client.sealed(method, path, body);
    if (!response.ok) failed.push(`${method} ${path} ${response.status} ${await response.clone().text()}`);
    return response;
  };

  await open("GET", "/status/health");
  await open("GET", "/status/config");
  await open("GET", "/status/plans");
  await open("GET", "/status/spots");
  await open("GET", "/status/platform");
  await open("GET", "/status/openapi.json");
  await open("POST", "/status/errors", {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ caller: "error_page", name: "TypeError", stack: null }),
  });
  await sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber: phone });
  const driverId = String(
    (await env.DB.prepare("SELECT id FROM users WHERE phone_number = ?").bind(phone).first("id")) ?? "",
  );
  await call("GET", "/flex/v1/user");
  await call("PUT", `/flex/v1/user/${phone}`, {
    name: "Ana Maria",
    preferredPhoneNumber: null,
    humanTimezone: "America/New_York",
    humanRegion: "Queens",
  });
  const email = `${driverId}@example.com`;
  await linkPlatformAccount({ ...counted, client }, email);
  await sealed("POST", "/flex/v1/errors", { caller: "error_page", name: "E", message: "m", stack: null });
  const { warehouses } = await client.warehouses();
  const warehouseId = warehouses[0]!.warehouseId;
  await client.saveFilters(permissiveFilters([permissiveWarehouseFilter(warehouseId)]));
  await env.DB.prepare("INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, ?, ?, ?)")
    .bind("test", driverId, 3_600_000, Date.now())
    .run();
  await env.DB.prepare("INSERT INTO point_entries (source, driver_id, points, at) VALUES (?, ?, ?, ?)")
    .bind("test", driverId, 3000, Date.now())
    .run();
  await env.DB.prepare(
    `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash, prize) VALUES ('fair', '14days', ?, ?, 1, 'h', ?)`,
  )
    .bind(Date.now() - 1e8, Date.now() + 1e8, JSON.stringify({ en: "A", es: "B", pt: "C" }))
    .run();
  await open("GET", "/status/raffles/fair");
  for (const change of [
    { mode: "secure" },
    { language: "es", updateLanguage: true },
    { name: "Bea", preferredPhoneNumber: null, updateProfile: true },
    { phoneNumber: phone, userDisabled: 0 },
    { phoneNumber: phone, userDisabled: 1 },
  ])
    await sealed("PATCH", "/flex/v1/user", change);
  for (const path of [
    "user/earnings",
    "user/notifications",
    "user/reminders",
    "user/texts",
    "user/chat",
    "user/recording",
    "user/im-here/data",
    "user/export",
    "sessions",
    "security",
    "filters",
    "warehouses",
    "lost-days",
    "checks",
    "week",
    "blocks?type=won",
    "blocks?type=disliked",
    "blocks/passed-over",
    "offer-hours",
    "offer-hours/city",
    "blocks/next",
    "setup",
    "spot",
    "raffles",
    "announcements",
    "plans",
    "rewards",
    "invitations",
    "feedback",
    "payments",
    "payments/cards",
    "payments/renewal",
  ])
    await call("GET", `/flex/v1/${path}`);
  // Record, count of calls and session: a payment's own route, whose pattern matches too, reads nothing ahead.
  const log = seen.get("GET /flex/v1/payments/cards")?.log ?? [];
  expect(log.filter((line) => line.startsWith("1 "))).toHaveLength(3);
  const filters = permissiveFilters([permissiveWarehouseFilter(warehouseId)]);
  await call("POST", "/flex/v1/filters/replay", { days: 7, filters });
  await call("PUT", "/flex/v1/user/recording", { consent: true });
  await call("PUT", "/flex/v1/user/notifications?questions=1", { service: { text: true, push: false } });
  await call("PUT", "/flex/v1/user/reminders", { week: { text: true, push: false } });
  await call("GET", "/flex/v1/pause");
  await call("POST", "/flex/v1/pause", { days: 1 });
  await call("DELETE", "/flex/v1/pause");
  await call("POST", "/flex/v1/user/texts/test");
  const listener = await createPushSubscriber("https://push.sandbox.test/send/1");
  await call("PUT", "/flex/v1/user/push", listener.subscription);
  await call("DELETE", "/flex/v1/user/push", { endpoint: listener.subscription.endpoint });
  const preferred = newPhone();
  await sealed("PATCH", "/flex/v1/user", {
    name: "Bea",
    preferredPhoneNumber: preferred,
    updateProfile: true,
  });
  await call("POST", "/flex/v1/user/preferred-phone/code");
  await call("POST", "/flex/v1/user/preferred-phone/verify", { code: await textedCode(preferred) });
  const { ticket } = await client.ticket();
  const live = await open("GET", "/flex/v1/live", {
    headers: { upgrade: "websocket", "sec-websocket-protocol": `${LIVE_PROTOCOL}, ticket.${ticket}` },
  });
  live.webSocket?.accept();
  live.webSocket?.close();
  const blockId = await acceptOnPlatform(apiTarget, email, { warehouseId, inMinutes: 10 });
  await call("GET", "/flex/v1/blocks/next");
  const { warehouses: stations } = await platformWorld(apiTarget);
  const { location } = stations.find((known) => known.warehouseId === warehouseId)!;
  await client.call("POST", `/flex/v1/blocks/${blockId}/check-in`, {
    body: {
      ...location,
      accuracyMeters: 12,
      observedAt: Date.now(),
    },
  });
  await client.call("GET", `/flex/v1/blocks/${blockId}/other-offers`);
  await client.call("POST", `/flex/v1/blocks/${blockId}/take-again`);
  await call("POST", "/flex/v1/spot/join");
  await call("POST", "/flex/v1/spot/take");
  await call("POST", "/flex/v1/feedback", { score: 9, comment: "good" });
  const invited = newPhone();
  await call("POST", "/flex/v1/invitations", { phoneNumber: invited.slice(2) });
  const { link } = await client.fetchJson<{ link: string }>("GET", "/flex/v1/invitations");
  await open("GET", `/status/inviters/${new URL(link).searchParams.get("referral")}`);
  await call("POST", "/flex/v1/rewards/redeem", { reward: "3days", idempotencyKey: crypto.randomUUID() });

  const quote = await parseResponse<{ renewalCapCents: number; totalCents: number }>(
    await call("POST", "/flex/v1/payments/quote", { plan: "7days", points: 0 }),
    "quote",
  );
  const { lastPaymentId } = await client.fetchJson<{ lastPaymentId: string | null }>("GET", "/flex/v1/plans");
  const renewal = { capCents: quote.renewalCapCents, words: RENEWAL_WORDS };
  const prepare = { plan: "7days", points: 0, totalCents: 5022, lastPaymentId, renewal };
  const prepared = await parseResponse<{ paymentId: string; clientSecret: string }>(
    await sealed("POST", "/flex/v1/payments/prepare", prepare),
    "prepare",
  );
  await call("GET", `/flex/v1/payments/${prepared.paymentId}`);
  const intentId = prepared.clientSecret.split("_secret_")[0]!;
  await callStripeSandbox(`intents/${intentId}/pay`, { card: "4242424242424242" });
  for (const { body, signature } of await fetchEvents(intentId))
    await open("POST", "/webhooks/stripe", { headers: { "stripe-signature": signature }, body });
  await call("GET", `/flex/v1/payments/${prepared.paymentId}`);
  await call("GET", `/flex/v1/payments/${prepared.paymentId}/receipt`);
  await call("GET", "/flex/v1/payments");
  await call("GET", "/flex/v1/payments/renewal");
  const { cards } = await client.fetchJson<{ cards: { id: string }[] }>("GET", "/flex/v1/payments/cards");
  await call("POST", "/flex/v1/payments/session");
  await call("PUT", "/flex/v1/payments/renewal", { on: false });
  await call("PUT", "/flex/v1/payments/renewal", { on: true, plan: "7days", ...renewal });
  const linkOf = async (pattern: RegExp) => {
    const found = async () => (await textsTo(preferred)).map((text) => pattern.exec(text)?.[1]).find(Boolean);
    await expect
      .poll(found, { timeout: 200 })
      .toBeTruthy()
      .catch(() => failed.push(String(pattern)));
    return String(await found());
  };
  const renewalLink = { headers: { authorization: `Link ${await linkOf(/\/renewal#([\w-]{38})$/)}` } };
  await client.call("POST", "/flex/v1/payments/renewal/seen", { body: { end: 1, cents: 1 } });
  await client.call("POST", "/flex/v1/questions/0123456789abc-q0", { body: { answer: "pass" } });
  await open("GET", "/flex/v1/question-link", { headers: { authorization: `Link ${"x".repeat(46)}` } });
  await open("POST", "/flex/v1/question-link", { headers: { authorization: `Link ${"x".repeat(46)}` } });
  await open("GET", "/flex/v1/receipt-link", { headers: { authorization: `Link ${"x".repeat(38)}` } });
  await open("GET", "/flex/v1/renewal-link", renewalLink);
  await open("POST", "/flex/v1/renewal-link", renewalLink);
  await call("DELETE", `/flex/v1/payments/cards/${cards[0]?.id}`);
  const second = await parseResponse<{ paymentId: string }>(
    await sealed("POST", "/flex/v1/payments/prepare", {
      plan: "7days",
      points: 0,
      totalCents: 5022,
      lastPaymentId: prepared.paymentId,
    }),
    "prepare again",
  );
  await call("POST", `/flex/v1/payments/${second.paymentId}/cancel`);

  const query = new URLSearchParams({ to: phone });
  const reports = await apiTarget.fetch(`${apiTarget.origin}/sandbox/sms/reports?${query}`);
  const { texts } = await reports.json<{ texts: { url: string; body: string; signature: string }[][] }>();
  for (const { url, body, signature } of texts.flat())
    await counted.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature },
      body,
    });
  for (const word of ["STOP", "START", "hello"]) {
    const signed = await postJson<{ url: string; body: string; signature: string }>(
      apiTarget,
      "/sandbox/sms/incoming",
      { from: phone, body: word },
    );
    await counted.fetch(signed.url, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-twilio-signature": signed.signature,
      },
      body: signed.body,
    });
  }
  const { calendar, address } = await parseResponse<CalendarAddressResponse>(
    await call("POST", "/flex/v1/calendar", { withPay: true }),
    "calendar",
  );
  await call("GET", "/flex/v1/calendar");
  await call("GET", "/flex/v1/calendar/address");
  await call("PATCH", "/flex/v1/calendar", { withPay: false });
  await call("PUT", "/flex/v1/calendar/session", { feedId: calendar.feedId });
  await open("GET", new URL(address).pathname);
  // Calendar programs may ask each minute: the object answers them without the database.
  expect(seen.get("GET /flex/v1/calendar/feed/{file}")).toMatchObject({ trips: 0, log: [] });
  await call("DELETE", "/flex/v1/calendar");
  await signInByProof(phone);
  const { sessions } = await client.fetchJson<{ sessions: { id: string; isCurrent: boolean }[] }>(
    "GET",
    "/flex/v1/sessions",
  );
  await call("DELETE", `/flex/v1/sessions/${sessions.find(({ isCurrent }) => !isCurrent)?.id}`);
  await signInByProof(phone);
  await call("DELETE", "/flex/v1/sessions");
  await client.call("POST", "/flex/v1/setup/otp/resend");
  await call("GET", "/flex/v1/passkeys");
  await client.call("POST", "/flex/v1/passkeys/offer");
  await client.call("POST", "/flex/v1/passkeys", { body: {} });
  await client.call("PATCH", "/flex/v1/passkeys/none", { body: { name: "Phone" } });
  await client.call("DELETE", "/flex/v1/passkeys/none");
  await client.call("POST", "/flex/v1/passkeys/undo-recovery");
  await call("DELETE", "/flex/v1/setup");
  const { AccessToken, IdToken } = await signInByProof(phone);
  await callCountedPool("ChangePassword", {
    AccessToken,
    PreviousPassword: PASSWORD,
    ProposedPassword: OTHER_PASSWORD,
  });
  await runMinute();
  const undo = async () =>
    (await textsTo(phone)).map((text) => /\/undo#([\w-]{22})$/.exec(text)?.[1]).find(Boolean);
  await expect.poll(undo).toBeTruthy();
  const undoLink = { headers: { authorization: `Undo ${await undo()}` } };
  await open("GET", "/flex/v1/undo", undoLink);
  const leaving = new DriverClient({ ...counted, token: IdToken });
  await leaving.call("DELETE", "/flex/v1/user");
  await open("POST", "/flex/v1/undo", undoLink);

  expect(failed).toEqual([]);
  for (const [name, most] of Object.entries(MORE_TRIPS)) {
    expect([name, most > MOST_PER_ROUTE]).toEqual([name, true]);
    expectAtMost(most, [name]);
  }
  expectAtMost(
    MOST_PER_ROUTE,
    Object.keys(API_ROUTES).filter((name) => !(name in MORE_TRIPS)),
  );
}, 120_000);
