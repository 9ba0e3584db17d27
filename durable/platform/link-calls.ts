import type { DurationMs } from "../../db/shapes/units.ts";
import type {
  AnswerOtpResult,
  CreateSessionResult,
  EndSessionResult,
  ReadSessionResult,
  RefreshTokensResult,
  ResendOtpResult,
  PlatformSession,
} from "./results.ts";
import { isForeignText, type ReceivedResponse, type PlatformRequester } from "./request.ts";
import { read } from "./drift.ts";
import { sessionReading, tokensReading } from "./parse/link-session.ts";
import { asksForDriver, type PlatformProblem } from "./parse/problem.ts";

/** The calls tagged `link` in platform.openapi.yaml, which link an account. None of them throws. */
export type LinkCalls = {
  /** Starts linking. The password is sent in this one body and stored nowhere. */
  createSession(input: {
    email: string;
    password: string;
    device: { id: string; name: string };
  }): Promise<CreateSessionResult>;
  /** The session's present state. Only the first response with state `active` carries the tokens. */
  readSession(input: { sessionId: string }): Promise<ReadSessionResult>;
  /** Submits the one-time code, four to eight digits. */
  answerOtp(input: { sessionId: string; code: string }): Promise<AnswerOtpResult>;
  resendOtp(input: { sessionId: string }): Promise<ResendOtpResult>;
  /** Exchanges the refresh token for a new pair. If the response is lost, repeating it within 60 s returns the same pair. */
  refreshTokens(input: { refreshToken: string }): Promise<RefreshTokensResult>;
  /** Unlinks: revokes both tokens. */
  endSession(input: { accessToken: string }): Promise<EndSessionResult>;
};

/** The link calls, each limited to `timeoutMs`. */
export function createLinkCalls(request: PlatformRequester, timeoutMs: DurationMs): LinkCalls {
  const sessionPath = (sessionId: string) => `/v1/sessions/${encodeURIComponent(sessionId)}`;

  return {
    createSession: (input) =>
      request<CreateSessionResult>({
        call: "createSession",
        method: "POST",
        path: "/v1/sessions",
        body: input,
        timeoutMs,
        parse: parseSession,
        parseRefusal: (problem, status, lockedUntil) => {
          const { code } = problem;
          // A 401 that asks for the driver says nothing about the password.
          if (asksForDriver(problem, status)) return { kind: "verification_required", url: problem.url };
          if (status === 423 || code === "account_locked")
            return lockedUntil === null
              ? { kind: "account_locked" }
              : { kind: "account_locked", lockedUntil };
          if (status === 401 || code === "invalid_credentials") return { kind: "invalid_credentials" };
          return null;
        },
      }),

    readSession: ({ sessionId }) =>
      request<ReadSessionResult>({
        call: "readSession",
        method: "GET",
        path: sessionPath(sessionId),
        timeoutMs,
        parse: parseSession,
        parseRefusal: ({ code }, status) => {
          if (code === "approval_denied") return { kind: "approval_denied" };
          return isMissing(code, status) ? { kind: "session_not_found" } : null;
        },
      }),

    answerOtp: ({ sessionId, code }) =>
      request<AnswerOtpResult>({
        call: "answerOtp",
        method: "POST",
        path: `${sessionPath(sessionId)}/otp`,
        body: { code },
        timeoutMs,
        parse: parseSession,
        parseRefusal: (problem, status) => {
          if (problem.code === "otp_invalid")
            return { kind: "otp_invalid", attemptsLeft: problem.attemptsLeft };
          return parseSessionEnd(problem, status);
        },
      }),

    resendOtp: ({ sessionId }) =>
      request<ResendOtpResult>({
        call: "resendOtp",
        method: "POST",
        path: `${sessionPath(sessionId)}/otp/resend`,
        timeoutMs,
        parse: (received) => {
          if (isForeignText(received)) return null;
          if (received.status !== 202) received.note("status");
          return { kind: "sent" };
        },
        parseRefusal: parseSessionEnd,
      }),

    async refreshTokens({ refreshToken }) {
      const result = await request<RefreshTokensResult>({
        call: "refreshTokens",
        method: "POST",
        path: "/v1/token",
        body: { refreshToken },
        timeoutMs,
        parse: ({ json, note }) => {
          const tokens = read(tokensReading, json, note);
          return tokens ? { kind: "tokens", tokens } : null;
        },
        parseRefusal: ({ code }) => (code === "invalid_grant" ? { kind: "invalid_grant" } : null),
      });
      // Only `invalid_grant` means that the link is gone: any proxy on the way could answer 401 without it.
      return result.kind === "signed_out" ? { ...result, kind: "refused", status: 401 } : result;
    },

    endSession: ({ accessToken }) =>
      request<EndSessionResult>({
        call: "endSession",
        method: "DELETE",
        path: "/v1/sessions/current",
        accessToken,
        timeoutMs,
        parse: (received) => {
          if (isForeignText(received)) return null;
          if (received.status !== 204) received.note("status");
          return { kind: "ended" };
        },
      }),
  };
}

function parseSession({
  json,
  now,
  clockAheadMs,
  note,
}: ReceivedResponse): { kind: "session"; session: PlatformSession } | null {
  const session = read(sessionReading({ now, clockAheadMs }), json, note);
  return session ? { kind: "session", session } : null;
}

function parseSessionEnd(
  { code }: PlatformProblem,
  status: number,
): { kind: "approval_denied" } | { kind: "otp_expired" } | { kind: "session_not_found" } | null {
  if (code === "approval_denied") return { kind: "approval_denied" };
  if (status === 410 || code === "otp_expired") return { kind: "otp_expired" };
  return isMissing(code, status) ? { kind: "session_not_found" } : null;
}

function isMissing(code: string, status: number): boolean {
  return status === 404 || code === "session_not_found";
}
