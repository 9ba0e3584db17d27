import {
  OFFERS_PLACEHOLDER,
  PRODUCT_IN_JSON,
  PRODUCT_PLACEHOLDER,
} from "../../worker/contract/page-address.ts";
import { QUESTIONS } from "../features/support/questions.ts";
import { m } from "../messages/messages.js";

const product = PRODUCT_PLACEHOLDER;

const DESCRIPTIONS: Readonly<Record<string, () => string>> = {
  "/terms": () => m.terms_lead({ product }),
  "/faqs": () => m.faqs_description({ product }),
  "/contact": m.support_text,
  "/health": m.health_lead,
  "/register": () => m.register_description({ product }),
  "/login": () => m.login_description({ product }),
};

/** A search engine's text under the title. */
export function describePage(path: string | null): string {
  return (DESCRIPTIONS[path ?? ""] ?? (() => m.landing_text({ product })))();
}

/** The page's subject in schema.org's terms: the plans on the landing page, the questions on theirs. */
export function structuredDataOf(path: string | null): object[] {
  const context = { "@context": "https://schema.org" };
  const slots = { product: PRODUCT_IN_JSON };
  if (path === "/")
    return [
      {
        ...context,
        "@type": "SoftwareApplication",
        name: PRODUCT_IN_JSON,
        applicationCategory: "BusinessApplication",
        operatingSystem: "Web",
        description: m.landing_text(slots),
        offers: OFFERS_PLACEHOLDER,
      },
    ];
  if (path === "/faqs")
    return [
      {
        ...context,
        "@type": "FAQPage",
        mainEntity: QUESTIONS.map(({ ask, answer }) => ({
          "@type": "Question",
          name: ask(slots),
          acceptedAnswer: { "@type": "Answer", text: answer(slots) },
        })),
      },
    ];
  return [];
}
