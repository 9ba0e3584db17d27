import * as z from "zod";
import { httpExchange } from "../../../durable/platform/http-exchange.ts";
import type { DurationMs } from "../../../db/shapes/units.ts";
import type { Deps } from "../../../durable/deps.ts";
import { noteFailures } from "../../../durable/runtime/call-failure.ts";

const TIMEOUT_MS: DurationMs = 5_000;
/** The longest token that Turnstile makes. */
const MAX_TOKEN_LENGTH = 2048;
/** The purpose that the page's widget states. */
const ACTION = "register";

const verdict = z.object({ success: z.boolean(), action: z.string().nullish() });

/** Whether a token shows that a person solved the challenge before registering. */
export type HumanCheck = (token: string | null, address: string | null) => Promise<boolean>;

/**
 * Verifies tokens of Cloudflare Turnstile; null if it isn't configured. A token works once, for five minutes. Without an
 * answer nobody is let through: an attacker could otherwise wait for an outage.
 */
export function createHumanCheck({
  config: { turnstile },
  send,
  log,
}: Pick<Deps, "config" | "send" | "log">): HumanCheck | null {
  if (!turnstile) return null;
  const { url, secretKey } = turnstile;
  const note = noteFailures("turnstile", log);
  return async (token, address) => {
    if (!token || token.length > MAX_TOKEN_LENGTH) return false;
    const form = { secret: secretKey, response: token, ...(address === null ? {} : { remoteip: address }) };
    const received = await httpExchange(
      {
        url: `${url}/turnstile/v0/siteverify`,
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" },
        body: new URLSearchParams(form).toString(),
      },
      { send, note, limitMs: TIMEOUT_MS },
    );
    const parsed = received.kind === "arrived" ? verdict.safeParse(parseJson(received.text)) : null;
    if (!parsed?.success) {
      log("error", "turnstile.failed", { kind: received.kind });
      return false;
    }
    const { success, action } = parsed.data;
    return success && (action ?? ACTION) === ACTION;
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
