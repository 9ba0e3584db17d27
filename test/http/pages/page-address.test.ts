import { describe, expect, it } from "vitest";
import { splitLanguage, withLanguage } from "../../../worker/contract/page-address.ts";

describe("an address that names a language", () => {
  it.each([
    ["/es", "es", "/"],
    ["/es/", "es", "/"],
    ["/pt/terms", "pt", "/terms"],
    ["/en/faqs", "en", "/faqs"],
    ["/pt/contact", "pt", "/contact"],
  ] as const)("%s is the page in that language", (pathname, language, rest) => {
    expect(splitLanguage(pathname)).toEqual({ language, pathname: rest });
  });

  it.each(["/", "/terms", "/espresso", "/es/login", "/es/flex/dashboard", "/fr", "/es/es", "/esterms"])(
    "%s is an address like any other",
    (pathname) => {
      expect(splitLanguage(pathname)).toEqual({ language: null, pathname });
    },
  );

  it("is made of the page's own", () => {
    expect(withLanguage("/", "es")).toBe("/es");
    expect(withLanguage("/terms", "pt")).toBe("/pt/terms");
  });
});
