import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { Passkey, PasskeysResponse } from "../../../worker/contract/account/passkeys.ts";
import { sessionsQuery } from "../../../web/api/queries/account.ts";
import { passkeysQuery } from "../../../web/api/queries/passkeys.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { PasskeysCard } from "../../../web/features/passkeys/passkeys-card.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const PHONE: Passkey = { id: "k1", name: "Phone", createdAt: NOON, lastUsedAt: null, isCurrent: true };
const TABLET: Passkey = { ...PHONE, id: "k2", name: "Tablet", lastUsedAt: NOON, isCurrent: false };
const KEYS: PasskeysResponse = {
  passkeys: [PHONE, TABLET],
  limit: 2,
  removableFrom: null,
  recoveredAt: null,
};
const LIST = "GET /flex/v1/passkeys";
const RENAME = "PATCH /flex/v1/passkeys/k1";
const REMOVE = "DELETE /flex/v1/passkeys/k2";
const UNDO = "POST /flex/v1/passkeys/undo-recovery";

async function openCard(given: Partial<PasskeysResponse> = {}) {
  const network = scriptNetwork();
  const keys = { ...KEYS, ...given };
  network.answer({ [LIST]: { body: keys } });
  const toasts = watchToasts();
  const part = await renderPart(createElement(PasskeysCard, { user: RECORD }), {
    answered: [
      [passkeysQuery.queryKey, keys],
      [sessionsQuery.queryKey, []],
    ],
  });
  await expect.poll(() => network.count(LIST)).toBe(1);
  const sheet = (name: string) =>
    within(screen.getByRole(/\?/u.test(name) ? "alertdialog" : "dialog", { name }));
  return {
    ...network,
    ...part,
    toasts,
    sheet,
    press: (name: string) => part.user.click(screen.getByRole("button", { name })),
    isOpen: () => document.querySelector("dialog[open]") !== null,
  };
}

it("say of each but the one of this sign-in when it was last used, if it ever was", async () => {
  const current = { ...PHONE, lastUsedAt: NOON };
  const unused = { ...TABLET, id: "k3", name: "Key", lastUsedAt: null };
  await openCard({ passkeys: [current, TABLET, unused] });
  const said = screen
    .getAllByRole("listitem")
    .map(({ textContent }) => [
      textContent.includes("Used for this sign-in"),
      textContent.includes("Last used"),
    ]);
  expect(said).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
});

it("are named anew by the driver, once, without the blanks around what was typed", async () => {
  const { answer, user, press, sheet, calls, count, toasts, isOpen } = await openCard();
  const arrival = Promise.withResolvers<void>();
  answer({
    [RENAME]: { body: {}, after: arrival.promise },
    [LIST]: { body: { ...KEYS, passkeys: [{ ...PHONE, name: "Work phone" }, TABLET] } },
  });
  await press("Rename Phone");
  const field = sheet("Rename Phone").getByLabelText<HTMLInputElement>("Name");
  expect(field.value).toBe("Phone");
  await user.clear(field);
  await user.type(field, " Work phone {Enter}");
  await expect.poll(() => count(RENAME)).toBe(1);
  await user.type(field, "{Enter}");
  expect(toasts()).toEqual([]);
  arrival.resolve();
  await expect.poll(toasts).toEqual([{ text: "Name saved" }]);
  await expect.poll(isOpen).toBe(false);
  await screen.findByRole("button", { name: "Rename Work phone" });
  const sent = calls.filter(({ operation }) => operation === RENAME).map(({ body }) => body);
  expect(sent).toEqual([{ name: "Work phone" }]);
});

it("stay as they are called where the name is none, or couldn't be saved", async () => {
  const { answer, user, press, sheet, count, toasts } = await openCard();
  answer({ [RENAME]: "lost" });
  await press("Rename Phone");
  const { getByLabelText, getByRole, findByText, findByRole, queryByText } = sheet("Rename Phone");
  const field = getByLabelText<HTMLInputElement>("Name");
  const save = () => user.click(getByRole("button", { name: "Save" }));
  await user.clear(field);
  await user.type(field, "  ");
  await save();
  expect(await findByText("Enter a name")).toBeTruthy();
  await expect.poll(() => document.activeElement).toBe(field);
  expect(count(RENAME)).toBe(0);
  await user.type(field, "Mine");
  expect(queryByText("Enter a name")).toBeNull();
  await save();
  expect((await findByRole("alert")).textContent).toContain("We couldn't save the name");
  expect([count(RENAME), toasts()]).toEqual([1, []]);
});

it("are removed once the driver has confirmed it, once, and the screen requests the sessions again", async () => {
  const { answer, user, press, sheet, count, toasts, isOpen, isStale } = await openCard();
  const arrival = Promise.withResolvers<void>();
  answer({
    [REMOVE]: ["lost", { body: {}, after: arrival.promise }],
    [LIST]: { body: { ...KEYS, passkeys: [PHONE] } },
  });
  await press("Remove Tablet");
  const { getByRole, findByRole, queryByRole } = sheet("Remove Tablet?");
  expect(count(REMOVE)).toBe(0);
  const remove = () => user.click(getByRole("button", { name: "Remove" }));
  await remove();
  expect((await findByRole("alert")).textContent).toContain("We couldn't remove the passkey");
  await remove();
  await expect.poll(() => count(REMOVE)).toBe(2);
  await remove();
  expect([queryByRole("alert"), toasts(), isStale(sessionsQuery.queryKey)]).toEqual([null, [], false]);
  arrival.resolve();
  await expect.poll(toasts).toEqual([{ text: "Passkey removed" }]);
  await expect.poll(isOpen).toBe(false);
  await expect.poll(() => screen.queryByRole("button", { name: "Remove Tablet" })).toBeNull();
  await expect.poll(() => isStale(sessionsQuery.queryKey)).toBe(true);
  expect(count(REMOVE)).toBe(2);
});

