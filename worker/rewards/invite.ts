import type { DriverRecord } from "../../db/queries/accounts/drivers.ts";
import {
  claimInvitationText,
  closeInvitationText,
  countInviteTry,
  insertInvitation,
  listInvitations,
  loadInviteCode,
  loadInvitedNumber,
  releaseInvitationText,
  type InvitationRow,
  type InvitedNumber,
  loadInviterName,
} from "../../db/queries/rewards/invitations.ts";
import { sha256Hex } from "../../db/shapes/sha256-hex.ts";
import { DAY_MS, type DriverId, type EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import type { Invitation, InvitationsResponse, InviterResponse } from "../contract/money/invitations.ts";
import type { ErrorCode } from "../contract/error-response.ts";
import type { CheckoutContext } from "../payments/checkout.ts";
import type { Language } from "../../db/shapes/language.ts";
import { formatMessage } from "../../locales/format-message.ts";

/** How many numbers an inviter enters in a day, so that nobody learns of many who is registered. */
const DAILY_LIMIT = { most: 10, windowMs: DAY_MS };

/** The context for inviting, and the inviter. */
export type InviteContext = Pick<CheckoutContext, "deps" | "db"> & {
  record: DriverRecord;
  /** The caller's address, which texts are counted for. */
  address: string | null;
};

type Refusal = { ok: false; code: ErrorCode; retryAt?: number };

/** The number with its country. */
export function toFullNumber(tenDigits: string): string {
  return `+1${tenDigits}`;
}

/** The driver's link and invitations. */
export async function listInvited({ db, deps, record }: InviteContext): Promise<InvitationsResponse> {
  const [rows, link] = await Promise.all([listInvitations(db, record.row.id), linkOf({ db, deps, record })]);
  return { link, invitations: rows.map(toInvitation) };
}

/** A number that a driver asks to invite: when they may, null for now, and what is known of it. */
export type AskedNumber = { retryAt: EpochMs | null; known: InvitedNumber };

/** Asks about a number, and counts the asking. */
export async function askAboutNumber(
  { db, now }: Pick<Deps, "db" | "now">,
  {
    inviterId,
    sessionId,
    phoneNumber,
  }: { inviterId: DriverId; sessionId: string | null; phoneNumber: string },
): Promise<AskedNumber> {
  const [retryAt, known] = await Promise.all([
    countInviteTry(db, { driverId: inviterId, sessionId, phoneNumber, ...DAILY_LIMIT, now: now() }),
    loadInvitedNumber(db, { inviterId, phoneNumber }),
  ]);
  return { retryAt, known };
}

/**
 * Invites a number. It is texted once, whoever invites it; a text that was not sent can be tried again. A call that is repeated
 * under its key, since the answer was lost, gets that answer again.
 * @param asked what was just asked about it
 */
export async function inviteNumber(
  context: InviteContext,
  phoneNumber: string,
  {
    retryAt,
    known,
    idempotencyKey = crypto.randomUUID(),
  }: AskedNumber & { idempotencyKey?: string | undefined },
): Promise<{ ok: true; isTexted: boolean } | Refusal> {
  const { deps, record } = context;
  const { db } = deps;
  const inviterId = record.row.id;
  const refusal = refusalOf(context, phoneNumber, retryAt);
  if (refusal) return refusal;
  if (known.isRegistered) return { ok: false, code: "already_registered" };
  // Of this driver and this number alone, whatever else a caller sends the key with.
  const invitationId = await sha256Hex(`${inviterId} ${phoneNumber} ${idempotencyKey}`);
  if (known.invitation && known.textedAt !== null) {
    const { id, createdAt } = known.invitation;
    if (id === invitationId) return { ok: true, isTexted: known.textedAt >= createdAt };
    return { ok: false, code: "already_invited" };
  }
  const now = deps.now();
  const hasTrial = known.invitation?.hasTrial ?? false;
  const invitation = { id: invitationId, inviterId, phoneNumber, now };
  const stored = insertInvitation(db, invitation);
  const sent = await textInvitation(context, { phoneNumber, hasTrial, stored });
  switch (sent) {
    case "sent":
    case "had_one":
      return { ok: true, isTexted: sent === "sent" };
    case "number":
      return { ok: false, code: "invalid_request" };
    case "limit":
      return { ok: false, code: "rate_limited" };
    case "failed":
      return { ok: false, code: "text_not_sent" };
  }
}

/** Whether a driver may ask about a number now; counts the asking. */
export async function checkNumber(context: InviteContext, phoneNumber: string): Promise<Refusal | null> {
  const { deps, record } = context;
  const ask = { driverId: record.row.id, sessionId: null, phoneNumber, ...DAILY_LIMIT, now: deps.now() };
  return refusalOf(context, phoneNumber, await countInviteTry(deps.db, ask));
}

function refusalOf(
  { record: { row } }: Pick<InviteContext, "record">,
  phoneNumber: string,
  retryAt: EpochMs | null,
): Refusal | null {
  if (phoneNumber === row.phoneNumber || phoneNumber === row.preferredPhoneNumber)
    return { ok: false, code: "own_number" };
  return retryAt === null ? null : { ok: false, code: "invitations_used_up", retryAt };
}

/** `had_one`: the number had its one text. `number`, `limit`: no text may go there, or not now. */
export type InvitationTextResult = "sent" | "had_one" | "number" | "limit" | "failed";

/**
 * Sends the one text that a number gets for invitations.
 * @param stored what is being stored meanwhile, and must be before the text leaves
 */
export async function textInvitation(
  { deps, db, record, address }: InviteContext,
  { phoneNumber, hasTrial, stored }: { phoneNumber: string; hasTrial: boolean; stored?: Promise<void> },
): Promise<InvitationTextResult> {
  const { row } = record;
  // In one trip: a number that had its text is rare, and what was counted for it is taken back.
  const [isClaimed, admission, link] = await Promise.all([
    claimInvitationText(deps.db, phoneNumber, deps.now()),
    deps.texts.admitInvitation({ to: phoneNumber, address }),
    linkOf({ deps, db, record }).catch((error: unknown) => {
      deps.log("warn", "invitation.link.failed", { driverId: row.id, ...describeError(error) });
      return null;
    }),
    stored,
  ]);
  if (!isClaimed) {
    if (admission.kind === "admitted") await admission.cancel();
    return "had_one";
  }
  // The inviter's account was deleted meanwhile, or the database failed: others may still invite the number.
  if (link === null) {
    if (admission.kind === "admitted") await admission.cancel();
    await releaseInvitationText(deps.db, phoneNumber);
    return "failed";
  }
  // An invited person who wants no texts from us isn't disclosed to the inviter, and isn't tried again.
  if (admission.kind === "refused" && admission.reason === "stopped") {
    await closeInvitationText(deps.db, phoneNumber);
    return "had_one";
  }
  if (admission.kind === "refused") {
    await releaseInvitationText(deps.db, phoneNumber);
    return admission.reason === "number" ? "number" : "limit";
  }
  const body = invitationText({
    inviter: row.name,
    language: row.language,
    product: deps.config.productName,
    link,
    hasTrial,
  });
  const outcome = await admission.send(body);
  if (outcome.kind === "sent") return "sent";
  // A number that told the gateway to stop isn't tried again.
  const isRefused = outcome.reason === "number" || outcome.reason === "stopped";
  if (outcome.mayArrive) return "sent";
  await (isRefused ? closeInvitationText : releaseInvitationText)(deps.db, phoneNumber);
  return isRefused ? "had_one" : "failed";
}

async function linkOf({ deps, db, record }: Omit<InviteContext, "address">): Promise<string> {
  const fresh = inviteCodeFrom(crypto.getRandomValues(new Uint8Array(CODE_LENGTH)));
  return invitationLink(deps.config.publicUrl, await loadInviteCode(db, record.row.id, fresh));
}

function toInvitation({
  id,
  phoneNumber,
  friendId,
  hasTrial,
  completedAt,
  revokedAt,
  createdAt,
}: InvitationRow): Invitation {
  const status = completedAt !== null ? "completed" : friendId === null ? "unregistered" : "pending";
  return {
    id,
    phoneNumber,
    status,
    hasTrial,
    isRevoked: revokedAt !== null,
    at: completedAt ?? createdAt,
  };
}

/** Describes the driver of a link to strangers, in no more words than the invitation's text. */
export async function describeInviter({ db }: Pick<Deps, "db">, referral: string): Promise<InviterResponse> {
  const name = await loadInviterName(db, referral);
  return { inviter: name === null ? null : { name: firstNameOf(name) } };
}

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
const CODE_LENGTH = 10;

/** A referral, from random bytes. */
export function inviteCodeFrom(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => CODE_LETTERS.charAt(byte % CODE_LETTERS.length)).join("");
}
