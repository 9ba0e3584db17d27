import { useSelector } from "@tanstack/react-store";
import { screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import * as auth from "../../../web/api/session/auth.ts";
import { AuthError } from "../../../web/api/session/auth-error.ts";
import { sessionStore } from "../../../web/api/session/session.ts";
import { ChangePassword } from "../../../web/features/account/change-password.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => sessionStore.setState(() => ({ username: "ana", phoneNumber: "+15550100144" }) as never));
afterEach(() => {
  sessionStore.setState(() => undefined);
  vi.restoreAllMocks();
});

/** As on a screen that is left once nobody is signed in. */
function GuardedForm() {
  return useSelector(sessionStore, Boolean) ? createElement(ChangePassword) : null;
}

async function change(failure: () => AuthError) {
  vi.spyOn(auth, "changePassword").mockImplementation(async () => {
    throw failure();
  });
  const toasts = watchToasts();
  const { user } = await renderPart(createElement(GuardedForm));
  await user.type(screen.getByLabelText("Current password"), "Jornada-1-demo");
  await user.type(screen.getByLabelText("New password"), "Sunny-day1");
  await user.type(screen.getByLabelText("Repeat your password"), "Sunny-day1{Enter}");
  await expect.poll(() => vi.mocked(auth.changePassword).mock.calls.length).toBe(1);
  return { toasts };
}

it("says once, where the driver lands, that the session has ended", async () => {
  const { toasts } = await change(() => {
    sessionStore.setState(() => null);
    return new AuthError("SessionEnded", "ended");
  });
  await expect.poll(toasts).toEqual([{ text: "Please sign in again to change your password" }]);
  await expect.poll(() => screen.queryByRole("button")).toBeNull();
  expect(toasts()).toHaveLength(1);
});

it("says in the form why the password stays as it is", async () => {
  const { toasts } = await change(() => new AuthError("LimitExceededException", "Attempt limit exceeded"));
  expect(await screen.findByRole("alert")).toBeTruthy();
  expect(toasts()).toEqual([]);
});

it("no longer says that the passwords differ once the first is mended", async () => {
  const { user } = await renderPart(createElement(GuardedForm));
  await user.type(screen.getByLabelText("Current password"), "Jornada-1-demo");
  await user.type(screen.getByLabelText("New password"), "Sunny-day");
  await user.type(screen.getByLabelText("Repeat your password"), "Sunny-day1{Enter}");
  const repeated = screen.getByLabelText("Repeat your password");
  await expect.poll(() => repeated.getAttribute("aria-invalid")).toBe("true");
  await user.type(screen.getByLabelText("New password"), "1");
  await expect.poll(() => repeated.getAttribute("aria-invalid")).not.toBe("true");
});
