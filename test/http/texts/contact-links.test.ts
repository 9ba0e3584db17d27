import { expect, it } from "vitest";
import { pickRandom, whatsappLink } from "../../../worker/contract/contact-links.ts";

it("gives each support number its share of the rolls", () => {
  const numbers = ["a", "b", "c"];
  expect([0, 0.33, 0.34, 0.67, 0.999].map((roll) => pickRandom(numbers, roll))).toEqual([
    "a",
    "a",
    "b",
    "c",
    "c",
  ]);
  expect(pickRandom([], 0.5)).toBeUndefined();
  expect(whatsappLink("+1 (555) 010-0198")).toBe("https://wa.me/15550100198");
});
