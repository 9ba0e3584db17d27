import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { ContactCard, ContactList } from "../../../web/features/support/contact-list.tsx";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

/** Each form of the contacts, by its name: the addresses of its links, or its words where it has none. */
async function contactForms(): Promise<Record<string, string[]>> {
  const html = await htmlOfPart(createElement(ContactList));
  const forms = html.matchAll(/<template data-case="contacts ([^"]*)">(.*?)<\/template>/gsu);
  return Object.fromEntries(
    [...forms].map(([, name = "", content = ""]) => {
      const links = [...content.matchAll(/href="([^"]*)"/gu)].map(([, href = ""]) => href);
      return [name, links.length > 0 ? links : textsIn(content)];
    }),
  );
}

const LINKS = {
  email: "mailto:__email__",
  phone: "__phone-link__",
  whatsapp: "__whatsapp__",
  announcements: "__announcements__",
};

it("are made in every choice that a deployment can have, each with its own contacts and no other", async () => {
  const names = ["email", "phone", "whatsapp", "announcements"] as const;
  const choices = Array.from({ length: 16 }, (_, bits) =>
    names.filter((_name, place) => bits & (1 << place)),
  );
  const expected = choices.map((given) => [given.join("-") || "none", given.map((name) => LINKS[name])]);
  expect(await contactForms()).toEqual({
    ...Object.fromEntries(expected),
    none: [expect.stringContaining("support")],
  });
});

it("have advice on a message beside them on a page of their own", async () => {
  expect(textsIn(await htmlOfPart(createElement(ContactCard))).slice(-4)).toEqual([
    "Help us help you faster",
    "Tell us what you were trying to do and what you saw instead.",
    "Tell us when it happened, and at which warehouse.",
    "Never send a password or a code. We won't ask for one.",
  ]);
});
