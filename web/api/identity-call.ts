import type { PublicConfig } from "../../worker/contract/status.ts";
import { refusal } from "./auth-error.ts";
import { retryDelayMs } from "./backoff.ts";

export type Identity = PublicConfig["identity"];

/** Other tabs wait for a renewal: one that hangs on a bad line counts as lost. */
const ANSWER_WITHIN_MS = 10_000;

/**
 * One call to the identity provider, for what is needed before its library is. Repeated while the provider is not
 * reached, in trouble or too busy; a refusal stands at once.
 * @throws {AuthError} `NetworkError`
 */
export async function callIdentity(
  identity: Identity,
  operation: "InitiateAuth" | "RevokeToken",
  body: unknown,
): Promise<{ ok: boolean; body: unknown }> {
  for (let attempt = 1; ; attempt += 1) {
    const given = await callOnce(identity, operation, body);
    const delayMs = given && !isPassing(given) ? null : retryDelayMs(attempt, Math.random());
    if (delayMs !== null) await new Promise((resolve) => setTimeout(resolve, delayMs));
    else if (given) return { ok: given.ok, body: given.body };
    else throw refusal("NetworkError");
  }
}

type Given = { ok: boolean; status: number; body: unknown };

/** Null where no answer came. */
async function callOnce(identity: Identity, operation: string, body: unknown): Promise<Given | null> {
  try {
    const response = await fetch(identity.endpoint, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const { ok, status } = response;
    return { ok, status, body: await response.json().catch(() => null) };
  } catch {
    return null;
  }
}

function isPassing({ status }: Given): boolean {
  return status === 429 || status >= 500;
}
