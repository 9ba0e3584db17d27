import { screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { SetupResponse } from "../../../db/shapes/work/linking.ts";
import { linkingStore, setupQuery } from "../../../web/api/queries/setup.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { sessionStore } from "../../../web/api/session/session.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { CredentialsStep } from "../../../web/features/linking/credentials-step.tsx";
import { LinkingFlow } from "../../../web/features/linking/linking-flow.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession, type Reply } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

const START = linkingStore.get();
beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));
afterEach(() => {
  vi.useRealTimers();
  linkingStore.setState(() => START);
  sessionStore.setState(() => undefined);
});

const SETUP = "GET /flex/v1/setup";
const SEND = "POST /flex/v1/setup/otp";
const RESEND = "POST /flex/v1/setup/otp/resend";
const OTP: SetupResponse = {
  step: "otp",
  channel: "sms",
  destination: "***-**44",
  expiresAt: NOON + 5 * 60_000,
};
const APPROVAL: SetupResponse = { step: "approval", expiresAt: NOON + 5 * 60_000 };
const WRONG = "That code isn't right";

/** The screen of the platform's code, with what the server answers to a look, a code and a wish for another. */
async function openStep(replies: Record<string, Reply | readonly Reply[]> = {}, code = OTP) {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  const network = scriptNetwork();
  network.answer({ [SETUP]: { body: code }, ...replies });
  const toasts = watchToasts();
  const part = await renderPart(createElement(LinkingFlow, { currentStep: "otp" }), {
    answered: [
      [setupQuery.queryKey, code],
      [userQuery.queryKey, RECORD],
    ],
  });
  const field = screen.getByLabelText<HTMLInputElement>("One-time code");
  return {
    ...network,
    ...part,
    toasts,
    field,
    type: (code: string) => part.user.type(field, code),
    press: (name: string | RegExp) => part.user.click(screen.getByRole("button", { name })),
    codes: () => network.calls.filter(({ operation }) => operation === SEND).map(({ body }) => body["code"]),
    /** The words beneath the field. */
    fieldError: () => {
      const ids = field.getAttribute("aria-describedby")?.split(" ") ?? [];
      return ids.map((id) => document.querySelector(`[id="${id}"]`)?.textContent ?? "").join(" ");
    },
    isWrong: () => field.getAttribute("aria-invalid") === "true",
    step: () => part.cached(setupQuery.queryKey),
  };
}

it("sends the code once, though it is sent again before the answer, and goes on to the next step", async () => {
  const arrival = Promise.withResolvers<void>();
  const { type, press, codes, step } = await openStep({ [SEND]: { body: APPROVAL, after: arrival.promise } });
  await type("482 1{Enter}");
  await press("Confirming…");
  arrival.resolve();
  await expect.poll(step).toEqual(APPROVAL);
  expect(codes()).toEqual(["4821"]);
});

it("says how many tries are left, and doesn't spend another on the same code", async () => {
  const { type, press, field, codes, fieldError, isWrong } = await openStep({
    [SEND]: [refusalReply("link_code_wrong", {}, { attemptsLeft: 2 }), refusalReply("link_code_wrong")],
  });
  await type("4821{Enter}");
  await expect.poll(fieldError).toContain("2 tries left");
  expect(document.activeElement).toBe(field);
  await press("Confirm");
  await expect.poll(isWrong).toBe(true);
  expect(codes()).toEqual(["4821"]);
  await type("{Backspace}2");
  expect(isWrong()).toBe(false);
  await press("Confirm");
  await expect.poll(fieldError).toContain(WRONG);
  expect(codes()).toEqual(["4821", "4822"]);
});

it("takes a new code for what it is: nothing is said of the last one, and the same digits are tried", async () => {
  const { type, press, toasts, field, isWrong, codes, fieldError, step } = await openStep({
    [SEND]: [refusalReply("link_code_wrong", {}, { attemptsLeft: 2 }), { body: APPROVAL }],
    [RESEND]: { body: OTP },
  });
  await type("4821{Enter}");
  await expect.poll(fieldError).toContain("2 tries left");
  await press("Send a new code");
  await expect.poll(toasts).toEqual([{ text: "The platform sent a new code." }]);
  expect([field.value, isWrong(), screen.queryByRole("button", { name: "Contact us" })]).toEqual([
    "",
    false,
    null,
  ]);
  await type("4821{Enter}");
  await expect.poll(step).toEqual(APPROVAL);
  expect(codes()).toEqual(["4821", "4821"]);
});

