import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { configQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { TermsPage } from "../../../web/features/landing/terms-page.tsx";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

it("numbers the sections of the terms, and has what depends on the deployment at its promise alone", async () => {
  const html = await htmlOfPart(createElement(TermsPage), {
    answered: [[configQuery.queryKey, { productName: "Jornada" }]],
  });
  const sections = html.split("<li ").slice(1);
  const shown = sections.map((section) => {
    const [title = ""] = textsIn(`<li ${section}`);
    return [
      /^id="(\w+)"/u.exec(section)?.[1],
      title.split(" ")[0],
      section.includes('href="/health"'),
      section.includes("<template"),
    ];
  });
  const ids = ["service", "you", "not", "promise", "payment", "points", "privacy", "end", "changes"];
  expect(shown).toEqual(ids.map((id, index) => [id, `${index + 1}.`, id === "promise", id === "promise"]));
});
