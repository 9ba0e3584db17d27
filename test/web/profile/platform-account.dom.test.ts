import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import type { User } from "../../../worker/contract/account/user.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { PlatformAccountCard } from "../../../web/features/profile/platform-account-card.tsx";
import { RECORD } from "../../support/driver-record.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";

beforeAll(() => changeLocale("en"));

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
