import { LANGUAGES, type Language } from "../../../db/shapes/language.ts";

const E164 = /^\+1[0-9]{10}$/;

/** +1 and ten digits: the only form in which a number names an account. */
export function isPhoneNumber(text: string): boolean {
  return E164.test(text);
}

/** `+*******0123`: a star for each digit except the last four. */
export function maskPhone(phone: string): string {
  const digits = phone.replaceAll(/\D/g, "");
  return `+${"*".repeat(Math.max(0, digits.length - 4))}${digits.slice(-4)}`;
}

/** Where a code went, as the protocol says it. */
export type CodeDelivery = { AttributeName: string; DeliveryMedium: "SMS"; Destination: string };

/** The answer of every call that sends a code. */
export function toCodeDelivery(phone: string): CodeDelivery {
  return { AttributeName: "phone_number", DeliveryMedium: "SMS", Destination: maskPhone(phone) };
}

/** The first of the wishes (a language or a locale, `pt-BR`) that Jornada speaks, else English. */
export function chooseLanguage(...wishes: readonly (string | null | undefined)[]): Language {
  for (const wish of wishes) {
    const known = LANGUAGES.find((language) => wish?.toLowerCase().split(/[-_]/)[0] === language);
    if (known) return known;
  }
  return "en";
}
