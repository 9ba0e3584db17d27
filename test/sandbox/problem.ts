import type { Context } from "hono";
import type { z } from "zod";

/** Problem codes and their titles. */
const TITLES = {
  invalid_credentials: "The e-mail or the password is wrong.",
  account_locked: "The account is locked for a while after too many wrong tries.",
  session_not_found: "There is no such session at this step.",
  otp_invalid: "The code is wrong.",
  otp_expired: "The code has expired.",
  approval_denied: "The driver did not approve the device.",
  invalid_token: "The access token is missing, unknown or expired.",
  invalid_grant: "The refresh token is unknown or was used.",
  verification_required: "The driver must take a selfie first.",
  offer_gone: "The offer is no longer open.",
  overlap: "The offer overlaps one of the driver's blocks.",
  weekly_limit: "The driver's weekly hours would be exceeded.",
  pay_changed: "The offer pays less than the least that was asked.",
  already_yours: "The offer is already this driver's block.",
  block_not_found: "The driver has no such block.",
  too_late: "It is too late for this.",
  too_early: "It is too early for this.",
  outside_geofence: "The position is outside the warehouse's geofence.",
  already_checked_in: "The driver has already checked in.",
  rate_limited: "Too many requests.",
  invalid_request: "The request is not understood.",
  internal: "Something went wrong.",
} as const;

export type ProblemCode = keyof typeof TITLES;
type Status = 400 | 401 | 403 | 404 | 409 | 410 | 423 | 429 | 500 | 502 | 503 | 504;

/** An error response, thrown as an exception. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly body: Record<string, unknown>;

  constructor(
    readonly status: Status,
    readonly code: ProblemCode,
    details: Record<string, unknown> = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(code);
    this.body = { type: "about:blank", status, code, title: TITLES[code], ...details };
  }

  toResponse(): Response {
    return new Response(JSON.stringify(this.body), {
      status: this.status,
      headers: { "content-type": "application/problem+json", ...this.headers },
    });
  }
}

/** Parses a request's JSON body. @throws {Refusal} invalid_request. */
export async function readBody<Shape extends z.ZodType>(c: Context, shape: Shape): Promise<z.infer<Shape>> {
  const text = await c.req.text();
  return parse(shape, text === "" ? {} : parseJson(text));
}

/** @throws {Refusal} invalid_request, with the first issue. */
export function parse<Shape extends z.ZodType>(shape: Shape, value: unknown): z.infer<Shape> {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refusal(400, "invalid_request", {
    detail: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, "invalid_request", { detail: "The body is not JSON." });
  }
}
