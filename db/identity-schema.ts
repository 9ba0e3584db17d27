import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { DriverId } from "./shapes/units.ts";

/** `FORCE_CHANGE_PASSWORD` and `RESET_REQUIRED` are set by operators: no call of the pool leads there. */
export type PoolUserStatus = "UNCONFIRMED" | "CONFIRMED" | "FORCE_CHANGE_PASSWORD" | "RESET_REQUIRED";
export type MfaFactor = "SMS_MFA" | "SOFTWARE_TOKEN_MFA";
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
    status: text().$type<PoolUserStatus>().notNull(),
    enabled: integer({ mode: "boolean" }).notNull(),
    /** Salt and verifier, sealed. */
    password: text().notNull(),
    attributes: text({ mode: "json" }).$type<Record<string, string>>().notNull(),
    smsMfa: integer("sms_mfa", { mode: "boolean" }).notNull(),
    softwareTokenMfa: integer("software_token_mfa", { mode: "boolean" }).notNull(),
    preferredMfa: text("preferred_mfa").$type<MfaFactor>(),
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
