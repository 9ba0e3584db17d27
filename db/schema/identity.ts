import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import * as z from "zod/mini";
import { jsonColumn, wordColumn } from "../columns.ts";
import { language } from "../shapes/language.ts";
import type { DriverId } from "../shapes/units.ts";
import { isRecord } from "../shapes/versioned.ts";

/** `FORCE_CHANGE_PASSWORD` and `RESET_REQUIRED` are only set by operators, in the database: no operation does. */
const poolUserStatus = z.enum(["UNCONFIRMED", "CONFIRMED", "FORCE_CHANGE_PASSWORD", "RESET_REQUIRED"]);
const mfaFactor = z.enum(["SMS_MFA", "SOFTWARE_TOKEN_MFA"]);
export type MfaFactor = z.infer<typeof mfaFactor>;
export type CodePurpose = "sign_up" | "reset" | "phone_number" | "sign_in" | "preferred_phone";
/** `recovery`: a password set by a texted code. `passkeys`: one was added or removed. */
export type NoticeKind = "phone" | "password" | "recovery" | "factors" | "passkeys" | "deleted";
export type KeyUse = "id" | "access";

/** Accounts of the embedded user pool. `id` is the `sub` of their tokens. */
export const poolUsers = sqliteTable(
  "pool_users",
  {
    id: text().$type<DriverId>().primaryKey(),
    /** E.164. Unique, unconfirmed accounts included. */
    phoneNumber: text("phone_number").notNull(),
    phoneVerified: integer("phone_verified", { mode: "boolean" }).notNull(),
    /** A new number that the user hasn't verified yet. */
    pendingPhone: text("pending_phone"),
    /** A value that we don't know requires a password reset before the next sign-in. */
    status: wordColumn("status", poolUserStatus, "RESET_REQUIRED").notNull(),
    enabled: integer({ mode: "boolean" }).notNull(),
    /** SRP salt and verifier, encrypted. */
    password: text().notNull(),
    attributes: jsonColumn("attributes", readAttributes).notNull(),
    smsMfa: integer("sms_mfa", { mode: "boolean" }).notNull(),
    softwareTokenMfa: integer("software_token_mfa", { mode: "boolean" }).notNull(),
    preferredMfa: wordColumn("preferred_mfa", mfaFactor, null),
    /** Encrypted. */
    totpSecret: text("totp_secret"),
    /** Encrypted; not confirmed by a first code yet. */
    totpPending: text("totp_pending"),
    totpName: text("totp_name"),
    /** The step of the last accepted code. It and earlier ones can't be used again. */
    totpUsedStep: integer("totp_used_step").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("pool_users_phone_number").on(table.phoneNumber)],
);

/** Sessions: one row per sign-in, so that it can be revoked. The refresh token itself isn't stored. */
export const poolSessions = sqliteTable(
  "pool_sessions",
  {
    originJti: text("origin_jti").primaryKey(),
    userId: text("user_id").$type<DriverId>().notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
    /** The master key that sealed its refresh token; null in rows from before this was kept. */
    keyId: text("key_id"),
    /** How many refresh tokens it had before the present one. */
    generation: integer().notNull().default(0),
    /** When the present refresh token was issued. */
    rotatedAt: integer("rotated_at").notNull().default(0),
    /** A hash of the secret that its latest renewal was made with; null if it came without one. */
    renewalHash: text("renewal_hash"),
    /** Renewed with its tokens, and every quarter of an hour while it is used; 0 in rows from before this was kept. */
    lastSeenAt: integer("last_seen_at").notNull().default(0),
    /** The device that signed in, in words, and its latest country (ISO 3166); null if unknown. */
    browser: text(),
    system: text(),
    country: text(),
    /** The passkey that it was signed in with; null after a password or a code. */
    passkeyId: text("passkey_id"),
  },
  (table) => [
    index("pool_sessions_user").on(table.userId),
    index("pool_sessions_expires").on(table.expiresAt),
  ],
);

/** Passkeys: the public halves of WebAuthn credentials. */
export const poolPasskeys = sqliteTable(
  "pool_passkeys",
  {
    id: text().primaryKey(),
    userId: text("user_id").$type<DriverId>().notNull(),
    /** The authenticator's name for it, in Base64url. */
    credentialId: text("credential_id").notNull(),
    /** A COSE key, in Base64url. */
    publicKey: text("public_key").notNull(),
    /** How often the authenticator has signed, so that a copy of it is noticed; always 0 where it doesn't count. */
    counter: integer().notNull(),
    /** How a browser reaches the authenticator, as it said itself: a JSON list of words. */
    transports: jsonColumn("transports", readWords).notNull(),
    /** Given by its owner. */
    name: text().notNull(),
    createdAt: integer("created_at").notNull(),
    /** The last sign-in; null before the first. */
    lastUsedAt: integer("last_used_at"),
    /** A removed one stays for as long as its removal can be undone. */
    removedAt: integer("removed_at"),
  },
  (table) => [
    uniqueIndex("pool_passkeys_credential").on(table.credentialId),
    index("pool_passkeys_user").on(table.userId),
    index("pool_passkeys_removed").on(table.removedAt),
  ],
);

