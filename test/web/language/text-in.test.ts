import { expect, it } from "vitest";
import { textIn } from "../../../db/shapes/language.ts";

it("takes a text in the language, and in English only where that is missing", () => {
  const texts = { en: "Rain", es: "Lluvia", pt: "" };
  expect([textIn(texts, "es"), textIn(texts, "pt"), textIn(texts, "en")]).toEqual(["Lluvia", "Rain", "Rain"]);
});
