import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { initialLiveState } from "../../../web/api/live/live-state.ts";
import { liveStore, dispatchLive } from "../../../web/api/live/live.ts";
import {
  currentToken,
  clearSession,
  syncAcrossTabs,
  onSignedOut,
  parseTokenName,
  parseTokenSession,
  parseTokenSubject,
  sessionEndStore,
  sessionStore,
  restoreSession,
  saveSession,
} from "../../../web/api/session/session.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";
import { IDENTITY, errorReply, SUB, token, tokenResponse } from "../../support/scripted-network.ts";

let harness: ReturnType<typeof createBrowserHarness>;
beforeEach(() => {
  harness = createBrowserHarness();
  sessionStore.setState(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

const ask = (force = false) => currentToken(IDENTITY, { now: Date.now(), force });
function forbid(): never {
  throw new DOMException("denied", "SecurityError");
}
function fill(): never {
  throw new DOMException("full", "QuotaExceededError");
}
const old = () => ({
  idToken: token("id", { endsInMs: -1000 }),
  accessToken: token("access", { endsInMs: -1000 }),
});

/** Another tab: the same module, loaded once more over the same storage. */
async function openTab() {
  vi.resetModules();
  return import("../../../web/api/session/session.ts");
}

it("hands out a token that is good, without a call", async () => {
  const idToken = token("id");
  harness.signIn({ idToken });
  expect(await ask()).toBe(idToken);
  expect(harness.calls).toEqual([]);
});

it("answers null where nobody is signed in, or where a session has ended for good", async () => {
  expect(await ask()).toBeNull();
  harness.signIn({ ...old(), refreshToken: null });
  expect(restoreSession(IDENTITY, Date.now())).toBeNull();
});

it("renews once for all who ask, and keeps what it got", async () => {
  harness.signIn(old());
  const reply = tokenResponse();
  harness.answer({ Refresh: reply });
  const { IdToken, AccessToken } = reply.body.AuthenticationResult;
  expect(await Promise.all([ask(), ask(), ask(true)])).toEqual([IdToken, IdToken, IdToken]);
  expect(harness.count("Refresh")).toBe(1);
  expect(sessionStore.get()).toMatchObject({ idToken: IdToken, accessToken: AccessToken });
  expect(await ask()).toBe(IdToken);
  expect(harness.count("Refresh")).toBe(1);
});

it("renews with the refresh token of its last renewal, and with its first where it got no other", async () => {
  harness.signIn(old());
  const reply = (more: object) => ({
    body: { AuthenticationResult: { ...tokenResponse().body.AuthenticationResult, ...more } },
  });
  harness.answer({
    Refresh: [reply({ RefreshToken: "second" }), reply({}), reply({ RefreshToken: "third" })],
  });
  for (let renewal = 0; renewal < 3; renewal += 1) await ask(true);
  const sent = harness.calls.map(({ body }) => Object(body["AuthParameters"]).REFRESH_TOKEN);
  expect(sent).toEqual(["refresh", "second", "second"]);
  expect(sessionStore.get()).toMatchObject({ refreshToken: "third" });
});

it("renews at a pool of AWS by the call that it takes whether or not it rotates refresh tokens", async () => {
  const aws = { ...IDENTITY, endpoint: "https://cognito-idp.us-east-1.amazonaws.com/" };
  const renew = () => currentToken(aws, { now: Date.now(), force: true });
  harness.signIn(old());
  const rotated = {
    body: { AuthenticationResult: { ...tokenResponse().body.AuthenticationResult, RefreshToken: "second" } },
  };
  const reused = errorReply("RefreshTokenReuseException", "Refresh token has been invalidated");
  harness.answer({ GetTokensFromRefreshToken: [rotated, reused] });
  await renew();
  localStorage.setItem(`CognitoIdentityServiceProvider.${IDENTITY.clientId}.${SUB}.deviceKey`, "device");
  await expect(renew()).rejects.toMatchObject({ code: "SessionEnded" });
  const ClientId = IDENTITY.clientId;
  const ClientMetadata = { renewal: expect.any(String) };
  expect(harness.calls.map(({ operation, body }) => [operation, body])).toEqual([
    ["GetTokensFromRefreshToken", { ClientId, ClientMetadata, RefreshToken: "refresh" }],
    ["GetTokensFromRefreshToken", { ClientId, ClientMetadata, RefreshToken: "second", DeviceKey: "device" }],
  ]);
  expect([sessionStore.get(), sessionEndStore.get()]).toEqual([null, "revoked"]);
  sessionEndStore.setState(() => null);
});

it("repeats a renewal without tokens with its secret, also as another page, and makes the next with its own", async () => {
  harness.signIn(old());
  harness.answer({ Refresh: [{ status: 400, body: {} }, tokenResponse(), tokenResponse()] });
  const secrets = () => harness.calls.map(({ body }) => Object(body["ClientMetadata"]).renewal);
  await expect(ask(true)).rejects.toMatchObject({ code: "SessionEnded" });
  const page = await openTab();
  await page.currentToken(IDENTITY, { now: Date.now(), force: true });
  await page.currentToken(IDENTITY, { now: Date.now(), force: true });
  const [first, repeated, next] = secrets();
  const secret = expect.stringMatching(/^(?:\d+-){15}\d+$/u);
  expect([first, next]).toEqual([secret, secret]);
  expect(repeated).toBe(first);
  expect(next).not.toBe(first);
});

it("renews once for two tabs", async () => {
  harness.signIn(old());
  const reply = tokenResponse();
  harness.answer({ Refresh: reply });
  const other = await openTab();
  const tokens = await Promise.all([ask(), other.currentToken(IDENTITY, { now: Date.now() })]);
  expect(new Set(tokens)).toEqual(new Set([reply.body.AuthenticationResult["IdToken"]]));
  expect(harness.count("Refresh")).toBe(1);
});

it("takes the token that another tab stores while that still has the lock, and keeps the lock itself until the others see its own", async () => {
  harness.signIn(old());
  const { promise: isOver, resolve: release } = Promise.withResolvers<void>();
  const held = navigator.locks.request("jornada.renewal", () => isOver);
  const asked = ask();
  const idToken = token("id");
  harness.signIn({ idToken, refreshToken: "second" });
  const key = Object.keys(localStorage).find((known) => known.endsWith(".idToken"));
  window.dispatchEvent(Object.assign(new Event("storage"), { key }));
  expect(await asked).toBe(idToken);
  expect(harness.calls).toEqual([]);
  release();
  await held;

  harness.answer({ Refresh: tokenResponse() });
  await ask(true);
  const holders = async () => (await navigator.locks.query()).held?.map(({ name }) => name);
  expect(await holders()).toEqual(["jornada.renewal"]);
  await expect.poll(holders).toEqual([]);
});

it("listens for another tab's token only for as long as it waits for one", async () => {
  const listen = vi.spyOn(window, "addEventListener");
  harness.signIn(old());
  harness.answer({ Refresh: tokenResponse() });
  await ask();
  const waits = listen.mock.calls.flatMap(([type, , options]) =>
    type === "storage" && typeof options === "object" ? [options.signal?.aborted] : [],
  );
  expect(waits).toEqual([true]);
});

/** Another tab signs in before the answer to a call arrives. */
function signInMeanwhile(idToken: string): void {
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", async (...call: Parameters<typeof fetch>) => {
    const response = await fetch(...call);
    harness.signIn({ idToken, refreshToken: "second" });
    return response;
  });
}

it("takes the session that another tab stored while the renewal was under way, and stores nothing over it", async () => {
  harness.signIn(old());
  harness.answer({ Refresh: tokenResponse() });
  const idToken = token("id");
  signInMeanwhile(idToken);
  expect(await ask()).toBe(idToken);
  expect(sessionStore.get()).toMatchObject({ idToken, refreshToken: "second" });
  expect(restoreSession(IDENTITY, Date.now())).toMatchObject({ idToken, refreshToken: "second" });
});

it.each([
  ["refused", errorReply("NotAuthorizedException", "Refresh Token has been revoked")],
  ["not made", { status: 400, body: {} }],
])("keeps who signed in again while the renewal of the session before was %s", async (_how, reply) => {
  harness.signIn(old());
  harness.answer({ Refresh: reply });
  const idToken = token("id");
  signInMeanwhile(idToken);
  expect(await ask()).toBe(idToken);
  expect(sessionStore.get()).toMatchObject({ idToken, refreshToken: "second" });
  expect(sessionEndStore.get()).toBeNull();
  expect(restoreSession(IDENTITY, Date.now())).toMatchObject({ idToken, refreshToken: "second" });
});

it("renews without locks where the browser has none", async () => {
  vi.stubGlobal("navigator", {});
  harness.signIn(old());
  const reply = tokenResponse();
  harness.answer({ Refresh: reply });
  expect(await ask()).toBe(reply.body.AuthenticationResult["IdToken"]);
});

it("signs out where the renewal is refused, and asks only once", async () => {
  harness.signIn(old());
  harness.answer({ Refresh: errorReply("NotAuthorizedException", "Refresh Token has been revoked") });
  await expect(ask()).rejects.toMatchObject({ code: "SessionEnded", message: "Token refresh failed" });
  expect(sessionStore.get()).toBeNull();
  expect(Object.keys(harness.storage)).toEqual([]);
  expect(harness.count("Refresh")).toBe(1);
});

it.each([
  ["Refresh Token has been revoked", "revoked"],
  ["User is disabled.", "disabled"],
])("keeps why a session ended until the next one: %s", async (message, end) => {
  harness.signIn(old());
  harness.answer({ Refresh: errorReply("NotAuthorizedException", message) });
  await expect(ask()).rejects.toMatchObject({ code: "SessionEnded" });
  expect(sessionEndStore.get()).toBe(end);
});

it("signs out where the provider fails for long, and can take the session up again at the next start", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  harness.signIn(old());
  harness.answer({ Refresh: { status: 503, body: { __type: "InternalErrorException" } } });
  const asked = ask().catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await asked).toMatchObject({ code: "SessionEnded", message: "Token refresh failed" });
  expect(harness.count("Refresh")).toBe(6);
  expect(sessionStore.get()).toBeNull();
  expect(restoreSession(IDENTITY, Date.now())).toMatchObject({ username: SUB });
});

