import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { expect, it } from "vitest";
import en from "../../../locales/en.json" with { type: "json" };
import es from "../../../locales/es.json" with { type: "json" };
import pt from "../../../locales/pt.json" with { type: "json" };
import { ERROR_CODES, FIELD_ISSUES } from "../../../worker/contract/error-response.ts";

/** One text, or one for each plural. */
type Message = string | readonly PluralForms[];
type PluralForms = {
  readonly declarations: readonly string[];
  readonly match: Readonly<Record<string, string>>;
};
type Locale = Readonly<Record<string, Message>>;

const LOCALES: readonly [language: string, locale: Locale][] = [
  ["en", en],
  ["es", es],
  ["pt", pt],
];

const formsOf = (message: Message | undefined): string[] =>
  typeof message === "string" ? [message] : (message ?? []).flatMap(({ match }) => Object.values(match));

const slotsOf = (message: Message | undefined): string[] =>
  [...new Set(formsOf(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].toSorted();

/** Every text, with its key before it, so that a failure names what to fix. */
const textsOf = (locale: Locale): string[] =>
  Object.entries(locale).flatMap(([key, message]) => formsOf(message).map((text) => `${key}: ${text}`));

const valueOf = (text: string): string => text.slice(text.indexOf(": ") + 2);

it.each(LOCALES)("has the same messages in %s as in English, with the same figures", (_language, locale) => {
  const english: Locale = en;
  expect(Object.keys(locale)).toEqual(Object.keys(english));
  const uneven = Object.keys(english).filter(
    (key) => String(slotsOf(english[key])) !== String(slotsOf(locale[key])),
  );
  expect(uneven).toEqual([]);
});

it.each(LOCALES)(
  "names each message once in %s: of two, the file's last would be shown for both",
  (language) => {
    const file = readFileSync(new URL(`../../../locales/${language}.json`, import.meta.url), "utf8");
    const keys = [...file.matchAll(/^ {2}"(\w+)":/gm)].map(([, key]) => key);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  },
);

it("has a message for every failure and every fault of a field", () => {
  const needed = [
    ...ERROR_CODES.map((code) => `problem_${code}`),
    ...FIELD_ISSUES.map((fault) => `field_${fault}`),
  ];
  expect(needed.filter((key) => !(key in en))).toEqual([]);
});

it.each(LOCALES)("leaves no message of %s empty or with a space to spare", (_language, locale) => {
  expect(
    textsOf(locale).filter((text) => !/^\S(?:.*\S)?$/s.test(valueOf(text)) || text.includes("  ")),
  ).toEqual([]);
});

it.each(LOCALES)("exclaims in %s over nothing but a captured block", (_language, locale) => {
  const exclaiming = textsOf(locale).filter((text) => /[!¡]/.test(text));
  expect(exclaiming.map((text) => text.slice(0, text.indexOf(": ")))).toEqual([
    "capture_toast",
    "text_captured",
    "push_captured_title",
  ]);
});

it.each(LOCALES)("chooses between two forms in %s by a count, and by nothing else", (_language, locale) => {
  const odd = Object.entries(locale).filter(([, message]) => {
    if (typeof message === "string") return false;
    const [forms, ...more] = message;
    return (
      more.length > 0 ||
      forms?.declarations.at(-1) !== "local plural = count: plural" ||
      String(Object.keys(forms.match)) !== "plural=one,plural=*"
    );
  });
  expect(odd.map(([key]) => key)).toEqual([]);
});

it.each(LOCALES)("keeps no plural form of %s under a key of its own", (_language, locale) => {
  const one = Object.keys(locale).filter((key) => key.endsWith("_one"));
  expect(one.filter((key) => key.replace(/_one$/, "_other") in locale)).toEqual([]);
});

it("ends no Spanish sentence twice: a time ends in 'p.m.' already", () => {
  expect(
    textsOf(es).filter((text) => /\{(?:time|until|end|since|from|to|start|when)\}\./.test(text)),
  ).toEqual([]);
});

/** Spanish puts an article before such a time, which `formatUntil` brings along. */
it.each([
  ["en", en, /\buntil \{(?!until\})/, /(?<!until )\{until\}/],
  ["es", es, /\bhasta (?:el |la |las )?\{(?!until\})/, /(?<!hasta )\{until\}/],
  ["pt", pt, /\baté \{(?!until\})/, /(?<!até )\{until\}/],
] as const)(
  "says 'until' in %s before {until}, and before no other slot",
  (_language, locale, other, bare) => {
    // Clock times of the schedule, which belong to no day.
    const clock = ["week_overnight", "rule_window", "time_span", "time_span_overnight"];
    // Counts: 'up to 3 more'.
    const counts = /^(?:text_week_(?:change|none)|push_week_change)/;
    const texts = textsOf(locale).filter(
      (text) => !counts.test(text) && !clock.includes(text.slice(0, text.indexOf(": "))),
    );
    expect(texts.filter((text) => other.test(text) || bare.test(text))).toEqual([]);
  },
);

it.each(LOCALES)("says each failure in %s in one or two sentences", (_language, locale) => {
  const long = textsOf(locale).filter(
    (text) => text.startsWith("problem_") && (text.match(/[.?](?=\s|$)/g) ?? []).length > 2,
  );
  expect(long).toEqual([]);
});

/** Words that nobody says: other nouns than the product's own, literal translations, things that act by themselves. */
const DIALECT: Readonly<Record<string, readonly RegExp[]>> = {
  en: [
    /\bstations?\b/i,
    /\byour week\b/i,
    /\bwaiting list\b/i,
    /\be-mails?\b/i,
    /\bleast pay\b/i,
    /\bbefore the start\b/i,
    /\blengths you take\b/i,
    /\blooked\b|\blook (?:again|only)\b|\bno look\b/i,
    /\byou hear of\b/i,
    /\bstands? (?:here|in|then|there)\b/i,
    /\blike the device\b/i,
    /\bwhoever\b/i,
    /\bgiven back\b|\bcalled off\b/i,
    /\bcode is over\b/i,
    /\bis needed\b/i,
    /\bthat is all\b/i,
    /\bto nobody\b/i,
    /\bmend\b/i,
    /\bis content\b/i,
    /\bthe sky\b/i,
    /\bword counts\b|\byou can reach\b/i,
    /\bby itself\b|\bgoes on\b|\bgo on\b/i,
    /\bpassed over\b|\balso while\b|\bin person\b/i,
    /\brefunds and terms\b|\bdigest\b/i,
    /\breset by a text\b|\bsame again\b|\bevery other week\b|\blook for (?:you|\{length\})/i,
    /\{(?:hours|figure)\} h\b/,
  ],
  es: [
    /\bestaci(?:ón|ones)\b|\bdepósitos?\b/i,
    /\btu semana\b/i,
    /\bfila\b/i,
    /check-in/i,
    /\bganados\b/i,
    /\binterruptor\b|\bencend|\benciend|\bapag/i,
    /\bintentar? de nuevo\b/i,
    /\bpor su cuenta\b/i,
    /\busted(?:es)?\b|\bvosotros\b|\bvos\b/i,
    /\bentra(?:r|s|rás)? (?:con|en \{product\})(?! la lista)/i,
    /\bañad|\bimportes?\b|\bajustes\b|\bdonde qued(?:amos|é|aste)\b|[«»]/i,
    /\bconseguidos?\b|\bno tomad[oa]s?\b|\bpor donde pagaste\b|\blo mismo otra vez\b|\bcuenta de entregas\b/i,
  ],
  pt: [
    /\bestaç(?:ão|ões)\b|\bdepósitos?\b|\bturnos?\b/i,
    /\bsua semana\b/i,
    /\bfila\b/i,
    /\bregistr\w* (?:a |sua |de )?chegada\b/i,
    /\binterruptor\b|\bchave\b(?! de acesso| pública)/i,
    /\bsozinh[oa]s?: |\bcontinua sozinh/i,
    /\b[dn]?a \{product\}/i,
    /\btu\b|\bteus?\b|\btuas?\b/i,
    /\btrocad[oa]s? por um código\b|\bverificar você\b|\bde há\b|\bcumpr\w+ (?:todos os )?seus filtros\b/i,
    /\bconquistad[oa]s?\b|\bpor onde você pagou\b|\bo mesmo de novo\b|\bsumiu\b|\bentrada (?:está|da conta|na conta)\b/i,
  ],
};

it.each(LOCALES)("speaks the drivers' own words in %s", (language, locale) => {
  const found = textsOf(locale).flatMap((text) =>
    (DIALECT[language] ?? [])
      .filter((word) => word.test(valueOf(text)))
      .map((word) => `${text} (${word.source})`),
  );
  expect(found).toEqual([]);
});

it("begins no English message with a thing that is not named yet", () => {
  expect(textsOf(en).filter((text) => /^It(?:'s)?\b/.test(valueOf(text)))).toEqual([]);
});

it.each([
  ["blocks_won", "Captured", "Capturados", "Capturados"],
  ["earnings_title", "Earnings", "Ganancias", "Ganhos"],
  ["week_title", "Your schedule", "Tu horario", "Sua agenda"],
  ["check_hours", "Your schedule", "Tu horario", "Sua agenda"],
  ["filters_title", "Filters", "Filtros", "Filtros"],
  ["warehouses_title", "Warehouses", "Almacenes", "Galpões"],
] as const)("calls %s by the product's noun: %s, %s, %s", (key, english, spanish, portuguese) => {
  expect([en[key], es[key], pt[key]]).toEqual([english, spanish, portuguese]);
});

/** The requested wordings, to the letter. */
const QUOTED = [
  "Code resent successfully.",
  "Could not load warehouses",
  "Current password is incorrect",
  "Error during registration",
  "Error loading blocks:",
  "Error loading rewards",
  "Error logging in. Please try manually..",
  "Error preparing payment",
  "Error redeeming reward",
  "Error resending the code",
  "Error sending invitation. Please try again.",
  "Error setting up account. Please try again.",
  "Error submitting NPS. Please try again.",
  "Error verifying the code",
  "Failed to change password. Please try again.",
  "Failed to fetch status",
  "Failed to fetch user data",
  "Failed to reset password. Please try again.",
  "Failed to send reset code. Please try again.",
  "Failed to update profile",
  "If this problem persists, please contact support.",
  "Invalid verification code",
  "Login error. Please try again.",
  "Login failed",
  "Logout failed",
  "MFA required. This flow is not implemented yet.",
  "Network error",
  "New password does not meet requirements",
  "New password required. This flow is not implemented yet.",
  "No account found with this phone number",
  "No refresh token available",
  "Page not found",
  "Password does not meet requirements",
  "Passwords don't match",
  "Please complete all required fields",
  "Please sign in again",
  "Please sign in again to change your password",
  "Reload Page",
  "Sign up failed - no result returned",
  "Something went wrong",
  "The code must be 6 digits",
  "Too many requests. Please try again later.",
  "Try Again",
  "Unknown error",
  "User is not authenticated",
  "Username is null. Cannot retrieve a new session",
  "Verification code has expired",
  "We apologize for the inconvenience. An unexpected error occurred.",
  "You must accept the terms and conditions",
  "You must be authenticated to set up your account",
  "Your account is not verified. Please enter the confirmation code.",
  "An error occurred while processing your request. Please try again or contact support if the problem persists.",
];

it("keeps the requested wordings to the letter", () => {
  const values = new Set(Object.values(en).flatMap(formsOf));
  expect(QUOTED.filter((text) => !values.has(text))).toEqual([]);
  expect(es.loading).toBe("Cargando...");
});
