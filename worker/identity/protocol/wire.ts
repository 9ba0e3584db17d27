import type { EpochMs } from "../../../db/shapes/units.ts";
import { utf8 } from "../bytes.ts";
import { type CognitoError, cognitoErrors } from "./errors.ts";

const TARGET = /^AWSCognitoIdentityProviderService\.([A-Za-z]{1,64})$/;
const MAX_BODY_BYTES = 64 * 1024;
const CONTENT_TYPE = "application/x-amz-json-1.1";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date,Retry-After",
};

const PREFLIGHT = {
  ...CORS,
  "access-control-allow-methods": "POST, GET, OPTIONS",
  "access-control-allow-headers": [
    "amz-sdk-invocation-id",
    "amz-sdk-request",
    "authorization",
    "cache-control",
    "content-type",
    "x-amz-content-sha256",
    "x-amz-date",
    "x-amz-security-token",
    "x-amz-target",
    "x-amz-user-agent",
  ].join(","),
  "access-control-max-age": "172800",
};

/** An operation's result; null becomes an empty body. */
export type OperationResponse = object | null;

/** The operation in `X-Amz-Target`; null if the header is missing or malformed. */
export function parseTarget(request: Request): string | null {
  return TARGET.exec(request.headers.get("x-amz-target") ?? "")?.[1] ?? null;
}

/** @throws {CognitoError} if the body is too large or isn't JSON */
export async function parseBody(request: Request): Promise<unknown> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw cognitoErrors.tooLarge();
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw cognitoErrors.tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    return JSON.parse(text + decoder.decode());
  } catch {
    throw cognitoErrors.unreadable();
  }
}

/** The HTTP response of a successful call. */
export function toHttpResponse(
  result: OperationResponse,
  requestId: string,
  cookie: string | null = null,
): Response {
  return new Response(result === null ? "" : JSON.stringify(result), {
    headers: {
      ...CORS,
      "content-type": CONTENT_TYPE,
      "cache-control": "no-store",
      "x-amzn-requestid": requestId,
      ...(cookie === null ? {} : { "set-cookie": cookie }),
    },
  });
}

/**
 * The HTTP response of a failed call. The type is in the body and in a header: some clients read one, some the other. When
 * the call may be repeated is in a header alone: applications match on the message.
 */
export function toErrorResponse(error: CognitoError, requestId: string, now: EpochMs): Response {
  return new Response(JSON.stringify({ __type: error.type, message: error.message }), {
    status: error.status,
    headers: {
      ...CORS,
      "content-type": CONTENT_TYPE,
      "cache-control": "no-store",
      "x-amzn-requestid": requestId,
      "x-amzn-errortype": `${error.type}:`,
      "x-amzn-errormessage": error.message.replaceAll(/[^\x20-\x7e]/g, " "),
      ...(error.retryAt === null
        ? {}
        : { "retry-after": String(Math.max(1, Math.ceil((error.retryAt - now) / 1000))) }),
      ...(error.status === 405 ? { allow: "POST, GET, OPTIONS" } : {}),
    },
  });
}

/** A public document, cacheable for five minutes. */
export function toDocumentResponse(document: object, requestId: string): Response {
  const body = utf8(JSON.stringify(document));
  return new Response(body, {
    headers: {
      ...CORS,
      "content-type": "application/json",
      "cache-control": "public, max-age=300",
      "x-amzn-requestid": requestId,
    },
  });
}

/** Allows the headers that the AWS clients ask for in their preflights. */
export function toPreflightResponse(): Response {
  return new Response(null, { status: 204, headers: PREFLIGHT });
}
