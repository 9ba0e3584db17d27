import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import * as client from "../../../web/api/client/client.ts";
import { sessionStore } from "../../../web/api/session/session.ts";
import { FreshSignInSheet } from "../../../web/features/account/fresh-sign-in-sheet.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { YourData } from "../../../web/features/profile/your-data.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import {
  errorReply,
  IDENTITY,
  refusalReply,
  scriptNetwork,
  storeSession,
  SUB,
} from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  storeSession(localStorage);
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  sessionStore.setState(() => undefined);
});

const DELETE = "DELETE /flex/v1/user";
const EXPORT = "GET /flex/v1/user/export";
const FAILED = "We couldn't delete your account";

/** The card in front of a driver, and the sheet that asks for a password. */
async function openCard(user: User = RECORD) {
  const network = scriptNetwork();
  const toasts = watchToasts();
  const sheet = createElement(FreshSignInSheet, { phone: user.phoneNumber });
  const part = await renderPart(createElement("div", {}, createElement(YourData, { user }), sheet), {
    path: "/flex/profile",
  });
  const press = (name: string) => part.user.click(screen.getByRole("button", { name }));
  return { ...network, ...part, press, said: () => toasts().map(({ text }) => text) };
}

async function openQuestion(given?: User) {
  const part = await openCard(given);
  await part.press("Delete account");
  const question = within(screen.getByRole("alertdialog", { name: "Delete your account?" }));
  const digits = () => question.getByLabelText<HTMLInputElement>("Last 4 digits of your phone number");
  return { ...part, question, digits, isOpen: () => screen.queryByRole("alertdialog") !== null };
}

it("deletes the account once, by the last digits of its number, and leads to the start", async () => {
  const { answer, user, digits, press, count, address, said } = await openQuestion();
  const arrival = Promise.withResolvers<void>();
  answer({ [DELETE]: { body: {}, after: arrival.promise } });
  await user.type(digits(), "0144{Enter}");
  await press("Deleting…");
  arrival.resolve();
  await expect.poll(said).toEqual(["Your account is deleted"]);
  expect([count(DELETE), address()]).toEqual([1, "/"]);
});

it.each(["", "0145", "144"])("deletes nothing by other digits, and marks them: %j", async (typed) => {
  const { calls, user, digits, press } = await openQuestion();
  if (typed) await user.type(digits(), typed);
  await press("Delete for good");
  await expect.poll(() => digits().getAttribute("aria-invalid")).toBe("true");
  expect([calls, document.activeElement]).toEqual([[], digits()]);
  await user.clear(digits());
  await user.type(digits(), "0");
  expect(digits().getAttribute("aria-invalid")).toBe("false");
});

it("says that nothing was deleted where the server isn't reached, and can be tried again", async () => {
  const { answer, user, digits, press, address, said, question } = await openQuestion();
  answer({ [DELETE]: ["lost", { body: {} }] });
  await user.type(digits(), "0144{Enter}");
  expect((await question.findByRole("alert")).textContent).toContain(FAILED);
  expect([address(), said(), digits().value]).toEqual(["/flex/profile", [], "0144"]);
  await press("Delete for good");
  await expect.poll(said).toEqual(["Your account is deleted"]);
});

it("says that the account is deleted where the lost try did that, and its sessions ended with it", async () => {
  const { answer, user, digits, press, address, said, question } = await openQuestion();
  answer({
    [DELETE]: ["lost", { status: 401, body: null }],
    Refresh: errorReply("NotAuthorizedException"),
  });
  await user.type(digits(), "0144{Enter}");
  await question.findByRole("alert");
  await press("Delete for good");
  await expect.poll(said).toEqual(["Your account is deleted"]);
  expect([address(), sessionStore.get()]).toEqual(["/", null]);
});

it("doesn't say so of a session that ended otherwise", async () => {
  const { answer, user, digits, said, question } = await openQuestion();
  answer({ [DELETE]: { status: 401, body: null }, Refresh: errorReply("NotAuthorizedException") });
  await user.type(digits(), "0144{Enter}");
  expect((await question.findByRole("alert")).textContent).toContain(FAILED);
  expect(said()).toEqual([]);
});

it.each(["Cancel", "Close"])("deletes nothing after %s, and forgets the digits", async (button) => {
  const { calls, user, digits, question, isOpen, press } = await openQuestion();
  await user.type(digits(), "0144");
  await user.click(question.getByRole("button", { name: button }));
  await expect.poll(isOpen).toBe(false);
  expect(calls).toEqual([]);
  await press("Delete account");
  expect(digits().value).toBe("");
});

