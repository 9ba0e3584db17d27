import { screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { configQuery } from "../../../web/api/queries/user.ts";
import { inviterQuery } from "../../../web/api/queries/inviter.ts";
import { sessionStore } from "../../../web/api/session/session.ts";
import { accountStore, updateAccount } from "../../../web/features/account/account-store.ts";
import { ChangePassword } from "../../../web/features/account/change-password.tsx";
import { LoginForm } from "../../../web/features/account/login-form.tsx";
import { RegisterForm } from "../../../web/features/account/register-form.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { errorReply, IDENTITY, storeSession, tokenResponse } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";
import { alertText, errorAt, fieldAt, isSignedIn, scriptEntry } from "./entry-harness.ts";

const START = accountStore.get();
const PHONE = "+15550100144";
const PASSWORD = "Sunny-day1";
beforeAll(() => changeLocale("en"));
beforeEach(() => sessionStore.setState(() => undefined));
afterEach(() => {
  updateAccount({ ...START, isSigningIn: false });
  sessionStore.setState(() => undefined);
});

async function openLogin() {
  const scripted = scriptEntry();
  const part = await renderPart(createElement(LoginForm, { lead: undefined }), {
    answered: [[configQuery.queryKey, { identity: { ...IDENTITY, endpoint: null } }]],
  });
  const fill = async (password = PASSWORD) => {
    await part.user.type(fieldAt("Phone number"), "5550100144");
    await part.user.type(fieldAt("Password"), `${password}{Enter}`);
  };
  return { ...scripted, ...part, fill };
}

it("signs in once, though Enter is pressed again before the answer, and keeps nothing of the form", async () => {
  const arrival = Promise.withResolvers<void>();
  const { answer, fill, user, count } = await openLogin();
  answer({ RespondToAuthChallenge: { ...tokenResponse(), after: arrival.promise } });
  await fill();
  await screen.findByRole("button", { name: "Signing in…" });
  await user.keyboard("{Enter}");
  arrival.resolve();
  await expect.poll(isSignedIn).toBe(true);
  await expect.poll(() => accountStore.get()).toMatchObject({ phone: "", isSigningIn: false });
  expect(count("RespondToAuthChallenge")).toBe(1);
  expect(sessionStorage.getItem("jornada.account")).toBeNull();
});

it.each([
  ["a wrong password", errorReply("NotAuthorizedException"), "Check your phone number and password."],
  [
    "a disabled account",
    errorReply("NotAuthorizedException", "User is disabled."),
    "This account is disabled",
  ],
  ["too many tries", errorReply("LimitExceededException"), "Too many tries"],
  ["a lost connection", "lost", "What you typed is still here"],
] as const)("keeps what was typed after %s, and says why", async (_, reply, why) => {
  const { answer, fill, user } = await openLogin();
  answer({ RespondToAuthChallenge: reply });
  await fill();
  expect(await alertText()).toContain(why);
  expect([fieldAt("Phone number").value, fieldAt("Password").value]).toEqual(["+1 (555) 010-0144", PASSWORD]);
  expect([isSignedIn(), accountStore.get().isSigningIn]).toEqual([false, false]);
  answer({ RespondToAuthChallenge: tokenResponse() });
  await user.keyboard("{Enter}");
  await expect.poll(isSignedIn).toBe(true);
});

it("takes an account whose number isn't confirmed to its code, with its password", async () => {
  const { answer, fill } = await openLogin();
  answer({ RespondToAuthChallenge: errorReply("UserNotConfirmedException") });
  await fill();
  const unconfirmed = { phone: PHONE, password: PASSWORD, name: null };
  await expect.poll(() => accountStore.get().unconfirmed).toEqual(unconfirmed);
  expect({ ...sessionStorage }["jornada.account"]).not.toContain(PASSWORD);
});

it("sends no sign-in without number and password, and takes the driver to the first of them", async () => {
  const { user, calls } = await openLogin();
  await user.click(screen.getByRole("button", { name: "Sign in" }));
  await expect.poll(() => errorAt("Phone number")).toBe("Enter your phone number.");
  expect(errorAt("Password")).toBe("Enter your password.");
  expect(document.activeElement).toBe(fieldAt("Phone number"));
  expect(calls).toEqual([]);
});

async function openRegistration(referral?: string) {
  const scripted = scriptEntry();
  const part = await renderPart(createElement(RegisterForm, { referral, above: null }), {
    answered: [
      [configQuery.queryKey, { productName: "Jornada" }],
      [inviterQuery("15550100177").queryKey, { name: "Bea" }],
    ],
  });
  const fill = async ({ password = PASSWORD } = {}) => {
    await part.user.type(fieldAt("Name"), " Ana ");
    await part.user.type(fieldAt("Phone number"), "5550100144");
    await part.user.type(fieldAt("Password"), password);
    await part.user.type(fieldAt("Repeat your password"), password);
    await part.user.click(screen.getByRole("checkbox"));
    await part.user.click(screen.getByRole("button", { name: "Create account" }));
  };
  return { ...scripted, ...part, fill };
}

it("registers once, and goes on to the code with the password in memory alone", async () => {
  const arrival = Promise.withResolvers<void>();
  const { answer, fill, user, sent } = await openRegistration();
  answer({ SignUp: { body: { UserConfirmed: false, UserSub: "u1" }, after: arrival.promise } });
  await fill();
  await user.click(await screen.findByRole("button", { name: "Creating your account…" }));
  arrival.resolve();
  const credentials = { phone: PHONE, password: PASSWORD, name: "Ana" };
  await expect.poll(() => accountStore.get().unconfirmed).toEqual(credentials);
  expect(sent("SignUp")).toMatchObject([{ Username: PHONE, Password: PASSWORD }]);
  expect(accountStore.get().codeSent).toMatchObject({ to: PHONE, count: 1 });
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain(PASSWORD);
});

it.each([
  ["UsernameExistsException", "already has an account", "Phone number"],
  ["InvalidParameterException", "can't text this number", "Phone number"],
  ["InvalidPasswordException", "does not meet requirements", "Password"],
])("says where %s belongs, and keeps what was typed", async (type, text, label) => {
  const { answer, fill } = await openRegistration();
  answer({ SignUp: errorReply(type) });
  await fill();
  await expect.poll(() => errorAt(label)).toContain(text);
  expect(document.activeElement).toBe(fieldAt(label));
  expect([fieldAt("Name").value, fieldAt("Password").value]).toEqual([" Ana ", PASSWORD]);
  expect(screen.getByRole<HTMLInputElement>("checkbox").checked).toBe(true);
});

it("says all that is missing at once, each at its field, until it is there", async () => {
  const { user, calls } = await openRegistration();
  await user.click(screen.getByRole("button", { name: "Create account" }));
  await expect.poll(() => errorAt("Name")).toBe("Enter your name.");
  expect([errorAt("Phone number"), errorAt("Password")]).toEqual([
    expect.stringContaining("Enter your phone number."),
    expect.stringContaining("Enter your password."),
  ]);
  screen.getByText("You must accept the terms and conditions");
  expect(screen.getByRole("alert").textContent).toContain("Please complete all required fields");
  expect(document.activeElement).toBe(fieldAt("Name"));
  await user.type(fieldAt("Name"), "Ana");
  await user.click(screen.getByRole("checkbox"));
  expect(errorAt("Name")).toBe("");
  expect(screen.queryByText("You must accept the terms and conditions")).toBeNull();
  expect(calls).toEqual([]);
});

it("names the friend whose link was opened", async () => {
  await openRegistration("15550100177");
  screen.getByText("Bea invited you to Jornada.");
});

async function openChange() {
  storeSession(localStorage);
  const scripted = scriptEntry();
  const toasts = watchToasts();
  const part = await renderPart(createElement(ChangePassword));
  const fill = async () => {
    await part.user.type(fieldAt("Current password"), "Cloudy-day1");
    await part.user.type(fieldAt("New password"), PASSWORD);
    await part.user.type(fieldAt("Repeat your password"), `${PASSWORD}{Enter}`);
  };
  return { ...scripted, ...part, toasts, fill };
}

it("changes the password, says so and empties the form", async () => {
  const { answer, fill, sent, toasts } = await openChange();
  answer({ ChangePassword: { body: {} } });
  await fill();
  await expect.poll(toasts).toEqual([{ text: "Your new password is saved." }]);
  expect(sent("ChangePassword")).toMatchObject([
    { PreviousPassword: "Cloudy-day1", ProposedPassword: PASSWORD },
  ]);
  const values = ["Current password", "New password", "Repeat your password"].map(
    (label) => fieldAt(label).value,
  );
  expect(values).toEqual(["", "", ""]);
});

it.each([
  ["NotAuthorizedException", "Incorrect username or password.", "Current password", "is incorrect"],
  ["InvalidPasswordException", "whatever", "New password", "does not meet requirements"],
])("keeps the password after %s, which is said where it belongs", async (type, message, label, text) => {
  const { answer, fill, toasts } = await openChange();
  answer({ ChangePassword: errorReply(type, message) });
  await fill();
  await expect.poll(() => errorAt(label)).toContain(text);
  expect(document.activeElement).toBe(fieldAt(label));
  expect([fieldAt("New password").value, toasts()]).toEqual([PASSWORD, []]);
});