it("rides out a provider that is busy for a moment", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  harness.signIn(old());
  const reply = tokenResponse();
  harness.answer({ Refresh: [{ status: 429, body: {} }, "lost", "cut", reply] });
  const asked = ask();
  await vi.runAllTimersAsync();
  expect(await asked).toBe(reply.body.AuthenticationResult["IdToken"]);
});

it.each(["lost", "cut"] as const)("signs nobody out where the network is down: %s", async (failure) => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  harness.signIn(old());
  harness.answer({ Refresh: failure });
  const asked = ask().catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await asked).toMatchObject({ code: "NetworkError", message: "Network error" });
  expect(sessionStore.get()).toMatchObject({ username: SUB });
});

it("signs out where there is nothing to renew with", async () => {
  harness.signIn({ refreshToken: null });
  await expect(ask(true)).rejects.toMatchObject({ message: "No refresh token available" });
  expect(sessionStore.get()).toBeNull();
});

it("does not bring a session back that ended while its renewal was on its way", async () => {
  harness.signIn(old());
  harness.answer({ Refresh: tokenResponse() });
  const asked = ask();
  harness.storage.clear();
  await expect(asked).rejects.toMatchObject({ code: "SessionEnded" });
  expect(Object.keys(harness.storage)).toEqual([]);
  expect(sessionStore.get()).toBeNull();
});

