import type { Db } from "../db/client.ts";
import { addSecurityEvent } from "../db/queries/accounts/security-events.ts";
import type { SecurityEventName } from "../db/shapes/security.ts";
import { driverId, type EpochMs } from "../db/shapes/units.ts";
import { errorName } from "./runtime/describe-error.ts";
import type { Keys } from "./runtime/keys.ts";
import type { Log } from "./runtime/log.ts";
import { networkOf } from "./texts/networks.ts";

/** Other log events: too frequent for a row each, or of a deleted account. */
type LoggedOnly = "sign_in_refused" | "account_deleted" | "forbidden" | "limit_reached";

/** The cause of an event: the address is logged and stored as a keyed hash of its network alone. */
export type SecurityCaller = {
  address: string | null;
  device: { browser: string | null; system: string | null; country: string | null };
};

export type SecurityEvent = {
  event: SecurityEventName | LoggedOnly;
  /** The `sub` of the account that it is about; null if the caller named none. A name without an account has one too. */
  account: string | null;
  caller: SecurityCaller;
  /** More for the log: never a secret, a code or a number. */
  facts?: Record<string, string | number>;
};

/** The one place for what matters to security: a line in the log, and the owner's own part of it in the database. */
export type SecurityLog = {
  /** Never throws: what can't be stored is in the log. */
  note(event: SecurityEvent): Promise<void>;
};

const REFUSED: ReadonlySet<SecurityEvent["event"]> = new Set([
  "sign_in_failed",
  "code_failed",
  "locked",
  "link_failed",
  "link_paused",
  "session_reused",
  "sign_in_refused",
  "forbidden",
  "limit_reached",
]);
const LOGGED_ONLY: ReadonlySet<string> = new Set<LoggedOnly>([
  "sign_in_refused",
  "account_deleted",
  "forbidden",
  "limit_reached",
]);
const HASH_DIGITS = 16;

export function createSecurityLog({
  db,
  keys,
  now,
  log,
}: {
  db: Db;
  keys: Pick<Keys, "derive">;
  now: () => EpochMs;
  log: Log;
}): SecurityLog {
  /** The same for all that comes from one home or phone, so that an attack can be followed. */
  async function hashNetwork(address: string | null): Promise<string> {
    if (address === null) return "inside";
    const [bytes] = await keys.derive("codes", "networks in the security log");
    const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
    ]);
    const text = new TextEncoder().encode(networkOf(address));
    const hash = new Uint8Array(await crypto.subtle.sign("HMAC", key, text));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0"))
      .join("")
      .slice(0, HASH_DIGITS);
  }

  return {
    async note({ event, account, caller: { address, device }, facts = {} }) {
      try {
        const network = await hashNetwork(address);
        const outcome = REFUSED.has(event) ? "refused" : "done";
        const level = outcome === "refused" ? "warn" : "info";
        log(level, `security.${event}`, { account, outcome, network, ...device, ...facts });
        const { data: userId } = driverId.safeParse(account);
        if (isKept(event) && userId !== undefined) {
          await addSecurityEvent(db, { event, userId, network, ...device, now: now() });
        }
      } catch (error) {
        log("error", "security.not_stored", { event, account, error: errorName(error) });
      }
    },
  };
}

function isKept(event: SecurityEvent["event"]): event is SecurityEventName {
  return !LOGGED_ONLY.has(event);
}
