import { PLAN_DAYS, PLANS_FOR_SALE } from "../../db/shapes/plans.ts";
import type { Deps } from "../../durable/deps.ts";
import {
  OFFERS_PLACEHOLDER,
  ORIGIN_PLACEHOLDER,
  PRODUCT_IN_JSON,
  PRODUCT_PLACEHOLDER,
} from "../contract/page-address.ts";
import { loadPublicPrices } from "../payments/public-prices.ts";

/** Puts what only the deployment knows into a page that was built without it. */
export async function fillInPage(html: string, deps: Deps): Promise<string> {
  const { productName, publicUrl } = deps.config;
  const filled = html
    .replaceAll(PRODUCT_PLACEHOLDER, () => escapeHtml(productName))
    .replaceAll(PRODUCT_IN_JSON, () => toJson(productName).slice(1, -1))
    .replaceAll(ORIGIN_PLACEHOLDER, () => escapeHtml(new URL(publicUrl).origin));
  if (!filled.includes(OFFERS_PLACEHOLDER)) return filled;
  const offers = toJson(await listOffers(deps));
  return filled.replaceAll(`"${OFFERS_PLACEHOLDER}"`, () => offers);
}

/** The plans as schema.org's offers. */
async function listOffers(deps: Deps): Promise<object[]> {
  const { currency, publicUrl } = deps.config;
  const prices = await loadPublicPrices(deps);
  return PLANS_FOR_SALE.map((plan) => ({
    "@type": "Offer",
    name: `${PLAN_DAYS[plan]} days`,
    price: (prices[plan] / 100).toFixed(2),
    priceCurrency: currency,
    url: new URL("/register", publicUrl).href,
  }));
}

/** JSON that can stand in a script element. */
function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