it("count as removed where one was gone already, and stay where the driver thinks again", async () => {
  const { answer, user, press, sheet, count, toasts, isOpen } = await openCard();
  answer({ [REMOVE]: refusalReply("not_found") });
  for (const name of ["Cancel", "Close"]) {
    await press("Remove Tablet");
    await user.click(sheet("Remove Tablet?").getByRole("button", { name }));
    await expect.poll(isOpen).toBe(false);
  }
  expect(count(REMOVE)).toBe(0);
  await press("Remove Tablet");
  await user.click(sheet("Remove Tablet?").getByRole("button", { name: "Remove" }));
  await expect.poll(toasts).toEqual([{ text: "Passkey removed" }]);
});

it("can't be removed for a day after a text reset the password, and says from when", async () => {
  await openCard({ removableFrom: NOON + HOUR_MS });
  expect(buttonNames()).toEqual(["Rename Phone", "Rename Tablet"]);
  expect(screen.getByText(/Your password was reset by text\. You can remove passkeys from/u)).toBeTruthy();
});

it("can be added while there is room, in a browser that knows of passkeys alone", async () => {
  const isOffered = () => screen.queryByRole("button", { name: "Add a passkey" }) !== null;
  const without = await openCard({ limit: 3 });
  expect(isOffered()).toBe(false);
  without.unmount();
  vi.stubGlobal("PublicKeyCredential", () => undefined);
  const full = await openCard();
  expect(isOffered()).toBe(false);
  full.unmount();
  await openCard({ limit: 3 });
  expect(isOffered()).toBe(true);
});

it("say no more that one couldn't be added once the driver goes on to another of them", async () => {
  vi.stubGlobal("PublicKeyCredential", () => undefined);
  const { answer, press } = await openCard({ limit: 3 });
  answer({ "POST /flex/v1/passkeys/offer": "lost" });
  await press("Add a passkey");
  await screen.findByText("We couldn't add a passkey");
  await press("Remove Tablet");
  expect(screen.queryByText("We couldn't add a passkey")).toBeNull();
});

it.each([
  ["made", false],
  ["answered", true],
])(
  "undo a reset by text once, though it was not %s, and have the screen ask for all anew",
  async (_how, isDone) => {
    const { answer, user, press, sheet, count, toasts, isOpen, isStale } = await openCard({
      recoveredAt: NOON,
    });
    const arrival = Promise.withResolvers<void>();
    const used = { ...Object(refusalReply("undo_expired")), after: arrival.promise };
    answer({ [UNDO]: ["lost", isDone ? used : { body: {}, after: arrival.promise }] });
    await press("That wasn't me");
    const { getByRole, findByRole, queryByRole } = sheet("Undo the reset?");
    const undo = () => user.click(getByRole("button", { name: "That wasn't me" }));
    expect(count(UNDO)).toBe(0);
    await undo();
    expect((await findByRole("alert")).textContent).toContain("We couldn't undo it");
    await undo();
    await expect.poll(() => count(UNDO)).toBe(2);
    await undo();
    expect([queryByRole("alert"), toasts(), isStale(sessionsQuery.queryKey)]).toEqual([null, [], false]);
    answer({ [LIST]: { body: KEYS } });
    arrival.resolve();
    await expect.poll(toasts).toEqual([{ text: "Undone. Every other device is signed out." }]);
    await expect.poll(isOpen).toBe(false);
    await expect.poll(() => screen.queryByRole("button", { name: "That wasn't me" })).toBeNull();
    expect([count(UNDO), isStale(sessionsQuery.queryKey)]).toEqual([2, true]);
  },
);

it("aren't put back where the driver leaves that alone", async () => {
  const { user, press, sheet, count, isOpen } = await openCard({ recoveredAt: NOON });
  await press("That wasn't me");
  await user.click(sheet("Undo the reset?").getByRole("button", { name: "Cancel" }));
  await expect.poll(isOpen).toBe(false);
  expect(count(UNDO)).toBe(0);
});

it.each([
  ["Rename Phone", RENAME, "Save", "Name saved"],
  ["Remove Tablet", REMOVE, "Remove", "Passkey removed"],
] as const)("%s: leaves open what was opened before the answer came", async (name, call, button, done) => {
  const { answer, user, press, sheet, count, toasts } = await openCard();
  const arrival = Promise.withResolvers<void>();
  answer({ [call]: { body: {}, after: arrival.promise } });
  await press(name);
  const left = sheet(call === REMOVE ? `${name}?` : name);
  await user.click(left.getByRole("button", { name: button }));
  await expect.poll(() => count(call)).toBe(1);
  await user.click(left.getByRole("button", { name: "Close" }));
  await press("Rename Tablet");
  arrival.resolve();
  await expect.poll(toasts).toEqual([{ text: done }]);
  await user.type(sheet("Rename Tablet").getByLabelText("Name"), " two");
  expect(sheet("Rename Tablet").getByLabelText<HTMLInputElement>("Name").value).toBe("Tablet two");
});
