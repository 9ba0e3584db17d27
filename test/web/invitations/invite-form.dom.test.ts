import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { PauseResponse } from "../../../db/shapes/money/pause.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { Invitation } from "../../../worker/contract/money/invitations.ts";
import { invitationsQuery } from "../../../web/api/queries/rewards.ts";
import { pauseQuery } from "../../../web/api/queries/service-time.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { InvitationsScreen } from "../../../web/features/invitations/invitations-screen.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const SEND = "POST /flex/v1/invitations";
const LIST = "GET /flex/v1/invitations";
const LINK = "https://jornada.test/register?referral=15550100144";
const INVITED: Invitation = {
  id: "i1",
  phoneNumber: "+15550100177",
  status: "unregistered",
  at: NOON,
  hasTrial: false,
  isRevoked: false,
};

const PAUSE: PauseResponse = {
  serviceUntil: null,
  pausedUntil: Date.now() + 3 * DAY_MS,
  obstacle: null,
  daysLeft: 11,
  pausesLeft: 3,
};

async function openScreen() {
  const network = scriptNetwork();
  network.answer({
    [LIST]: { body: { link: LINK, invitations: [INVITED] } },
    "GET /flex/v1/pause": { body: PAUSE },
    "POST /flex/v1/ticket": "lost",
  });
  const toasts = watchToasts();
  const part = await renderPart(createElement(InvitationsScreen), {
    answered: [
      [invitationsQuery.queryKey, { link: LINK, invitations: [] }],
      [configQuery.queryKey, { productName: "Jornada" }],
      [userQuery.queryKey, { ...RECORD, expirationDateTimestamp: Date.now() + 33 * DAY_MS }],
      [pauseQuery.queryKey, PAUSE],
    ],
  });
  const field = screen.getByLabelText<HTMLInputElement>("Your friend's phone number");
  const errorText = () => {
    const ids = field.getAttribute("aria-describedby")?.split(" ") ?? [];
    return ids.map((id) => document.querySelector(`[id="${id}"]`)?.textContent ?? "").join(" ");
  };
  const sent = () => network.calls.filter(({ operation }) => operation === SEND).map(({ body }) => body);
  return { ...network, ...part, toasts, field, errorText, sent };
}

it.each([
  [true, "Invitation sent"],
  [false, "Saved. We don't text this number again, so send your link yourself."],
])(
  "invites a friend once, lists the invitation and empties the form (texted: %s)",
  async (isTexted, text) => {
    const { answer, user, field, sent, toasts } = await openScreen();
    const arrival = Promise.withResolvers<void>();
    answer({ [SEND]: { body: { isTexted }, after: arrival.promise } });
    await user.type(field, "5550100177{Enter}");
    await screen.findByRole("button", { name: "Sending…" });
    await user.type(field, "{Enter}");
    arrival.resolve();
    await expect.poll(toasts).toEqual([{ text }]);
    expect(sent()).toEqual([{ phoneNumber: "5550100177", idempotencyKey: expect.any(String) }]);
    await screen.findByText("Unregistered");
    expect([field.value, screen.queryByText("No invitations yet")]).toEqual(["", null]);
  },
);

it.each(["own_number", "already_registered", "already_invited"] as const)(
  "says at the number that it can't be invited (%s), until another is typed",
  async (code) => {
    const { answer, user, field, errorText, toasts } = await openScreen();
    answer({ [SEND]: refusalReply(code) });
    await user.type(field, "5550100177{Enter}");
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
    expect(errorText()).not.toBe("");
    expect([document.activeElement, field.value]).toEqual([field, "+1 (555) 010-0177"]);
    await user.type(field, "{Backspace}8");
    expect([field.getAttribute("aria-invalid"), toasts()]).toEqual(["false", []]);
  },
);

it("keeps the number of an invitation that couldn't be sent, and sends it again under the same key", async () => {
  const { answer, user, field, sent, toasts } = await openScreen();
  answer({ [SEND]: ["lost", { body: { isTexted: true } }] });
  await user.type(field, "5550100177{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("Error sending invitation");
  await user.click(screen.getByRole("button", { name: "Send invitation" }));
  await expect.poll(toasts).toEqual([{ text: "Invitation sent" }]);
  const [first, second, ...more] = sent();
  expect([second, more, screen.queryByRole("alert")]).toEqual([first, [], null]);
});

it.each([
  ["", "Enter your friend's phone number."],
  ["555", "Enter a US number with 10 digits."],
])("invites nobody by %o", async (typed, text) => {
  const { user, field, errorText, sent } = await openScreen();
  await user.type(field, `${typed}{Enter}`);
  await expect.poll(errorText).toContain(text);
  expect(sent()).toEqual([]);
});

it("copies the link and says so, or that it must be copied by hand", async () => {
  const { user, toasts } = await openScreen();
  const writeText = vi.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("denied"));
  const copy = () => user.click(screen.getByRole("button", { name: "Copy link" }));
  await copy();
  await copy();
  const texts = ["We couldn't copy the link. Select it and copy it yourself.", "Link copied"];
  await expect.poll(() => toasts().map(({ text }) => text)).toEqual(texts);
  expect(writeText).toHaveBeenLastCalledWith(LINK);
  writeText.mockRestore();
});

it("leaves a pause out of the service that is left", async () => {
  const { count } = await openScreen();
  await expect.poll(() => count("GET /flex/v1/pause")).toBe(1);
  screen.getByText("30 days left");
});
