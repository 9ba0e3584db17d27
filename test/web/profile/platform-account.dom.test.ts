import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { User } from "../../../worker/contract/account/user.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { useUser } from "../../../web/features/session/use-user.ts";
import { PlatformAccountCard } from "../../../web/features/profile/platform-account-card.tsx";
import { RECORD } from "../../support/driver-record.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

/** The links and buttons of the card of a driver's delivery account. */
async function pressableFor(linked: Partial<User>): Promise<(string | null)[]> {
  const user = { ...RECORD, ...linked };
  await renderPart(createElement(PlatformAccountCard, { user }), { answered: [[userQuery.queryKey, user]] });
  return [...screen.queryAllByRole("link").map(({ textContent }) => textContent), ...buttonNames()];
}

it.each<[string, Partial<User>, pressable: string[]]>([
  ["no account yet", { proxyInstalled: false, flexEmail: null }, ["Link account"]],
  [
    "an account that is linked no longer",
    { proxyInstalled: false, flexEmail: "ana@example.com" },
    ["Link again"],
  ],
  // The screen of linking would say that it is linked, and to unlink it here.
  ["an account that is linked", { proxyInstalled: true, flexEmail: "ana@example.com" }, ["Unlink"]],
])(
  "offers a driver with %s what changes that, and nothing that leads back here",
  async (_account, linked, pressable) => {
    expect(await pressableFor(linked)).toEqual(pressable);
  },
);

it("hands the focus on to the heading once the account is unlinked, whose button is gone", async () => {
  const { answer } = scriptNetwork();
  const linked = { ...RECORD, proxyInstalled: true, flexEmail: "ana@example.com" };
  answer({
    "DELETE /flex/v1/setup": { body: {} },
    "GET /flex/v1/user": { body: { Item: { ...linked, proxyInstalled: false } } },
  });
  const Card = () => createElement(PlatformAccountCard, { user: useUser() });
  const heading = createElement("h1", null, "Profile");
  const part = createElement("main", { id: "content" }, heading, createElement(Card));
  const { user } = await renderPart(part, { answered: [[userQuery.queryKey, linked]] });
  await user.click(screen.getByRole("button", { name: "Unlink" }));
  await user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Unlink" }));
  await expect.poll(() => document.querySelector("dialog[open]")).toBeNull();
  await screen.findByRole("link", { name: "Link again" });
  expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
});
