import { screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { sessionStore } from "../../../web/api/session/session.ts";
import { accountStore, updateAccount } from "../../../web/features/account/account-store.ts";
import { ForgotForm, ResetForm } from "../../../web/features/account/new-password.tsx";
import { VerifyForm } from "../../../web/features/account/verify-form.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { errorReply } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";
import { alertText, errorAt, fieldAt, isSignedIn, scriptEntry } from "./entry-harness.ts";

const START = accountStore.get();
const PHONE = "+15550100144";
const PASSWORD = "Sunny-day1";
beforeAll(() => changeLocale("en"));
beforeEach(() => sessionStore.setState(() => undefined));
afterEach(() => {
  vi.useRealTimers();
  updateAccount({ ...START, isSigningIn: false });
  sessionStore.setState(() => undefined);
});

async function openVerify(password: string | null = PASSWORD) {
  const scripted = scriptEntry();
  updateAccount({ unconfirmed: { phone: PHONE, name: "Ana", password } });
  const credentials = { phone: PHONE, name: "Ana", password };
  const part = await renderPart(createElement(VerifyForm, { credentials, above: null }));
  const press = (name: string) => part.user.click(screen.getByRole("button", { name }));
  return { ...scripted, ...part, press };
}

it("confirms the number with a code that sends itself, once, and signs in", async () => {
  const { answer, user, sent } = await openVerify();
  const arrival = Promise.withResolvers<void>();
  answer({ ConfirmSignUp: { body: {}, after: arrival.promise } });
  await user.click(fieldAt("Confirmation code"));
  await user.paste("123 456");
  await screen.findByRole("button", { name: "Confirming…" });
  await user.keyboard("{Enter}");
  arrival.resolve();
  await expect.poll(isSignedIn).toBe(true);
  expect(sent("ConfirmSignUp").map((body) => body["ConfirmationCode"])).toEqual(["123456"]);
  await expect
    .poll(() => accountStore.get())
    .toMatchObject({ unconfirmed: null, isSigningIn: false, phone: "" });
});

it.each([
  "123456 is your Jornada code. It expires in 10 minutes. Don't share it. @jornada.example #123456",
  "Jornada: 123456. Vence en 10 minutos. No lo compartas. @jornada.example #123456",
])("takes the code out of the whole text, which a phone copies as one: %s", async (text) => {
  const { answer, user, sent } = await openVerify();
  answer({ ConfirmSignUp: { body: {} } });
  await user.click(fieldAt("Confirmation code"));
  await user.paste(text);
  await expect.poll(isSignedIn).toBe(true);
  expect(sent("ConfirmSignUp").map((body) => body["ConfirmationCode"])).toEqual(["123456"]);
});

it("goes on where the answer to the code was lost and the number is confirmed already", async () => {
  const { answer, user } = await openVerify();
  const confirmed = errorReply(
    "NotAuthorizedException",
    "User cannot be confirmed. Current status is CONFIRMED",
  );
  answer({ ConfirmSignUp: ["lost", confirmed] });
  await user.click(fieldAt("Confirmation code"));
  await user.paste("123456");
  expect(await alertText()).toContain("What you typed is still here");
  expect(fieldAt("Confirmation code").value).toBe("123456");
  await user.keyboard("{Enter}");
  await expect.poll(isSignedIn).toBe(true);
});

it.each([
  ["CodeMismatchException", "That code isn't right"],
  ["ExpiredCodeException", "That code has expired"],
])("says at the code that it is refused (%s), until it is typed anew", async (type, text) => {
  const { answer, user, press } = await openVerify();
  answer({ ConfirmSignUp: errorReply(type) });
  await user.type(fieldAt("Confirmation code"), "123456");
  await press("Confirm");
  await expect.poll(() => errorAt("Confirmation code")).toContain(text);
  expect(document.activeElement).toBe(fieldAt("Confirmation code"));
  expect(isSignedIn()).toBe(false);
  await user.type(fieldAt("Confirmation code"), "{Backspace}");
  expect(errorAt("Confirmation code")).toBe("");
});

it("takes whoever typed a wrong password with the code to the sign-in, with the number filled in", async () => {
  const { answer, user, press, address, sent } = await openVerify(null);
  answer({
    ConfirmSignUp: { body: { Session: "s1" } },
    RespondToAuthChallenge: errorReply("NotAuthorizedException"),
  });
  await user.type(fieldAt("Confirmation code"), "123456");
  await press("Confirm");
  await expect.poll(() => errorAt("Password")).toBe("Enter your password.");
  expect(sent("ConfirmSignUp")).toEqual([]);
  await user.type(fieldAt("Password"), "Rainy-day1{Enter}");
  await expect.poll(address).toBe("/login");
  expect(accountStore.get()).toMatchObject({
    unconfirmed: null,
    phone: "+1 (555) 010-0144",
    notice: "automatic_sign_in_failed",
  });
});

it("sends another code at once the first time, and counts down to the one after it", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 4, 4, 16) });
  const toasts = watchToasts();
  const { answer, press, count } = await openVerify();
  answer({ ResendConfirmationCode: { body: {} } });
  await press("Resend code");
  await expect.poll(toasts).toEqual([{ text: "Code resent successfully." }]);
  await press("Resend code in 30 sec");
  expect(count("ResendConfirmationCode")).toBe(1);
  vi.setSystemTime(Date.now() + 31_000);
  await screen.findByRole("button", { name: "Resend code" });
});

