import { useQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import type { User } from "../../../worker/contract/user.ts";
import { localAuthError, type AuthError } from "../../api/auth-error.ts";
import { errorCodeOf } from "../../api/api-error.ts";
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

/** What is known of the driver's record: `data` is undefined until it is, and null where there is none. */
type RecordQuery = { data: User | null | undefined; error: Error | null; isFetching: boolean };

/** The state follows from the stored session and from what the server has said so far; it is kept nowhere. */
export function deriveAuthState({
  session,
  start,
  record,
}: {
  session: AuthUser | null | undefined;
  /** What failed of the calls without which nothing starts. */
  start: { config: Error | null; status: Error | null };
  record: RecordQuery;
}): AuthState {
  const authUser = session ?? null;
  // A lost connection is no answer: what was known before stays, and the screens say that it is old.
  const isOfflineData =
    record.data !== undefined && record.error !== null && errorCodeOf(record.error) === "network";
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

/** The state now, and from then on. */
export function useAuthState(): AuthState {
  const session = useSelector(sessionStore);
  const start = { config: useQuery(configQuery).error, status: useQuery(statusQuery).error };
  const { data, error, isFetching } = useQuery({ ...userQuery, enabled: Boolean(session?.phoneNumber) });
  return deriveAuthState({ session, start, record: { data, error, isFetching } });
}
