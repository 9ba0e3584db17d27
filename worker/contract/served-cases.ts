/** The name of a part of a page in one of the forms that it can take. */
export function caseName(name: string, value: string): string {
  return `${name} ${value}`;
}

/** The placeholder in a page for a fact that only the deployment knows; it can be a part of an address, too. */
export function factToken(name: string): string {
  return `__${name}__`;
}

/** The form of a part of which nothing is known: a placeholder. */
export const UNKNOWN_CASE = "unknown";

/** Around what holds for the moment alone: a page that a device keeps has a placeholder there. */
export const MOMENTARY = { start: "<!--now-->", end: "<!--/now-->" } as const;

/** A part's placeholder: it is filled in by the page, which comes to life when it is seen. */
export const PLACEHOLDER = "<i data-skeleton></i>";

/** The names of the parts whose form depends on the deployment. */
export const SERVED_PARTS = {
  plan: (plan: string) => `plan-${plan}`,
  raffle: (plan: string) => `raffle-${plan}`,
  leastPrice: "least-price",
  contacts: "contacts",
  terms: "terms",
  daysBack: "days-back",
  spots: "spots",
  health: "health",
} as const;

/** Which contacts there are, as one word: `email-phone`, `none`. */
export function contactsCase(given: {
  email: boolean;
  phone: boolean;
  whatsapp: boolean;
  announcements: boolean;
}): string {
  const names = Object.entries(given)
    .filter(([, isGiven]) => isGiven)
    .map(([name]) => name);
  return names.join("-") || "none";
}
