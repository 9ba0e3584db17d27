import type { FailureCause } from "../../db/shapes/fleet.ts";
import { describeError } from "./describe-error.ts";
import type { Log } from "./log.ts";
import type { Send } from "./send.ts";

/** The services that calls go to. */
export type OutsideService = "platform" | "push" | "texts" | "stripe" | "turnstile" | "chat" | "database";

/** A call that failed: `thrown` by the runtime or a library, or answered with a `status` of the network between. */
export type CallFailure = { thrown: unknown } | { status: number } | { cause: FailureCause };

/** Notes why a call failed. */
export type NoteFailure = (failure: CallFailure) => void;

/**
 * The responses of Cloudflare's network in place of a server that it could not reach:
 * https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/
 */
const CAUSE_BY_STATUS: ReadonlyMap<number, FailureCause> = new Map([
  [520, "reset"],
  [521, "refused"],
  [522, "timed_out"],
  [523, "other"],
  [524, "timed_out"],
  [525, "tls"],
  [526, "tls"],
  [530, "dns"],
]);

/** Names, codes and messages of errors, of workerd, D1, Node and undici. The first that matches counts. */
const PATTERNS: readonly (readonly [RegExp, FailureCause])[] = [
  [/\bDNS\b|getaddrinfo|ENOTFOUND|EAI_AGAIN|ENODATA/i, "dns"],
  [/\b(?:TLS|SSL)\b|ERR_(?:TLS|SSL)|certificate|CERT_|_CERT|EPROTO|handshake/i, "tls"],
  [/ECONNREFUSED|connection refused/i, "refused"],
  [/AbortError|TimeoutError|ETIMEDOUT|_TIMEOUT|timed? ?out|queued for too long/i, "timed_out"],
  // Workerd says the same of a connection that was refused.
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET|connection (?:was )?(?:lost|reset|closed)|socket hang up/i, "reset"],
];

const MAX_CAUSES = 4;

/** The cause of a thrown error, or of what caused it. */
export function causeOf(thrown: unknown): FailureCause {
  let error = thrown;
  for (let depth = 0; depth <= MAX_CAUSES && error instanceof Error; depth += 1) {
    const code = "code" in error && typeof error.code === "string" ? error.code : "";
    const text = `${error.name} ${code} ${error.message}`;
    const found = PATTERNS.find(([pattern]) => pattern.test(text));
    if (found) return found[1];
    error = error.cause;
  }
  return "other";
}

/** The cause that a status stands for; null if it is the service's own answer. */
export function causeOfStatus(status: number): FailureCause | null {
  return CAUSE_BY_STATUS.get(status) ?? null;
}

/** Workerd names the cause of an internal error in its own log alone, under this reference. */
function runtimeReference(thrown: unknown): { reference?: string } {
  const [, reference] =
    (thrown instanceof Error && /^internal error; reference = (\w{1,64})$/.exec(thrown.message)) || [];
  return reference === undefined ? {} : { reference };
}

/**
 * Logs each failed call to a service with its cause, and the error's class, frames and chain of causes: neither the address,
 * which may hold a token, nor a message.
 */
export function noteFailures(service: OutsideService, log: Log): NoteFailure {
  return (failure) => {
    if ("status" in failure) {
      const cause = causeOfStatus(failure.status);
      if (cause) log("warn", "call.failed", { service, cause, status: failure.status });
    } else if ("cause" in failure) {
      log("warn", "call.failed", { service, cause: failure.cause });
    } else {
      log("warn", "call.failed", {
        service,
        cause: causeOf(failure.thrown),
        ...runtimeReference(failure.thrown),
        ...describeError(failure.thrown),
      });
    }
  };
}

/** Sends as before, and notes what failed. For a library that has its own time limit. */
export function notingSend(send: Send, note: NoteFailure): Send {
  return async (request) => {
    try {
      const response = await send(request);
      note({ status: response.status });
      return response;
    } catch (thrown) {
      note({ thrown });
      throw thrown;
    }
  };
}
