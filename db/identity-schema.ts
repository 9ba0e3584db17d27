import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import * as z from "zod/mini";
import { jsonColumn, wordColumn } from "./columns.ts";
import type { DriverId } from "./shapes/units.ts";
import { isRecord } from "./shapes/versioned.ts";

/** `FORCE_CHANGE_PASSWORD` and `RESET_REQUIRED` are set by operators: no call of the pool leads there. */
const poolUserStatus = z.enum(["UNCONFIRMED", "CONFIRMED", "FORCE_CHANGE_PASSWORD", "RESET_REQUIRED"]);
export type PoolUserStatus = z.infer<typeof poolUserStatus>;
const mfaFactor = z.enum(["SMS_MFA", "SOFTWARE_TOKEN_MFA"]);
export type MfaFactor = z.infer<typeof mfaFactor>;
export type CodePurpose = "sign_up" | "reset" | "phone_number" | "sign_in";
export type KeyUse = "id" | "access";

/** An account of the embedded user pool. `id` is the `sub` of its tokens. */
export const poolUsers = sqliteTable(
  "pool_users",
  {
    id: text().$type<DriverId>().primaryKey(),
    /** E.164. It names one account, confirmed or not. */
    phoneNumber: text("phone_number").notNull(),
    phoneVerified: integer("phone_verified", { mode: "boolean" }).notNull(),
    /** A number that was asked for and not proven yet. */
    pendingPhone: text("pending_phone"),
    /** An operator's word that is not known here lets nobody in before the password is set anew. */
    status: wordColumn("status", poolUserStatus, "RESET_REQUIRED").notNull(),
    enabled: integer({ mode: "boolean" }).notNull(),
    /** Salt and verifier, sealed. */
    password: text().notNull(),
    attributes: jsonColumn("attributes", readAttributes).notNull(),
    smsMfa: integer("sms_mfa", { mode: "boolean" }).notNull(),
    softwareTokenMfa: integer("software_token_mfa", { mode: "boolean" }).notNull(),
    preferredMfa: wordColumn("preferred_mfa", mfaFactor, null),
    /** Sealed. */
    totpSecret: text("totp_secret"),
    /** Sealed; not proven by a first code yet. */
    totpPending: text("totp_pending"),
    totpName: text("totp_name"),
    /** The step of the last code that was taken: it and those before are spent. */
    totpUsedStep: integer("totp_used_step").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("pool_users_phone_number").on(table.phoneNumber)],
);

/** One sign-in. Its refresh token is sealed and kept by the client alone; this row is what can be revoked. */
export const poolSessions = sqliteTable(
  "pool_sessions",
  {
    originJti: text("origin_jti").primaryKey(),
    userId: text("user_id").$type<DriverId>().notNull(),
    /** The device that was confirmed in this sign-in: a refresh must name it. */
    deviceKey: text("device_key"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
  },
  (table) => [
    index("pool_sessions_user").on(table.userId),
    index("pool_sessions_expires").on(table.expiresAt),
  ],
);

/** The code in force for one purpose, hashed; a spent row stays, so that the limits on sending are remembered. */
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

/** Wrong tries in a row. `subject` also names accounts that don't exist: these lock as real ones do. */
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

/** What may be used once and was. */
export const poolNonces = sqliteTable(
  "pool_nonces",
  {
    nonce: text().primaryKey(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("pool_nonces_expires").on(table.expiresAt)],
);

/** The RS256 keys; of each use the highest generation signs, and all verify. */
export const poolSigningKeys = sqliteTable(
  "pool_signing_keys",
  {
    keyUse: text("key_use").$type<KeyUse>().notNull(),
    generation: integer().notNull(),
    kid: text().notNull(),
    /** JWK, sealed. */
    privateKey: text("private_key").notNull(),
    modulus: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyUse, table.generation] })],
);

/** A device on which the account signed in. Without `password` it was never confirmed. */
export const poolDevices = sqliteTable(
  "pool_devices",
  {
    deviceKey: text("device_key").primaryKey(),
    userId: text("user_id").$type<DriverId>().notNull(),
    groupKey: text("group_key").notNull(),
    /** Salt and verifier, sealed. */
    password: text(),
    name: text(),
    remembered: integer({ mode: "boolean" }).notNull(),
    createdAt: integer("created_at").notNull(),
    modifiedAt: integer("modified_at").notNull(),
    authenticatedAt: integer("authenticated_at").notNull(),
  },
  (table) => [index("pool_devices_user").on(table.userId)],
);

/** An account's attributes as they were stored; one that is no text is left out. */
function readAttributes(stored: unknown): Record<string, string> {
  const entries = isRecord(stored) ? Object.entries(stored) : [];
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : [])),
  );
}
