import { screen } from "@testing-library/react";
import { createElement, useState } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { RequestError } from "../../../web/api/client/request-error.ts";
import { notePasskey } from "../../../web/api/session/passkey-hints.ts";
import { FreshSignInSheet, withFreshSignIn } from "../../../web/features/account/fresh-sign-in-sheet.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import {
  errorReply,
  IDENTITY,
  scriptNetwork,
  SRP_CHALLENGE,
  storeSession,
  tokenResponse,
} from "../../support/scripted-network.ts";

const REFUSAL = new RequestError(403, "sign_in_again");

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  storeSession(localStorage);
  vi.stubGlobal("PublicKeyCredential", () => undefined);
});

async function renderSheet() {
  const { user } = await renderPart(createElement(FreshSignInSheet, { phone: "+15550100144" }));
  const press = async (name: string) => user.click(await screen.findByRole("button", { name }));
  return { user, press, isOpen: () => screen.queryByRole("dialog") !== null };
}

it("stays closed until a call needs a recent sign-in, and passes on any other refusal", async () => {
  const { isOpen } = await renderSheet();
  const refused = new RequestError(409, "conflict");
  await expect(withFreshSignIn(() => Promise.reject(refused))).rejects.toBe(refused);
  expect(await withFreshSignIn(async () => "done")).toBe("done");
  expect([isOpen(), buttonNames()]).toEqual([false, []]);
});

it.each(["Cancel", "Close"])("gives the call up with its refusal after %s", async (button) => {
  const { press, isOpen } = await renderSheet();
  const call = vi.fn<() => Promise<never>>(() => Promise.reject(REFUSAL));
  const settled = expect(withFreshSignIn(call)).rejects.toBe(REFUSAL);
  await expect.poll(isOpen).toBe(true);
  await press(button);
  await settled;
  expect(call).toHaveBeenCalledOnce();
  await expect.poll(isOpen).toBe(false);
});

it("offers a passkey where this browser has known one, and asks the pool for its challenge", async () => {
  const { answer, calls } = scriptNetwork();
  const { press, isOpen } = await renderSheet();
  const ask = () => expect(withFreshSignIn(() => Promise.reject(REFUSAL))).rejects.toBe(REFUSAL);
  const first = ask();
  await expect.poll(isOpen).toBe(true);
  expect(buttonNames()).toEqual(["Close", "Show password", "Continue", "Cancel"]);
  await press("Cancel");
  await first;
  notePasskey({ isKnown: true });
  answer({ InitiateAuth: errorReply("NotAuthorizedException") });
  const second = ask();
  await press("Use a passkey instead");
  await expect.poll(() => calls.map(({ operation }) => operation)).toEqual(["InitiateAuth"]);
  expect(calls[0]?.body).toMatchObject({ ClientId: IDENTITY.clientId });
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("That passkey doesn't open an account here");
  await press("Cancel");
  await second;
});

it.each([
  ["Cancel", (call: Promise<string>) => expect(call).rejects.toBe(REFUSAL), 1],
  ["Continue", (call: Promise<string>) => expect(call).resolves.toBe("done"), 2],
] as const)(
  "settles both of two calls that need it at once with %s",
  async (button, expectSettled, times) => {
    const { answer } = scriptNetwork();
    answer({
      InitiateAuth: SRP_CHALLENGE,
      RespondToAuthChallenge: tokenResponse(),
      RevokeToken: { body: {} },
    });
    const { user, press, isOpen } = await renderSheet();
    const calls = [1, 2].map(() =>
      vi.fn<() => Promise<string>>().mockRejectedValueOnce(REFUSAL).mockResolvedValueOnce("done"),
    );
    const settled = Promise.all(calls.map((call) => expectSettled(withFreshSignIn(call))));
    await expect.poll(isOpen).toBe(true);
    await user.type(screen.getByLabelText("Password"), "Sunny-day1");
    await press(button);
    await settled;
    expect(calls.map((call) => call.mock.calls.length)).toEqual([times, times]);
    await expect.poll(isOpen).toBe(false);
  },
);

it("asks in one sheet where two parts of a screen bring theirs, also once the first is gone", async () => {
  const Screen = () => {
    const [hasFirst, setHasFirst] = useState(true);
    const sheet = (key: string) => createElement(FreshSignInSheet, { key, phone: "+15550100144" });
    const button = createElement("button", { key: "less", onClick: () => setHasFirst(false) }, "Less");
    return [hasFirst && sheet("first"), sheet("second"), button];
  };
  const { user } = await renderPart(createElement(Screen));
  const call = vi.fn<() => Promise<string>>().mockRejectedValue(REFUSAL);
  const refused = expect(withFreshSignIn(call)).rejects.toBe(REFUSAL);
  await expect.poll(() => screen.queryAllByRole("dialog")).toHaveLength(1);
  await user.click(screen.getByText("Less"));
  await expect.poll(() => screen.queryAllByRole("dialog")).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await refused;
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
});

it("is seen where the part that brings it isn't shown, as a question of a dashboard that waits for its turn", async () => {
  const sheet = createElement(FreshSignInSheet, { phone: "+15550100144" });
  await renderPart(createElement("section", { style: { display: "none" } }, sheet));
  const refused = expect(withFreshSignIn(() => Promise.reject(REFUSAL))).rejects.toBe(REFUSAL);
  await screen.findByRole("dialog");
  screen.getByRole("button", { name: "Cancel" }).click();
  await refused;
});
