import { expect, it } from "vitest";
import { LinkStore } from "../../../web/features/navigation/opened-link.ts";

const TOKEN = "Abc-_".repeat(4) + "12";

it.each(["", "short", `${TOKEN}x`, `${TOKEN.slice(1)}.`, "ñ".repeat(22)])(
  "opens no link by the fragment %j, which is none",
  (fragment) => {
    const links = new LinkStore(22);
    links.open(TOKEN);
    links.open(fragment);
    expect(links.link.get()).toEqual({ status: "malformed", token: fragment });
    expect(links.takeLanguage(TOKEN)).toBe(false);
  },
);

it("takes on the language of a link's text once for each opening", () => {
  const links = new LinkStore(22);
  expect(links.link.get()).toEqual({ status: "none" });
  links.open(TOKEN);
  expect(links.link.get()).toEqual({ status: "opened", token: TOKEN, hasLanguage: false });
  const other = [...TOKEN].toReversed().join("");
  expect([other, TOKEN, TOKEN].map((token) => links.takeLanguage(token))).toEqual([false, true, false]);
  links.open(other);
  expect([TOKEN, other].map((token) => links.takeLanguage(token))).toEqual([false, true]);
});
