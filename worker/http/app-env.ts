import type { JWTVerifyGetKey } from "jose";
import type { DriverId, EpochMs } from "../../db/shapes/units.ts";
import type { AccountNotice } from "../../db/queries/accounts/account-notices.ts";
import type { loadChatIdentifier } from "../../db/queries/accounts/chat-contacts.ts";
import type { DriverRecord } from "../../db/queries/accounts/drivers.ts";
import type { ConsentRecord } from "../../db/queries/payments/renewal-consents.ts";
import type { Db } from "../../db/client.ts";
import type { Deps } from "../../durable/deps.ts";
import type { Env } from "../../durable/runtime/env.ts";
import type { QuestionLink } from "../../durable/texts/question-link.ts";
import type { ErrorCode } from "../contract/error-response.ts";
import type { Operator } from "../contract/console/operators.ts";
import type { PhoneCodes } from "../identity/accounts/phone-codes.ts";
import type { SessionSummary } from "../identity/tokens/sessions.ts";
import type { UserPool } from "../identity/user-pool.ts";
import type { HealthState } from "./health.ts";
import type { ShortToken } from "./tokens/short-token.ts";

/** The caller, as verified by the gate. */
export type Caller = {
  driverId: DriverId;
  phoneNumber: string | null;
  /** The session at our own pool; null where another pool signs drivers in. */
  sessionId: string | null;
  /** When the caller entered password or code; null if the credential doesn't say so. */
  signedInAt: EpochMs | null;
};

/** The context of every handler. `caller` is only set behind the gate. */
export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Resolves once the response is on its way. */
    responded: Promise<void>;
    /** The request's cost so far. */
    usage: { statements: number };
    /** Why it failed, if it did. */
    errorCode: ErrorCode;
    deps: Deps;
    /** The embedded user pool; null if another pool signs drivers in. */
    userPool: UserPool | null;
    /** The keys that id tokens are verified with. */
    tokenKeys: TokenKeys;
    /** The keys that Cloudflare Access signs with; null if there is no console. */
    operatorKeys: JWTVerifyGetKey | null;
    /** The codes that prove preferred numbers. */
    phoneCodes: PhoneCodes;
    /** The parts that don't work as they should. */
    health: () => Promise<HealthState>;
    /** A D1 session: reads from a nearby replica, which has the caller's own writes. */
    db: Db;
    caller: Caller;
    /** The caller's record as it is being read beside their session; once it is used, null. */
    recordAhead: Promise<DriverRecord | null> | null;
    /** The caller's sessions as they are being read beside theirs; null where another pool signs drivers in. */
    sessionsAhead: Promise<SessionSummary[]> | null;
    /** The sealed body, and the account that a record is made for, read in the same way. */
    sealAhead: Promise<unknown>;
    accountAhead: Promise<{ hasChanged: boolean; number: string | null }>;
    /** The caller's identifier at the support chat, read in the same way. */
    chatAhead: ReturnType<typeof loadChatIdentifier>;
    /** Only set behind the console's gate. */
    operator: Operator;
    /** Their mark in the log; only set where they called the console. */
    operatorMark: string;
    /** The ticket of a live connection. */
    liveTicket: ShortToken;
    /** The change that the link in a text undoes. */
    undo: AccountNotice;
    /** Part of the calendar address that the caller has. */
    calendarFeedId: string;
    /** The consent that the link in a text withdraws. */
    consent: ConsentRecord;
    /** The question that the link in a push message or a text answers. */
    questionLink: QuestionLink;
  };
};

/**
 * The keys that id tokens are verified with. `outdated`: those that have to be read again before they count, if so; what a
 * token begins with can be read beside them.
 */
export type TokenKeys = JWTVerifyGetKey & { outdated?: () => JWTVerifyGetKey | null };
