import { useQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import type { User } from "../../../worker/contract/user.ts";
import { refusal, type AuthError } from "../../api/auth-error.ts";
import { codeOf } from "../../api/problem.ts";
import { configQuery, statusQuery, userQuery } from "../../api/queries.ts";
import { sessionStore, type AuthUser } from "../../api/session.ts";

/** Who is here: as the user pool knows them, and as the product does. */
export type AuthState = {
  authUser: AuthUser | null;
  user: User | null;
  /** Both are known. Somebody signed in without a record is not. */
  isAuthenticated: boolean;
  /** From the start of the page until it is known. */
  isLoading: boolean;
  /** `UserNotFetched` or `StatusNotFetched`; that there is no record is no error. */
  error: AuthError | null;
};

/** How far a question to the server has come. */
type Asked<Data> = { data: Data | undefined; error: Error | null };

/** The state follows from the stored session and from what the server has said so far; it is kept nowhere. */
export function deriveAuthState({
  session,
  start,
  record,
}: {
  session: AuthUser | null | undefined;
  /** Of the calls without which nothing starts, the failures. */
  start: { config: Error | null; status: Error | null };
  record: Asked<User>;
}): AuthState {
  const authUser = session ?? null;
  const code = record.error && codeOf(record.error);
  // A lost connection is no answer: what was known before stays, and the screens say that it is old.
  const isKept = code === null || code === "network";
  const user = authUser?.phoneNumber && isKept ? (record.data ?? null) : null;
  const isUserFailed = Boolean(authUser && !user && code && code !== "not_found");
  const isStartFailed = Boolean(start.status) || (Boolean(start.config) && session === undefined);
  const error = isUserFailed ? refusal("UserNotFetched") : isStartFailed ? refusal("StatusNotFetched") : null;
  const isAsking = Boolean(authUser?.phoneNumber) && !user && !record.error;
  return {
    authUser,
    user,
    isAuthenticated: Boolean(authUser && user),
    isLoading: (session === undefined && !start.config) || isAsking,
    error,
  };
}

/** The state as it stands, and what asks again for whatever failed. */
export function useAuthState(): AuthState & { retry: () => void } {
  const session = useSelector(sessionStore);
  const config = useQuery(configQuery);
  const status = useQuery(statusQuery);
  const record = useQuery({ ...userQuery, enabled: Boolean(session?.phoneNumber) });
  const state = deriveAuthState({
    session,
    start: { config: config.error, status: status.error },
    record: { data: record.data, error: record.error },
  });
  const retry = () => {
    for (const asked of [config, status, record]) if (asked.isError) void asked.refetch();
  };
  return { ...state, retry };
}