it("isn't canceled once it is under way, and says so where it fails after the sheet was closed", async () => {
  const { answer, user, digits, question, isOpen, said, press } = await openQuestion();
  const arrival = Promise.withResolvers<void>();
  answer({ [DELETE]: { body: null, status: 500, after: arrival.promise } });
  await user.type(digits(), "0144{Enter}");
  await question.findByRole("button", { name: "Deleting…" });
  await press("Cancel");
  expect(isOpen()).toBe(true);
  await press("Close");
  expect(isOpen()).toBe(false);
  arrival.resolve();
  await expect.poll(said).toEqual([FAILED]);
});

it("deletes nothing for somebody who doesn't enter the password again", async () => {
  const { answer, user, digits, question, count, said } = await openQuestion();
  answer({ [DELETE]: refusalReply("sign_in_again") });
  await user.type(digits(), "0144{Enter}");
  const password = within(await screen.findByRole("dialog", { name: "Enter your password" }));
  await user.click(password.getByRole("button", { name: "Cancel" }));
  expect((await question.findByRole("alert")).textContent).toContain(FAILED);
  expect([count(DELETE), said()]).toEqual([1, []]);
});

/** A deployment whose user pool isn't the server's own. */
async function useOtherPool() {
  const config = await client.fetchConfig();
  const identity = { ...IDENTITY, endpoint: "https://cognito-idp.test/" };
  vi.spyOn(client, "fetchConfig").mockResolvedValue({ ...config, identity });
}
const isSignedInHere = () => Object.keys(localStorage).some((key) => key.endsWith(`${SUB}.idToken`));

it("signs out of the server's own user pool, which has deleted the account", async () => {
  const { answer, user, digits, said, calls } = await openQuestion();
  answer({ [DELETE]: { body: {} } });
  await user.type(digits(), "0144{Enter}");
  await expect.poll(said).toEqual(["Your account is deleted"]);
  expect([calls.map(({ operation }) => operation), isSignedInHere()]).toEqual([[DELETE], false]);
});

it("deletes the account of another user pool last", async () => {
  const { answer, user, digits, said, calls } = await openQuestion();
  await useOtherPool();
  answer({ [DELETE]: { body: {} }, DeleteUser: { body: {} } });
  await user.type(digits(), "0144{Enter}");
  await expect.poll(said).toEqual(["Your account is deleted"]);
  const operations = calls.map(({ operation }) => operation);
  expect([operations, isSignedInHere()]).toEqual([[DELETE, "DeleteUser"], false]);
});

it("says that the sign-in is left where only the user pool fails", async () => {
  const { answer, user, digits, said, address } = await openQuestion();
  await useOtherPool();
  answer({ [DELETE]: { body: {} }, DeleteUser: errorReply("InternalErrorException") });
  await user.type(digits(), "0144{Enter}");
  await expect.poll(said).toEqual([FAILED]);
  expect(address()).toBe("/");
});

it.each<[over: Partial<User>, isLost: boolean]>([
  [{}, false],
  [{ goodStanding: true, expirationDateTimestamp: NOON + DAY_MS }, true],
  [{ goodStanding: true, expirationDateTimestamp: NOON - 1 }, false],
  [{ goodStanding: false, expirationDateTimestamp: NOON + DAY_MS }, false],
])("says which service is lost with the account, where there is some: %j", async (over, isLost) => {
  const { question } = await openQuestion({ ...RECORD, ...over });
  expect(question.queryByText(/^You lose the service you have until/u) !== null).toBe(isLost);
});

it("hands the driver their data as a file, once, which can still be read a moment later", async () => {
  const { answer, press, count } = await openCard();
  const blobs: Blob[] = [];
  const files: string[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => `blob:${blobs.push(blob as Blob)}`);
  const revoked = vi.spyOn(URL, "revokeObjectURL").mockImplementation(() => undefined);
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    files.push(`${this.download} at ${this.href}`);
  });
  const arrival = Promise.withResolvers<void>();
  const headers = { "content-disposition": 'attachment; filename="jornada.json"' };
  answer({ [EXPORT]: { body: { name: "Ana" }, headers, after: arrival.promise } });
  await press("Download my data");
  await press("Preparing…");
  arrival.resolve();
  await expect.poll(() => files).toEqual(["jornada.json at blob:1"]);
  expect([count(EXPORT), await blobs[0]?.text(), revoked.mock.calls]).toEqual([1, '{"name":"Ana"}', []]);
});

it("says that the data couldn't be had, until they can", async () => {
  const { answer, press } = await openCard();
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  answer({ [EXPORT]: ["lost", { body: {} }] });
  await press("Download my data");
  await screen.findByRole("alert");
  await press("Download my data");
  await expect.poll(() => screen.queryByRole("alert")).toBeNull();
});
