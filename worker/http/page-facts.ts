import type { Deps } from "../../durable/deps.ts";
import {
  OFFERS_PLACEHOLDER,
  ORIGIN_PLACEHOLDER,
  PRODUCT_IN_JSON,
  PRODUCT_PLACEHOLDER,
} from "../contract/page-address.ts";
import { listPublicPlans } from "../payments/public-plans.ts";

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

/** The plans as schema.org's offers, at their prices now. */
async function listOffers(deps: Deps): Promise<object[]> {
  const { currency, plans } = await listPublicPlans(deps);
  return plans.map(({ days, discount, payCents }) => ({
    "@type": "Offer",
    name: `${days} days`,
    price: (payCents / 100).toFixed(2),
    priceCurrency: currency,
    ...(discount && { priceValidUntil: new Date(discount.endsAt).toISOString() }),
    url: new URL("/register", deps.config.publicUrl).href,
  }));
}

/** JSON that can stand in a script element. */
function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