it("says why no code was sent, and no longer once one was", async () => {
  watchToasts();
  const { answer, press, count } = await openVerify();
  answer({
    ResendConfirmationCode: [
      errorReply("CodeDeliveryFailureException", "the number opted out"),
      { body: {} },
    ],
  });
  await press("Resend code");
  expect(await alertText()).toContain("replied STOP");
  await press("Resend code");
  await expect.poll(() => screen.queryByRole("alert")).toBeNull();
  expect(count("ResendConfirmationCode")).toBe(2);
});

it("keeps no password and no number of somebody who takes another one", async () => {
  const { press, unmount } = await openVerify();
  await press("Use another number");
  expect(accountStore.get().unconfirmed).toBeNull();
  unmount();
  expect(JSON.stringify({ ...sessionStorage })).not.toContain(PASSWORD);
});

it("texts a code for a new password to a number that has an account, once", async () => {
  const { answer, sent } = scriptEntry();
  const { user } = await renderPart(createElement(ForgotForm));
  answer({ ForgotPassword: [errorReply("UserNotFoundException"), { body: {} }] });
  await user.type(fieldAt("Phone number"), "5550100145{Enter}");
  await expect.poll(() => errorAt("Phone number")).toContain("No account found");
  expect(document.activeElement).toBe(fieldAt("Phone number"));
  await user.type(fieldAt("Phone number"), "{Backspace}4");
  expect(errorAt("Phone number")).toBe("");
  await user.keyboard("{Enter}{Enter}");
  await expect.poll(() => accountStore.get().resettingPhone).toBe(PHONE);
  expect(sent("ForgotPassword").map((body) => body["Username"])).toEqual(["+15550100145", PHONE]);
});

async function openReset() {
  const scripted = scriptEntry();
  updateAccount({ resettingPhone: PHONE });
  const part = await renderPart(createElement(ResetForm, { phone: PHONE }));
  const fill = async (typed: { code?: string; password?: string; repeated?: string } = {}) => {
    const { code = "123456", password = PASSWORD } = typed;
    await part.user.type(fieldAt("Confirmation code"), code);
    await part.user.type(fieldAt("New password"), password);
    await part.user.type(fieldAt("Repeat your password"), `${typed.repeated ?? password}{Enter}`);
  };
  return { ...scripted, ...part, fill };
}

it("sets the new password by its code, and signs in with it", async () => {
  const { answer, fill, sent } = await openReset();
  answer({ ConfirmForgotPassword: { body: {} } });
  await fill();
  await expect.poll(isSignedIn).toBe(true);
  expect(sent("ConfirmForgotPassword")).toMatchObject([{ ConfirmationCode: "123456", Password: PASSWORD }]);
});

