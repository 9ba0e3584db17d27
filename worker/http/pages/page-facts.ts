import type { Deps } from "../../../durable/deps.ts";
import {
  ADDRESS_PLACEHOLDER,
  OFFERS_PLACEHOLDER,
  ORIGIN_PLACEHOLDER,
  PRODUCT_IN_JSON,
  PRODUCT_PLACEHOLDER,
} from "../../contract/page-address.ts";
import type { Language } from "../../../db/shapes/language.ts";
import { listPublicPlans } from "../../payments/prices/plans.ts";
import type { PublicPlansResponse } from "../../contract/money/public-plans.ts";
import { caseName, SERVED_PARTS } from "../../contract/served-cases.ts";
import { loadPlatformHealth } from "../../platform-health/public-health.ts";
import { listPublicSpots } from "../../spots/public-spots.ts";
import { escapeHtml } from "./escape-html.ts";
import { servedHealth } from "./served-health.ts";
import {
  servedContacts,
  servedDaysBack,
  servedPlans,
  servedSpots,
  servedTerms,
  serveCases,
} from "./served-cases.ts";

/** Puts what only the deployment knows into a page that was built without it. */
export async function fillInPage(
  html: string,
  {
    deps,
    address,
    language,
    timeZone,
  }: { deps: Deps; address: string; language: Language; timeZone: string },
): Promise<string> {
  const { productName, publicUrl } = deps.config;
  const filled = html
    .replaceAll(PRODUCT_PLACEHOLDER, () => escapeHtml(productName))
    .replaceAll(PRODUCT_IN_JSON, () => toJson(productName).slice(1, -1))
    .replaceAll(ORIGIN_PLACEHOLDER, () => escapeHtml(new URL(publicUrl).origin))
    .replaceAll(ADDRESS_PLACEHOLDER, () => escapeHtml(address));
  const settings = [
    servedContacts(deps.config.support, deps.roll()),
    servedTerms(deps.config.termsDate, language),
    servedDaysBack(deps.config.daysBackMinutes, language),
  ];
  if (filled.includes(caseName(SERVED_PARTS.health, "none")))
    settings.push(servedHealth(await loadPlatformHealth(deps), { language, now: deps.now() }));
  if (!filled.includes(OFFERS_PLACEHOLDER)) return serveCases(filled, settings);
  const [plans, spots] = await Promise.all([listPublicPlans(deps), listPublicSpots(deps)]);
  const prices = servedPlans(plans, { language, now: deps.now(), timeZone });
  const offers = toJson(toOffers(plans, publicUrl));
  const parts = [...settings, prices, servedSpots(spots, language)];
  return serveCases(filled, parts).replaceAll(`"${OFFERS_PLACEHOLDER}"`, () => offers);
}

/** The plans as schema.org's offers, at their prices now. */
function toOffers({ currency, plans }: PublicPlansResponse, publicUrl: string): object[] {
  return plans.map(({ days, discount, payCents }) => ({
    "@type": "Offer",
    name: `${days} days`,
    price: (payCents / 100).toFixed(2),
    priceCurrency: currency,
    ...(discount && { priceValidUntil: new Date(discount.endsAt).toISOString() }),
    url: new URL("/register", publicUrl).href,
  }));
}

/** JSON that can stand in a script element. */
function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
