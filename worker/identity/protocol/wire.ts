import { utf8 } from "../bytes.ts";
import { type CognitoError, cognitoErrors } from "./errors.ts";

const TARGET = /^AWSCognitoIdentityProviderService\.([A-Za-z]{1,64})$/;
const MAX_BODY_BYTES = 64 * 1024;
const CONTENT_TYPE = "application/x-amz-json-1.1";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date",
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

/** What an operation says: null is an empty body. */
export type OperationResponse = object | null;

/** The operation's name in `X-Amz-Target`; null where it names none. */
export function parseTarget(request: Request): string | null {
  return TARGET.exec(request.headers.get("x-amz-target") ?? "")?.[1] ?? null;
}

/** @throws {CognitoError} where the body is too large or no JSON */
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

/** A success. */
export function toHttpResponse(answer: OperationResponse, requestId: string): Response {
  return new Response(answer === null ? "" : JSON.stringify(answer), {
    headers: {
      ...CORS,
      "content-type": CONTENT_TYPE,
      "cache-control": "no-store",
      "x-amzn-requestid": requestId,
    },
  });
}

/** A failure: its body and its headers both say the type, for clients read the one or the other. */
export function toErrorResponse(fault: CognitoError, requestId: string): Response {
  return new Response(JSON.stringify({ __type: fault.type, message: fault.message }), {
    status: fault.status,
    headers: {
      ...CORS,
      "content-type": CONTENT_TYPE,
      "cache-control": "no-store",
      "x-amzn-requestid": requestId,
      "x-amzn-errortype": `${fault.type}:`,
      "x-amzn-errormessage": fault.message.replaceAll(/[^\x20-\x7e]/g, " "),
      ...(fault.status === 405 ? { allow: "POST, GET, OPTIONS" } : {}),
    },
  });
}

/** A document that anyone may read and keep for some minutes. */
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

/** Allows what the preflights of all clients ask. */
export function toPreflightResponse(): Response {
  return new Response(null, { status: 204, headers: PREFLIGHT });
}