it.each([
  ["a weak one", { password: "sunny" }, "New password", "doesn't meet all the requirements"],
  ["another one", { repeated: "Sunny-day2" }, "Repeat your password", "don't match"],
  ["a short code", { code: "123" }, "Confirmation code", "must be 6 digits"],
])("sends nothing of %s, and takes whoever typed it there", async (_, typed, label, text) => {
  const { fill, sent } = await openReset();
  await fill(typed);
  await expect.poll(() => errorAt(label)).toContain(text);
  expect(document.activeElement).toBe(fieldAt(label));
  expect(sent("ConfirmForgotPassword")).toEqual([]);
});

it.each([
  ["CodeMismatchException", "whatever", "Confirmation code", "Invalid verification code"],
  ["ExpiredCodeException", "whatever", "Confirmation code", "has expired"],
  [
    "InvalidPasswordException",
    "Password cannot be used for security reasons",
    "New password",
    "too easy to guess",
  ],
])("says where %s belongs, and keeps what was typed", async (type, message, label, text) => {
  const { answer, fill } = await openReset();
  answer({ ConfirmForgotPassword: errorReply(type, message) });
  await fill();
  await expect.poll(() => errorAt(label)).toContain(text);
  expect(document.activeElement).toBe(fieldAt(label));
  expect([fieldAt("New password").value, fieldAt("Repeat your password").value]).toEqual([
    PASSWORD,
    PASSWORD,
  ]);
});

it("signs in where the code is used up by a try whose answer was lost", async () => {
  const { answer, fill, user } = await openReset();
  answer({ ConfirmForgotPassword: ["lost", errorReply("ExpiredCodeException")] });
  await fill();
  expect((await screen.findByRole("alert")).textContent).toContain("Network error");
  await user.click(screen.getByRole("button", { name: "Save new password" }));
  await expect.poll(isSignedIn).toBe(true);
});

it("says of another code than that of the lost try that it is wrong, and signs in with nothing", async () => {
  const { answer, fill, user, sent } = await openReset();
  answer({ ConfirmForgotPassword: ["lost", errorReply("CodeMismatchException")] });
  await fill();
  await screen.findByRole("alert");
  await user.clear(fieldAt("Confirmation code"));
  await user.type(fieldAt("Confirmation code"), "654321{Enter}");
  await expect.poll(() => errorAt("Confirmation code")).toContain("Invalid verification code");
  expect(sent("InitiateAuth")).toEqual([]);
});

it("says of a code that it is over where the lost try set no password", async () => {
  const { answer, fill, user } = await openReset();
  answer({
    ConfirmForgotPassword: ["lost", errorReply("ExpiredCodeException")],
    RespondToAuthChallenge: errorReply("NotAuthorizedException"),
  });
  await fill();
  await screen.findByRole("alert");
  await user.click(screen.getByRole("button", { name: "Save new password" }));
  await expect.poll(() => errorAt("Confirmation code")).toContain("has expired");
  expect(isSignedIn()).toBe(false);
});

it("says at the sign-in that the password was changed where only signing in failed", async () => {
  const { answer, fill, address } = await openReset();
  answer({ ConfirmForgotPassword: { body: {} }, InitiateAuth: "lost" });
  await fill();
  await expect.poll(address).toBe("/login");
  expect(accountStore.get()).toMatchObject({ notice: "password_changed", phone: "+1 (555) 010-0144" });
});

it.each([
  ["the number", openVerify, "ConfirmSignUp", "ResendConfirmationCode"],
  ["a new password", openReset, "ConfirmForgotPassword", "ForgotPassword"],
] as const)("says nothing of the last code for %s once another is sent", async (_, open, confirm, resend) => {
  watchToasts();
  const { answer, user } = await open();
  answer({ [confirm]: errorReply("CodeMismatchException"), [resend]: { body: {} } });
  for (const label of ["New password", "Repeat your password"])
    if (screen.queryByLabelText(label)) await user.type(fieldAt(label), PASSWORD);
  await user.type(fieldAt("Confirmation code"), "123456{Enter}");
  await expect.poll(() => errorAt("Confirmation code")).not.toBe("");
  await user.click(screen.getByRole("button", { name: "Resend code" }));
  await expect
    .poll(() => [errorAt("Confirmation code"), fieldAt("Confirmation code").value])
    .toEqual(["", ""]);
  const password = screen.queryByLabelText<HTMLInputElement>("New password");
  expect(password?.value ?? PASSWORD).toBe(PASSWORD);
});
