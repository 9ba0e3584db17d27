import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../db/shapes/language.ts";
import { segmentsOf } from "../../../durable/texts/segments.ts";
import { codeText } from "../../../worker/http/gate/user-pool.ts";

describe("a text with a code", () => {
  it.each(LANGUAGES)("in %s ends with the page that may take the code over, in one segment", (language) => {
    const text = codeText(language, {
      product: "Jornada",
      code: "1234567890",
      publicUrl: "https://jornada.a-long-name-of-a-deployment.example:8443",
    });
    expect(text.split("\n").at(-1)).toBe("@jornada.a-long-name-of-a-deployment.example #1234567890");
    expect(segmentsOf(text)).toMatchObject({ encoding: "gsm7", segments: 1 });
  });

  it("says the code first, for who types it", () => {
    const text = codeText("en", { product: "Jornada", code: "123456", publicUrl: "https://jornada.example" });
    expect(text).toBe(
      "123456 is your Jornada code. It expires in 10 minutes. Don't share it.\n@jornada.example #123456",
    );
  });
});
