import type { PublicConfig } from "../../../worker/contract/status.ts";
import { localAuthError } from "./auth-error.ts";

export type CognitoConfig = PublicConfig["identity"];

/** Whether the deployment's own user pool signs drivers in, and not one of AWS. */
export function usesOwnPool({ endpoint }: CognitoConfig): boolean {
  return endpoint.startsWith("/");
}

/** Other tabs wait for a renewal, so one that hangs counts as failed after this time. */
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Makes a call to the identity provider without its library, which isn't loaded yet. Retries if the provider is
 * unreachable, fails or is rate-limiting; a refusal isn't retried.
 * @throws {AuthError} `NetworkError`
 */
export async function cognitoRequest(
  identity: CognitoConfig,
  operation: "InitiateAuth" | "RespondToAuthChallenge" | "GetTokensFromRefreshToken" | "RevokeToken",
  body: unknown,
): Promise<CognitoAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await requestOnce(identity, operation, body);
    const delayMs = response && !isRetryable(response) ? null : retryDelayMs(attempt, Math.random());
    if (delayMs !== null) await new Promise((resolve) => setTimeout(resolve, delayMs));
    else if (response) return response;
    else throw localAuthError("NetworkError");
  }
}

/**
 * Makes a call that isn't retried, since it may have had its effect.
 * @throws {AuthError} `NetworkError`
 */
export async function cognitoRequestOnce(
  identity: CognitoConfig,
  operation: "ConfirmSignUp" | "InitiateAuth",
  body: unknown,
): Promise<CognitoAnswer> {
  const response = await requestOnce(identity, operation, body);
  if (!response) throw localAuthError("NetworkError");
  return response;
}

/** `retryAfterSeconds`: how long a lock lasts, where the provider says so. */
type CognitoAnswer = { ok: boolean; body: unknown; retryAfterSeconds: number | null };
type CognitoResponse = CognitoAnswer & { status: number };

/** An empty or malformed body counts as null; without a connection there was no response. */
function nullUnlessLost(error: unknown): null {
  if (error instanceof SyntaxError) return null;
  throw error;
}

/** Null if there was no response, or if the connection was lost within it. */
async function requestOnce(
  identity: CognitoConfig,
  operation: string,
  body: unknown,
): Promise<CognitoResponse | null> {
  try {
    const response = await fetch(identity.endpoint, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": `AWSCognitoIdentityProviderService.${operation}`,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const { ok, status } = response;
    const retryAfter = Number(response.headers.get("retry-after"));
    return {
      ok,
      status,
      body: await response.json().catch(nullUnlessLost),
      retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
    };
  } catch {
    return null;
  }
}

function isRetryable({ status }: CognitoResponse): boolean {
  return status === 429 || status >= 500;
}

const BASE_MS = 100;
const JITTER_MS = 100;
const MAX_DELAY_MS = 5000;

/**
 * How long to wait after the nth failed try, counted from 1; null if it was the last. The identity library's
 * renewals and revocations use the same delays.
 */
export function retryDelayMs(attempt: number, roll: number): number | null {
  const delayMs = 2 ** attempt * BASE_MS + roll * JITTER_MS;
  return delayMs > MAX_DELAY_MS ? null : delayMs;
}
