import { screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { SetupResponse } from "../../../db/shapes/work/linking.ts";
import { linkingStore, setupQuery, updateLinking } from "../../../web/api/queries/setup.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { sessionStore } from "../../../web/api/session/session.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { LinkingFlow } from "../../../web/features/linking/linking-flow.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession, type Reply } from "../../support/scripted-network.ts";

const START = linkingStore.get();
beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));
afterEach(() => {
  vi.useRealTimers();
  linkingStore.setState(() => START);
  sessionStore.setState(() => undefined);
});

const SEND = "POST /flex/v1/setup/login";
const OTP: SetupResponse = { step: "otp", channel: "sms", destination: "**44", expiresAt: NOON + 300_000 };
const CREDENTIALS: SetupResponse = { step: "credentials" };

/** The first step of linking, with what the server answers to a sign-in. */
async function openStep(reply: Reply | readonly Reply[] = { body: OTP }, setup: SetupResponse = CREDENTIALS) {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  const network = scriptNetwork();
  network.answer({ [SEND]: reply, "GET /flex/v1/setup": { body: setup } });
  const part = await renderPart(createElement(LinkingFlow, { currentStep: "credentials" }), {
    answered: [
      [setupQuery.queryKey, setup],
      [userQuery.queryKey, RECORD],
    ],
  });
  const email = screen.getByLabelText<HTMLInputElement>("Email on the platform");
  const password = screen.getByLabelText<HTMLInputElement>("Password on the platform");
  return {
    ...network,
    ...part,
    email,
    password,
    /** Types both, and sends them with Enter. */
    send: async (typed: { email: string; password: string }) => {
      await part.user.type(email, typed.email);
      await part.user.type(password, `${typed.password}{Enter}`);
    },
    press: (name: string) => part.user.click(screen.getByRole("button", { name })),
    sent: () => network.calls.filter(({ operation }) => operation === SEND).map(({ body }) => body),
    refused: async () => (await screen.findByRole("alert")).textContent,
    step: () => part.cached(setupQuery.queryKey),
  };
}

const ANA = { email: "ana@example.com", password: " open sesame " };

it("sends email and password once, the one without blanks around it, the other as it is typed", async () => {
  const arrival = Promise.withResolvers<void>();
  const { send, press, sent, step } = await openStep({ body: OTP, after: arrival.promise });
  await send({ ...ANA, email: " ana@example.com " });
  await press("Signing in to the platform…");
  arrival.resolve();
  await expect.poll(step).toEqual(OTP);
  expect(sent()).toEqual([ANA]);
  expect(linkingStore.get()).toMatchObject({ isRestarting: false, resendAt: NOON + 30_000 });
  expect(sessionStorage.getItem("jornada.linking")).not.toContain("sesame");
});

it.each([
  [{ email: " ", password: "x" }, "email"],
  [{ email: "ana", password: "x" }, "email"],
  [{ email: ANA.email, password: "" }, "password"],
] as const)("sends nothing of %o, and takes whoever typed it to the wrong field", async (typed, wrong) => {
  const { send, sent, ...fields } = await openStep();
  await send({ email: typed.email, password: typed.password });
  await expect.poll(() => fields[wrong].getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(fields[wrong]);
  expect(sent()).toEqual([]);
});

it.each([
  ["link_credentials_wrong", refusalReply("link_credentials_wrong"), "doesn't know this email and password"],
  ["platform_unreachable", refusalReply("platform_unreachable"), "isn't answering as it should"],
  ["a lost connection", "lost", "couldn't reach the server"],
] as const)(
  "keeps what was typed after %s, says why and whom to ask, and sends it again",
  async (_, reply, why) => {
    const { send, press, sent, refused, step, email, password } = await openStep([reply, { body: OTP }]);
    await send(ANA);
    expect(await refused()).toContain(why);
    expect([email.value, password.value]).toEqual([ANA.email, ANA.password]);
    screen.getByRole("button", { name: "Contact us" });
    await press("Continue");
    await expect.poll(step).toEqual(OTP);
    expect(sent()).toEqual([ANA, ANA]);
  },
);

it("leads to the page on which the platform verifies the driver, and tries again after it", async () => {
  const verificationUrl = "https://platform.test/captcha";
  const refused = refusalReply("verification_required", {}, { verificationUrl });
  const { send, press, step } = await openStep([refused, { body: OTP }]);
  await send(ANA);
  const link = await screen.findByRole<HTMLAnchorElement>("link", { name: "Verify on the platform" });
  expect([link.href, link.target, link.rel]).toEqual([verificationUrl, "_blank", "noopener noreferrer"]);
  await press("Continue");
  await expect.poll(step).toEqual(OTP);
});

it("says at the field what the server finds wrong there", async () => {
  const { send, email } = await openStep(refusalReply("invalid_request", { email: "invalid" }));
  await send(ANA);
  await expect.poll(() => email.getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(email);
});

it("sends nothing before the platform's wait is over, which the button counts down", async () => {
  const { send, press, user, sent, password, step } = await openStep([
    refusalReply("rate_limited", {}, { retryAfter: 90 }),
    { body: OTP },
  ]);
  await send(ANA);
  await screen.findByRole("button", { name: "Try again in 1:30" });
  await user.type(password, "{Enter}");
  await press("Try again in 1:30");
  expect(sent()).toHaveLength(1);
  vi.setSystemTime(NOON + 91_000);
  await screen.findByRole("button", { name: "Continue" });
  await press("Continue");
  await expect.poll(step).toEqual(OTP);
});

it("holds nobody back who links another account than the one that is locked", async () => {
  const { send, press, user, sent, refused, email, step } = await openStep([
    refusalReply("link_locked", {}, { retryAfter: 900 }),
    { body: OTP },
  ]);
  await send(ANA);
  expect(await refused()).toContain("locked");
  await user.clear(email);
  await user.type(email, "other@example.com");
  await press("Continue");
  await expect.poll(step).toEqual(OTP);
  expect(sent().at(-1)).toEqual({ ...ANA, email: "other@example.com" });
});

it("goes back from the form for another account to the linking that is in progress", async () => {
  updateLinking({ isRestarting: true });
  const { press, address, sent } = await openStep(undefined, OTP);
  await press("Continue where I left off");
  await expect.poll(address).toBe("/flex/otp");
  expect(sent()).toEqual([]);
});

it("puts the linking of another account in place of the one in progress", async () => {
  updateLinking({ isRestarting: true });
  const other = { ...OTP, destination: "**55" };
  const { send, step, address } = await openStep({ body: other }, OTP);
  await send(ANA);
  await expect.poll(step).toEqual(other);
  await expect.poll(address).toBe("/flex/otp");
});

it("keeps what is typed for another account while the former linking ends, and says how it ended", async () => {
  updateLinking({ isRestarting: true });
  const { user, email, password, answer, refetch, refused } = await openStep({ body: OTP }, OTP);
  await user.type(email, ANA.email);
  await user.type(password, "open");
  answer({ "GET /flex/v1/setup": refusalReply("link_expired") });
  await refetch(setupQuery.queryKey);
  expect(await refused()).toContain("Linking took too long");
  await user.type(password, " sesame");
  expect([email.value, password.value]).toEqual([ANA.email, "open sesame"]);
});
