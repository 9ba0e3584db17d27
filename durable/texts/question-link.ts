import { driverId, type DriverId } from "../../db/shapes/units.ts";
import { QUESTION_TOKEN_LENGTH, type QuestionId } from "../../db/shapes/work/question.ts";
import { fromBase64Url, toBase64Url } from "../runtime/base64.ts";
import type { KeyBytes, Keys } from "../runtime/keys.ts";

/** Where a question was sent: to one browser, for as long as its sign-in lasts, or to a number. */
export type QuestionChannel =
  | { kind: "push"; endpoint: string; sessionId: string | null }
  | { kind: "text"; phoneNumber: string };

/** A question and where it was sent, as a link has them: shortened, since only their driver's object compares them. */
export type QuestionLink = { driverId: DriverId; question: string; channel: string };

const ID_BYTES = 16;
const MARK_BYTES = 4;
/** 80 bits: nobody guesses them in the minutes that a question lasts, and the link fits a text. */
const MAC_BYTES = 10;
const TOKEN_BYTES = ID_BYTES + 2 * MARK_BYTES + MAC_BYTES;

const encoder = new TextEncoder();

/**
 * The token that answers one question, for whoever got it by one channel. Nothing of it is stored.
 * @returns null for a driver's id that isn't a UUID
 */
export async function makeQuestionLink(
  keys: Keys,
  link: { driverId: DriverId; questionId: QuestionId; channel: QuestionChannel },
): Promise<string | null> {
  const id = fromUuid(link.driverId);
  if (!id) return null;
  const marks = await Promise.all([markOf(link.questionId), markOf(channelName(link.channel))]);
  const subject = new Uint8Array([...id, ...marks.flatMap((mark) => [...mark])]);
  const [key] = await keys.derive("links", "question");
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", await macKey(key), subject));
  return toBase64Url(new Uint8Array([...subject, ...mac.slice(0, MAC_BYTES)]));
}

/** The link that a token stands for, also one that was made under an older key; null if it is forged or for another use. */
export async function readQuestionLink(keys: Keys, token: string): Promise<QuestionLink | null> {
  const bytes = decode(token);
  if (!bytes) return null;
  const subject = bytes.slice(0, TOKEN_BYTES - MAC_BYTES);
  const mac = bytes.slice(TOKEN_BYTES - MAC_BYTES);
  for (const key of await keys.derive("links", "question")) {
    const made = new Uint8Array(await crypto.subtle.sign("HMAC", await macKey(key), subject));
    if (!isSame(mac, made.slice(0, MAC_BYTES))) continue;
    const owner = driverId.safeParse(toUuid(subject.slice(0, ID_BYTES)));
    if (!owner.success) return null;
    return {
      driverId: owner.data,
      question: toBase64Url(subject.slice(ID_BYTES, ID_BYTES + MARK_BYTES)),
      channel: toBase64Url(subject.slice(ID_BYTES + MARK_BYTES)),
    };
  }
  return null;
}

/** Those of some things that a link's mark is of. */
export async function findMarked<Item>(
  items: readonly Item[],
  mark: string,
  nameOf: (item: Item) => string,
): Promise<Item | undefined> {
  const marks = await Promise.all(items.map(async (item) => toBase64Url(await markOf(nameOf(item)))));
  return items[marks.indexOf(mark)];
}

export function channelName(channel: QuestionChannel): string {
  return channel.kind === "text"
    ? `text ${channel.phoneNumber}`
    : `push ${channel.endpoint} ${channel.sessionId ?? ""}`;
}

async function markOf(name: string): Promise<KeyBytes> {
  const digest = await crypto.subtle.digest("SHA-256", encoder.encode(name));
  return new Uint8Array(digest).slice(0, MARK_BYTES);
}

function macKey(key: KeyBytes): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** Takes as long whatever differs. */
function isSame(one: KeyBytes, other: KeyBytes): boolean {
  let difference = one.length ^ other.length;
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0);
  return difference === 0;
}

function decode(token: string): KeyBytes | null {
  if (token.length !== QUESTION_TOKEN_LENGTH || !/^[\w-]+$/.test(token)) return null;
  const bytes = fromBase64Url(token);
  // Bits of the last letter that stand for nothing: one link, one token.
  return bytes.length === TOKEN_BYTES && toBase64Url(bytes) === token ? bytes : null;
}

function fromUuid(id: string): KeyBytes | null {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null;
  const digits = id.replaceAll("-", "");
  return Uint8Array.from({ length: ID_BYTES }, (_, at) => parseInt(digits.slice(at * 2, at * 2 + 2), 16));
}

function toUuid(bytes: KeyBytes): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
