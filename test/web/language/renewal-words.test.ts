import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { RENEWAL_WORDS } from "../../../db/shapes/money/renewal.ts";
import en from "../../../locales/en.json" with { type: "json" };
import es from "../../../locales/es.json" with { type: "json" };
import pt from "../../../locales/pt.json" with { type: "json" };
import { formatAgreement } from "../../../web/features/payments/renewal-terms.tsx";
import { m } from "../../../web/messages/messages.js";

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

it("names what was agreed to in the words of its version, and those of a later release by the most that it takes", () => {
  const rest = { status: "on", plan: "7days", agreedAt: 1, withdrawnAt: null } as const;
  const terms = (words: number) => formatAgreement({ ...rest, words, capCents: 5_022, currency: "USD" });
  expect([1, 2, 3, 99].map(terms)).toEqual([
    m.renew_agree_1({ money: "$50.22" }),
    m.renew_agree_2({ money: "$50.22" }),
    m.renew_agree({ money: "$50.22" }),
    "Renews for at most $50.22",
  ]);
});
