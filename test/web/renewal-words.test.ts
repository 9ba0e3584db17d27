import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { RENEWAL_WORDS } from "../../db/shapes/money/renewal.ts";
import en from "../../locales/en.json" with { type: "json" };
import es from "../../locales/es.json" with { type: "json" };
import pt from "../../locales/pt.json" with { type: "json" };

/** Drivers' consents, by version; versions on record stay. */
const AGREED: Readonly<Record<number, string>> = {
  1: "51a55fab7b42f6b7",
  2: "471a308501d9912e",
  3: "e01457f62b604793",
};

it("has another version wherever the words that drivers agree to have changed", () => {
  const words = [en, es, pt].map(({ renew_choose, renew_agree }) => `${renew_choose}\n${renew_agree}`);
  const digest = createHash("sha256").update(words.join("\n")).digest("hex").slice(0, 16);
  const advice = `Raise RENEWAL_WORDS in db/shapes/money/renewal.ts and add ${RENEWAL_WORDS + 1}: "${digest}" here.`;
  expect(digest, advice).toBe(AGREED[RENEWAL_WORDS]);
});
