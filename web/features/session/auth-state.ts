import { useQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import type { User } from "../../../worker/contract/account/user.ts";
import { localAuthError, type AuthError } from "../../api/session/auth-error.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { configQuery, statusQuery, userQuery } from "../../api/queries/user.ts";
import { sessionStore, type AuthUser } from "../../api/session/session.ts";

/** The signed-in driver: the user pool's account and the product's record. */
export type AuthState = {
  authUser: AuthUser | null;
  user: User | null;
  /** True only when both exist. */
  isAuthenticated: boolean;
  /** True from the page's start until both are known. */
  isLoading: boolean;
  /** `UserNotFetched` or `StatusNotFetched`. A missing record is not an error. */
  error: AuthError | null;
};

/** The server can't be reached for now. */
const AWAY_CODES: readonly ReturnType<typeof errorCodeOf>[] = ["network", "maintenance"];

/** The query for the driver's record: `data` is undefined until loaded, and null if there is none. */
type RecordQuery = { data: User | null | undefined; error: Error | null; isFetching: boolean };

/** Derived from the stored session and the queries; there is no other copy of it. */
export function deriveAuthState({
  session,
  start,
  record,
}: {
  session: AuthUser | null | undefined;
  /** Errors of the calls that the page needs to start. */
  start: { config: Error | null; status: Error | null };
  record: RecordQuery;
}): AuthState {
  const authUser = session ?? null;
  // Neither a lost connection nor maintenance signs anybody out: the known record stays, and the screens say that it is old.
  const isOfflineData =
    record.data !== undefined && record.error !== null && AWAY_CODES.includes(errorCodeOf(record.error));
  const isFailed = Boolean(authUser?.phoneNumber && record.error && !isOfflineData);
  const user = authUser?.phoneNumber && !isFailed ? (record.data ?? null) : null;
  const isStartFailed = Boolean(start.status) || (Boolean(start.config) && session === undefined);
  const isLoadingRecord = isFailed ? record.isFetching : record.data === undefined;
  return {
    authUser,
    user,
    isAuthenticated: Boolean(authUser && user),
    isLoading: authUser?.phoneNumber ? isLoadingRecord : session === undefined && !start.config,
    error: isFailed
      ? localAuthError("UserNotFetched")
      : isStartFailed
        ? localAuthError("StatusNotFetched")
        : null,
  };
}

/** The panel that shows an error must not begin anew what has just failed: its button does. */
const AS_IT_FAILED = { retryOnMount: false };

/** The current auth state; keeps the record fresh while it is used. */
export function useAuthState(): AuthState {
  const session = useSelector(sessionStore);
  const start = {
    config: useQuery({ ...configQuery, ...AS_IT_FAILED }).error,
    status: useQuery({ ...statusQuery, ...AS_IT_FAILED }).error,
  };
  const isKnown = Boolean(session?.phoneNumber);
  const { data, error, isFetching } = useQuery({ ...userQuery, ...AS_IT_FAILED, enabled: isKnown });
  return deriveAuthState({ session, start, record: { data, error, isFetching } });
}