it("follows a sign-out and a sign-in in another tab until it is told not to", () => {
  harness.signIn();
  restoreSession(IDENTITY, Date.now());
  const end = syncAcrossTabs(IDENTITY);
  const tell = (key: string | null) => window.dispatchEvent(Object.assign(new Event("storage"), { key }));
  const before = sessionStore.get();
  tell("theme");
  tell(`CognitoIdentityServiceProvider.${IDENTITY.clientId}.LastAuthUser`);
  expect(sessionStore.get()).toBe(before);
  harness.storage.clear();
  tell(null);
  expect(sessionStore.get()).toBeNull();
  harness.signIn();
  tell(`CognitoIdentityServiceProvider.${IDENTITY.clientId}.LastAuthUser`);
  expect(sessionStore.get()).toMatchObject({ username: SUB });
  end();
  harness.storage.clear();
  tell(null);
  expect(sessionStore.get()).toMatchObject({ username: SUB });
});

it.each([
  ["forbidden", { get: forbid }],
  ["missing", { value: null }],
  ["full", { value: { getItem: () => null, removeItem: () => undefined, setItem: fill } }],
])("keeps a session in the page where storage is %s, until it is signed out", async (_storage, property) => {
  // Put back with the stub that it replaces.
  Object.defineProperty(globalThis, "localStorage", { configurable: true, ...property });
  expect(restoreSession(IDENTITY, Date.now())).toBeNull();
  const tokens = { IdToken: token("id"), AccessToken: token("access"), RefreshToken: "refresh" };
  saveSession(IDENTITY, tokens);
  expect(sessionStore.get()).toMatchObject({ username: SUB, refreshToken: "refresh" });
  expect(await ask()).toBe(tokens.IdToken);
  clearSession(IDENTITY);
  expect(restoreSession(IDENTITY, Date.now())).toBeNull();
});

