import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { RenewalLinkScreen } from "../../../web/features/payments/renewal-link-screen.tsx";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

it("has the terms, and the way to the payments, for whoever comes without a link", async () => {
  const html = await htmlOfPart(createElement(RenewalLinkScreen, { hash: "" }));
  expect(textsIn(html).join(" ")).toMatch(/the amount that you saw when you agreed/u);
  expect([...html.matchAll(/href="([^"]*)"/gu)].map(([, href]) => href)).toEqual(["/flex/payments"]);
  expect(html).not.toContain("<button");
});
