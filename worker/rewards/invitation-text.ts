import type { Language } from "../../db/shapes/language.ts";
import { formatMessage } from "../../locales/format-message.ts";

/** More than most first names, and little enough for a text of one segment. */
const MAX_NAME_LENGTH = 16;

/** Where a friend registers so that the inviter is known. */
export function invitationLink(publicUrl: string, code: string): string {
  return `${publicUrl.replace(/\/+$/, "")}/register?referral=${code}`;
}

/** The text of an invitation, in the inviter's language and in the letters that fit one segment. */
export function invitationText({
  inviter,
  language,
  product,
  link,
  hasTrial,
}: {
  inviter: string;
  language: Language;
  product: string;
  link: string;
  hasTrial: boolean;
}): string {
  const name = firstNameOf(inviter);
  const key = hasTrial ? "text_invitation_trial" : "text_invitation";
  if (name === null) return formatMessage(language, `${key}_unnamed`, { product, url: link });
  return formatMessage(language, key, { name, product, url: link });
}

/**
 * The first name as strangers read it: letters only, so that nobody puts an address or a message of their own into a
 * text of ours. Null if nothing is left.
 */
export function firstNameOf(name: string): string | null {
  const [first = ""] = name.trim().split(/\s+/);
  const plain = first.normalize("NFD").replaceAll(/\p{M}/gu, "");
  return /^[A-Za-z'-]+$/.test(plain) ? plain.slice(0, MAX_NAME_LENGTH) : null;
}

/** Letters and digits that nobody mistakes for others when a link is read aloud. */
const CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
export const CODE_LENGTH = 10;

/** A referral, from random bytes. */
export function inviteCodeFrom(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => CODE_LETTERS.charAt(byte % CODE_LETTERS.length)).join("");
}
