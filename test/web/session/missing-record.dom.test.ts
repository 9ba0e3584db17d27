import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { userQuery } from "../../../web/api/queries/user.ts";
import { restoreSession, sessionStore, type AuthUser } from "../../../web/api/session/session.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { MissingRecord } from "../../../web/features/session/missing-record.tsx";
import { RECORD } from "../../support/driver-record.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import {
  IDENTITY,
  refusalReply,
  scriptNetwork,
  storeSession,
  token,
} from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => sessionStore.setState(() => undefined));

const PUT = "PUT /flex/v1/user";
const FINISH = "Finish my account";
const FAILED = "We couldn't finish your account";

/** The last step of somebody who signed in with such a name in their token. */
async function openStep(name: string, over: Partial<AuthUser> = {}) {
  storeSession(localStorage, { idToken: token("id", { name }) });
  restoreSession(IDENTITY, Date.now());
  const authUser = sessionStore.get();
  if (!authUser) throw new Error("nobody is signed in");
  const network = scriptNetwork();
  const part = await renderPart(createElement(MissingRecord, { authUser: { ...authUser, ...over } }));
  const field = () => screen.queryByLabelText<HTMLInputElement>("Name");
  return {
    ...network,
    ...part,
    field,
    press: (button: string) => part.user.click(screen.getByRole("button", { name: button })),
    sent: () => network.calls.filter(({ operation }) => operation === PUT).map(({ body }) => body),
  };
}

it("finishes the account at one tap, once, with the name that was given before", async () => {
  const { answer, press, field, sent, cached } = await openStep("Ana");
  const arrival = Promise.withResolvers<void>();
  answer({ [PUT]: { body: { Item: RECORD }, after: arrival.promise } });
  expect(field()).toBeNull();
  await press(FINISH);
  await press("Finishing…");
  arrival.resolve();
  await expect.poll(() => cached(userQuery.queryKey)).toEqual(RECORD);
  expect(sent()).toMatchObject([{ name: "Ana", phoneNumber: "+15550100144", referral: "jornada" }]);
});

it("asks for a name where there is none, and sends nothing without", async () => {
  const { answer, press, user, field, sent, calls } = await openStep("");
  await press(FINISH);
  await expect.poll(() => field()?.getAttribute("aria-invalid")).toBe("true");
  expect([calls, document.activeElement]).toEqual([[], field()]);
  answer({ [PUT]: { body: { Item: RECORD } } });
  await user.type(field() ?? document.body, " Ana {Enter}");
  await expect.poll(sent).toMatchObject([{ name: "Ana" }]);
});

it("says at its field where the server refuses the name, and of the whole where it has none", async () => {
  const refusal = refusalReply("invalid_request", { name: "too_long" });
  const asked = await openStep("");
  asked.answer({ [PUT]: refusal });
  await asked.user.type(asked.field() ?? document.body, "Ana{Enter}");
  await expect.poll(() => asked.field()?.getAttribute("aria-invalid")).toBe("true");
  expect(screen.queryByRole("alert")).toBeNull();
  asked.unmount();
  const known = await openStep("Ana");
  known.answer({ [PUT]: refusal });
  await known.press(FINISH);
  expect((await screen.findByRole("alert")).textContent).toContain(FAILED);
});

it("says that the account couldn't be finished, and can be tried again", async () => {
  const { answer, press, cached } = await openStep("Ana");
  answer({ [PUT]: ["lost", { body: { Item: RECORD } }] });
  await press(FINISH);
  expect((await screen.findByRole("alert")).textContent).toContain(FAILED);
  await press(FINISH);
  await expect.poll(() => cached(userQuery.queryKey)).toEqual(RECORD);
  expect(screen.queryByRole("alert")).toBeNull();
});

it("has nothing to finish without a phone number, and leads to us", async () => {
  await openStep("Ana", { phoneNumber: "" });
  expect(screen.getByText(/your account has no phone number/u)).toBeTruthy();
  expect(buttonNames()).toEqual(["Contact us"]);
});