/**
 * Registrations of a number that nobody has confirmed: one per network that they came from, or per secret of a page, both
 * hashed. The one of whoever then enters the code counts.
 */
export const poolRegistrations = sqliteTable(
  "pool_registrations",
  {
    userId: text("user_id").$type<DriverId>().notNull(),
    network: text().notNull(),
    /** Like the account's. */
    password: text().notNull(),
    attributes: jsonColumn("attributes", readAttributes).notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.network] })],
);

/** Tries at a code by the network that they came from, hashed, so that one network's don't use up another's. */
export const poolCodeTries = sqliteTable(
  "pool_code_tries",
  {
    userId: text("user_id").$type<DriverId>().notNull(),
    purpose: text().$type<CodePurpose>().notNull(),
    network: text().notNull(),
    /** The code's. Tries at an earlier one don't count. */
    hash: text().notNull(),
    tries: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.purpose, table.network] })],
);

/** Accounts that were changed or deleted, until everything that depends on them has followed. */
export const accountChanges = sqliteTable(
  "account_changes",
  {
    userId: text("user_id").$type<DriverId>().primaryKey(),
    /** Rises with each change, so that one which comes while an earlier one is followed isn't lost. */
    revision: integer().notNull(),
    isDeleted: integer("is_deleted", { mode: "boolean" }).notNull(),
    changedAt: integer("changed_at").notNull(),
    /** When it was last followed in vain; 0 if it never was. Those that fail for good are behind all others. */
    triedAt: integer("tried_at").notNull().default(0),
  },
  (table) => [index("account_changes_tried_at").on(table.triedAt, table.changedAt)],
);

/** The latest code per account and purpose, hashed. Used ones stay for a while, since the sending limits need them. */
export const poolCodes = sqliteTable(
  "pool_codes",
  {
    userId: text("user_id").$type<DriverId>().notNull(),
    purpose: text().$type<CodePurpose>().notNull(),
    hash: text().notNull(),
    expiresAt: integer("expires_at").notNull(),
    triesLeft: integer("tries_left").notNull(),
    sentAt: integer("sent_at").notNull(),
    windowStartedAt: integer("window_started_at").notNull(),
    sentInWindow: integer("sent_in_window").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.purpose] }),
    index("pool_codes_window").on(table.windowStartedAt),
  ],
);

/**
 * Changes of accounts that are texted to their owners, at the number that they had before. Until it expires, the link in
 * the text undoes the change.
 */
export const poolNotices = sqliteTable(
  "pool_notices",
  {
    id: text().primaryKey(),
    userId: text("user_id").$type<DriverId>().notNull(),
    kind: text().$type<NoticeKind>().notNull(),
    phoneNumber: text("phone_number").notNull(),
    language: wordColumn("language", language, "en").notNull(),
    changedAt: integer("changed_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** Null until the text is sent. */
    toldAt: integer("told_at"),
    /** Of the token in its link. */
    tokenHash: text("token_hash"),
  },
  (table) => [
    index("pool_notices_user").on(table.userId),
    index("pool_notices_expires").on(table.expiresAt),
    uniqueIndex("pool_notices_token").on(table.tokenHash),
  ],
);

/** Consecutive wrong tries per subject. Names without an account are counted too: they lock like real ones. */
export const poolAttempts = sqliteTable(
  "pool_attempts",
  {
    subject: text().primaryKey(),
    failures: integer().notNull(),
    lockedUntil: integer("locked_until").notNull(),
    lastAt: integer("last_at").notNull(),
  },
  (table) => [index("pool_attempts_last_at").on(table.lastAt)],
);

/** Single-use values that were used. */
export const poolNonces = sqliteTable(
  "pool_nonces",
  {
    nonce: text().primaryKey(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("pool_nonces_expires").on(table.expiresAt)],
);

/**
 * RS256 keys. Of each use the newest one whose time has come signs; the one before it verifies until its last token
 * expires.
 */
export const poolSigningKeys = sqliteTable(
  "pool_signing_keys",
  {
    keyUse: text("key_use").$type<KeyUse>().notNull(),
    generation: integer().notNull(),
    kid: text().notNull(),
    /** JWK, encrypted. */
    privateKey: text("private_key").notNull(),
    modulus: text().notNull(),
    createdAt: integer("created_at").notNull(),
    /** Later than `createdAt`, so that whoever caches the public keys knows it before its first token comes. */
    signsFrom: integer("signs_from").notNull().default(0),
    /** When the next one is made. An operator who sets 0 has it made now. */
    rotatesAt: integer("rotates_at").notNull().default(0),
    /** Set by an operator when the key has leaked: from then on nothing that it signed counts. */
    revokedAt: integer("revoked_at"),
  },
  (table) => [primaryKey({ columns: [table.keyUse, table.generation] })],
);

/** Parses stored attributes; values that are not strings are ignored. */
function readAttributes(stored: unknown): Record<string, string> {
  const entries = isRecord(stored) ? Object.entries(stored) : [];
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : [])),
  );
}

/** Parses a stored list of words; what is none is ignored. */
function readWords(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((word) => typeof word === "string") : [];
}