it("stays signed in where the device gets full, also if its tokens are renewed then", async () => {
  harness.signIn(old());
  const reply = tokenResponse();
  harness.answer({ Refresh: reply });
  vi.spyOn(harness.storage, "setItem").mockImplementation(fill);
  const { IdToken } = reply.body.AuthenticationResult;
  expect(await ask()).toBe(IdToken);
  expect(restoreSession(IDENTITY, Date.now())).toMatchObject({ idToken: IdToken });
  // A page that is loaded anew must not take the old tokens for good ones.
  expect((await openTab()).restoreSession(IDENTITY, Date.now())).toBeNull();
  clearSession(IDENTITY);
  expect(restoreSession(IDENTITY, Date.now())).toBeNull();
});

it("follows what a page missed while its browser kept it, once it is shown again", () => {
  harness.signIn();
  restoreSession(IDENTITY, Date.now());
  const end = syncAcrossTabs(IDENTITY);
  const show = (persisted: boolean) =>
    window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));
  harness.storage.clear();
  show(false);
  expect(sessionStore.get()).toMatchObject({ username: SUB });
  show(true);
  expect(sessionStore.get()).toBeNull();
  end();
  harness.signIn();
  show(true);
  expect(sessionStore.get()).toBeNull();
});

it.each(["idToken", "accessToken", "refreshToken"] as const)("takes a new %s of another tab over", (name) => {
  harness.signIn();
  restoreSession(IDENTITY, Date.now());
  const before = sessionStore.get();
  const end = syncAcrossTabs(IDENTITY);
  const renewed = name === "refreshToken" ? "renewed" : token(name === "idToken" ? "id" : "access");
  harness.signIn({ ...before, [name]: renewed });
  window.dispatchEvent(
    Object.assign(new Event("storage"), { key: `CognitoIdentityServiceProvider.${IDENTITY.clientId}.` }),
  );
  expect(sessionStore.get()).toMatchObject({ [name]: renewed });
  end();
});

it("takes over who signs in in another tab, whatever their tokens are", () => {
  harness.signIn();
  restoreSession(IDENTITY, Date.now());
  const prefix = `CognitoIdentityServiceProvider.${IDENTITY.clientId}`;
  for (const name of ["idToken", "accessToken", "refreshToken"])
    harness.storage.setItem(`${prefix}.another.${name}`, harness.storage[`${prefix}.${SUB}.${name}`]);
  harness.storage.setItem(`${prefix}.LastAuthUser`, "another");
  expect(restoreSession(IDENTITY, Date.now())).toMatchObject({ username: "another" });
  expect(sessionStore.get()).toMatchObject({ username: "another" });
});

it("counts a number as verified only where the token says so, and knows no subject without one", () => {
  const idToken = ["header", btoa(JSON.stringify({ exp: 4e9 })), "signature"].join(".");
  harness.signIn({ idToken });
  expect(restoreSession(IDENTITY, Date.now())).toMatchObject({
    phoneNumber: null,
    phoneNumberVerified: false,
  });
  expect([{ idToken }, { idToken: "nonsense" }].map(parseTokenSubject)).toEqual([null, null]);
  expect([{ idToken }, { idToken: "nonsense" }].map(parseTokenSession)).toEqual([null, null]);
  expect(parseTokenSubject({ idToken: token("id") })).toBe(SUB);
});

it("tells when a driver is gone: at the sign-out, not at a renewal or a sign-in", async () => {
  const gone: string[] = [];
  let step = "sign-in";
  onSignedOut(() => gone.push(step));
  harness.signIn(old());
  restoreSession(IDENTITY, Date.now());
  step = "renewal";
  harness.answer({ Refresh: tokenResponse() });
  await ask();
  step = "sign-out";
  clearSession(IDENTITY);
  expect(gone).toEqual(["sign-out"]);
});

it("shows nobody else what the line to a driver's object brought", () => {
  harness.signIn();
  restoreSession(IDENTITY, Date.now());
  dispatchLive({ kind: "connection", connection: "open" });
  clearSession(IDENTITY);
  expect(liveStore.get()).toBe(initialLiveState);
});

it("reads a name of any script from the token, and null from what is no token", () => {
  const payload = new TextEncoder().encode(JSON.stringify({ exp: 1, name: "João Ñandú" }));
  const encoded = btoa(String.fromCharCode(...payload))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  expect(parseTokenName({ idToken: `header.${encoded}.signature` })).toBe("João Ñandú");
  expect(parseTokenName({ idToken: "nonsense" })).toBeNull();
});
