import { expect, it } from "vitest";
import { structuredDataOf } from "../../../web/prerender/page-texts.ts";

it("tells search engines of the plans where they are offered, of the questions on their page, and else nothing", () => {
  const told = ["/", "/faqs", "/terms", "/login", null].map((path) => structuredDataOf(path));
  expect(told).toEqual([
    [expect.objectContaining({ "@type": "SoftwareApplication" })],
    [expect.objectContaining({ "@type": "FAQPage" })],
    [],
    [],
    [],
  ]);
});
