import type { DurationMs } from "../engine/units.ts";
import type {
  AnswerOtpAnswer,
  CreateSessionAnswer,
  EndAnswer,
  ReadSessionAnswer,
  RefreshAnswer,
  ResendAnswer,
  Session,
} from "./answers.ts";
import type { Arrived, Caller } from "./call.ts";
import { sessionJson, tokensJson, type Problem } from "./parse.ts";

/** Linking an account: the calls tagged `link` in platform.openapi.yaml. None of them throws. */
export type LinkCalls = {
  /** Starts linking. The password is in this one body and nowhere else. */
  createSession(input: {
    email: string;
    password: string;
    device: { id: string; name: string };
  }): Promise<CreateSessionAnswer>;
  /** How far it has come. The first answer that is `active` carries the tokens. */
  readSession(input: { sessionId: string }): Promise<ReadSessionAnswer>;
  /** Gives the one-time code, four to eight digits. */
  answerOtp(input: { sessionId: string; code: string }): Promise<AnswerOtpAnswer>;
  resendOtp(input: { sessionId: string }): Promise<ResendAnswer>;
  /** Trades the refresh token; a lost answer may be asked for once more within 60 s. */
  refreshTokens(input: { refreshToken: string }): Promise<RefreshAnswer>;
  /** Unlinks: both tokens die. */
  endSession(input: { accessToken: string }): Promise<EndAnswer>;
};

/** The calls of linking over a caller, each within `limitMs`. */
export function createLinkCalls(call: Caller, limitMs: DurationMs): LinkCalls {
  const session = (sessionId: string) => `/v1/sessions/${encodeURIComponent(sessionId)}`;

  return {
    createSession: (input) =>
      call<CreateSessionAnswer>({
        method: "POST",
        path: "/v1/sessions",
        body: input,
        limitMs,
        read: readSessionStep,
        refusal: ({ code }, status) => {
          if (status === 423 || code === "account_locked") return { kind: "account_locked" };
          if (status === 401 || code === "invalid_credentials") return { kind: "invalid_credentials" };
          return null;
        },
      }),

    readSession: ({ sessionId }) =>
      call<ReadSessionAnswer>({
        method: "GET",
        path: session(sessionId),
        limitMs,
        read: readSessionStep,
        refusal: ({ code }, status) => {
          if (code === "approval_denied") return { kind: "approval_denied" };
          return isMissing(code, status) ? { kind: "session_not_found" } : null;
        },
      }),

    answerOtp: ({ sessionId, code }) =>
      call<AnswerOtpAnswer>({
        method: "POST",
        path: `${session(sessionId)}/otp`,
        body: { code },
        limitMs,
        read: readSessionStep,
        refusal: (problem, status) => {
          if (problem.code === "otp_invalid")
            return { kind: "otp_invalid", attemptsLeft: problem.attemptsLeft };
          return lapsed(problem, status);
        },
      }),

    resendOtp: ({ sessionId }) =>
      call<ResendAnswer>({
        method: "POST",
        path: `${session(sessionId)}/otp/resend`,
        limitMs,
        read: ({ status }) => (status === 202 ? { kind: "sent" } : null),
        refusal: lapsed,
      }),

    async refreshTokens({ refreshToken }) {
      const answer = await call<RefreshAnswer>({
        method: "POST",
        path: "/v1/token",
        body: { refreshToken },
        limitMs,
        read: ({ json }) => {
          const tokens = tokensJson.safeParse(json);
          return tokens.success ? { kind: "tokens", tokens: tokens.data } : null;
        },
        refusal: ({ code }) => (code === "invalid_grant" ? { kind: "invalid_grant" } : null),
      });
      // Only `invalid_grant` ends a linking: a 401 without it may come from any door on the way.
      return answer.kind === "signed_out" ? { kind: "refused", status: 401 } : answer;
    },

    endSession: ({ accessToken }) =>
      call<EndAnswer>({
        method: "DELETE",
        path: "/v1/sessions/current",
        accessToken,
        limitMs,
        read: ({ status }) => (status === 204 ? { kind: "ended" } : null),
      }),
  };
}

function readSessionStep({ json }: Arrived): { kind: "session"; session: Session } | null {
  const { data } = sessionJson.safeParse(json);
  return data ? { kind: "session", session: data } : null;
}

function lapsed(
  { code }: Problem,
  status: number,
): { kind: "approval_denied" } | { kind: "otp_expired" } | { kind: "session_not_found" } | null {
  if (code === "approval_denied") return { kind: "approval_denied" };
  if (status === 410 || code === "otp_expired") return { kind: "otp_expired" };
  return isMissing(code, status) ? { kind: "session_not_found" } : null;
}

function isMissing(code: string, status: number): boolean {
  return status === 404 || code === "session_not_found";
}
