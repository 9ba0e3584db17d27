import { expect, it } from "vitest";
import en from "../../../locales/en.json" with { type: "json" };
import { ERROR_CODES } from "../../../worker/contract/error-response.ts";
import { RequestError } from "../../../web/api/client/request-error.ts";
import { errorText } from "../../../web/features/language/error-messages.ts";
import { unreachableText } from "../../../web/features/payments/states.tsx";

it("says 'if your card was charged' of a payment's outcome alone, while the card service can't tell it", () => {
  const codes = [...ERROR_CODES, "network"] as const;
  const about = codes.filter((code) => unreachableText(new RequestError(0, code)) !== undefined);
  expect(about).toEqual(["payments_unreachable"]);
  expect(unreachableText(new RequestError(502, "payments_unreachable"))).toContain(
    "If your card was charged",
  );
  expect(unreachableText(new TypeError("fetch failed"))).toBeUndefined();
});

it("says so nowhere else: before a payment is sent nothing was charged", () => {
  const texts = Object.entries(en).filter(([, text]) => JSON.stringify(text).includes("If your card was"));
  expect(texts.map(([key]) => key)).toEqual(["pay_outcome_unreachable"]);
  expect(errorText(new RequestError(502, "payments_unreachable"))).toContain("you weren't charged");
});