it("counts down until the platform sends another code, and then says nothing of a refusal that is over", async () => {
  const { press, count } = await openStep({
    [RESEND]: [refusalReply("rate_limited", {}, { retryAfter: 40 }), { body: OTP }],
  });
  await press("Send a new code");
  const waiting = await screen.findByRole("button", { name: "Send a new code in 0:40" });
  expect(screen.queryByRole("alert")).toBeNull();
  await press("Send a new code in 0:40");
  expect([count(RESEND), waiting.getAttribute("aria-disabled")]).toEqual([1, "true"]);
  vi.setSystemTime(NOON + 41_000);
  await screen.findByRole("button", { name: "Send a new code" });
  expect(screen.queryByRole("alert")).toBeNull();
  await press("Send a new code");
  await expect.poll(() => count(RESEND)).toBe(2);
});

it.each([
  ["link_denied", "denied on your device", {}],
  ["link_expired", "Linking took too long", {}],
  ["link_account_taken", "linked to another driver here", {}],
  ["link_code_wrong", "no tries left", { attemptsLeft: 0 }],
] as const)("goes back to the first step after %s, where it says why", async (code, reason, more) => {
  const { type, answer, address, unmount } = await openStep({ [SEND]: refusalReply(code, {}, more) });
  answer({ [SETUP]: { body: { step: "credentials" } } });
  await type("4821{Enter}");
  await expect.poll(address).toBe("/flex/login");
  unmount();
  await renderPart(createElement(CredentialsStep), { answered: [[userQuery.queryKey, RECORD]] });
  expect(screen.getByRole("alert").textContent).toContain(reason);
});

const OVERDUE = { ...OTP, expiresAt: NOON };

it("says at the first step that a look found the account linked to another driver", async () => {
  const { address, unmount } = await openStep(
    { [SETUP]: [refusalReply("link_account_taken"), { body: { step: "credentials" } }] },
    OVERDUE,
  );
  await expect.poll(address).toBe("/flex/login");
  unmount();
  await renderPart(createElement(CredentialsStep), { answered: [[userQuery.queryKey, RECORD]] });
  expect(screen.getByRole("alert").textContent).toContain("linked to another driver here");
});

it.each([
  ["verification_required", "The platform wants to verify you first."],
  ["maintenance", "We're doing maintenance"],
  ["platform_unreachable", "We can't reach the platform right now."],
] as const)("says where a look ends with %s: %s", async (code, words) => {
  await openStep({ [SETUP]: refusalReply(code) }, OVERDUE);
  await screen.findByText(words, { exact: false });
});

it.each([
  ["a look", "GET /flex/v1/setup"],
  ["a code", "POST /flex/v1/setup/otp"],
  ["a wish for another code", "POST /flex/v1/setup/otp/resend"],
] as const)("leads to the page of the platform on which %s says to verify", async (_, operation) => {
  const verificationUrl = "https://platform.test/captcha";
  const reply = refusalReply("verification_required", {}, { verificationUrl });
  const { type, press } = await openStep({ [operation]: reply }, operation === SETUP ? OVERDUE : OTP);
  if (operation === SEND) await type("123456{Enter}");
  if (operation === RESEND) await press(/Resend|Send/);
  const link = await screen.findByRole<HTMLAnchorElement>("link", { name: "Verify on the platform" });
  expect([link.href, link.rel]).toEqual([verificationUrl, "noopener noreferrer"]);
});

it("says nothing of where the platform sent the code, if the platform doesn't", async () => {
  await openStep({}, { ...OTP, channel: "other", destination: "" });
  expect(screen.getByText("The platform sent you a code.")).toBeTruthy();
});
