import { expect, it } from "vitest";
import { RequestError } from "../../../web/api/client/request-error.ts";
import { deriveAuthState } from "../../../web/features/session/auth-state.ts";
import type { AuthUser } from "../../../web/api/session/session.ts";
import { RECORD as user } from "../../support/driver-record.ts";

const authUser: AuthUser = {
  username: "0f8fad5b",
  phoneNumber: "+15550100144",
  phoneNumberVerified: true,
  accessToken: "access",
  idToken: "id",
  idTokenExp: 1,
  refreshToken: "refresh",
};
const down = new RequestError(503, "internal");
const lost = new RequestError(0, "network");
const closed = new RequestError(503, "maintenance");

const NOBODY = { authUser: null, user: null, isAuthenticated: false, isLoading: false, error: null };
const NO_USER = "Failed to fetch user data";
const NO_STATUS = "Failed to fetch status";

type Given = Parameters<typeof deriveAuthState>[0];
type Case = {
  session: Given["session"];
  start?: Partial<Given["start"]>;
  record?: Partial<Given["record"]>;
};

it.each<[string, Case, object]>([
  ["at the start", { session: undefined }, { isLoading: true }],
  ["of a visitor", { session: null }, {}],
  ["of one whose record is on its way", { session: authUser }, { authUser, isLoading: true }],
  ["of a driver", { session: authUser, record: { data: user } }, { authUser, user, isAuthenticated: true }],
  ["of one without a record, which is no error", { session: authUser, record: { data: null } }, { authUser }],
  [
    "of one without a number, who has no record",
    { session: { ...authUser, phoneNumber: null } },
    { authUser: { ...authUser, phoneNumber: null } },
  ],
  [
    "where the record could not be fetched",
    { session: authUser, record: { error: down } },
    { authUser, error: NO_USER },
  ],
  [
    "where a record that was known can't be fetched any more",
    { session: authUser, record: { data: user, error: down } },
    { authUser, error: NO_USER },
  ],
  [
    "where a record that could not be fetched is asked for again",
    { session: authUser, record: { error: down, isFetching: true } },
    { authUser, isLoading: true, error: NO_USER },
  ],
  [
    "of one without a record while it is looked for again",
    { session: authUser, record: { data: null, isFetching: true } },
    { authUser },
  ],
  [
    "where only the connection was lost, which keeps what was known",
    { session: authUser, record: { data: user, error: lost } },
    { authUser, user, isAuthenticated: true },
  ],
  [
    "during maintenance, which keeps what was known",
    { session: authUser, record: { data: user, error: closed } },
    { authUser, user, isAuthenticated: true },
  ],
  [
    "where the connection was lost before anything was known",
    { session: authUser, record: { error: lost } },
    { authUser, error: NO_USER },
  ],
  ["of a record that stayed after its driver signed out", { session: null, record: { data: user } }, {}],
  ["where the start failed", { session: undefined, start: { config: lost } }, { error: NO_STATUS }],
  ["where the status failed", { session: null, start: { status: down } }, { error: NO_STATUS }],
  [
    "where the status failed and the driver is known all the same",
    { session: authUser, start: { status: down }, record: { data: user } },
    { authUser, user, isAuthenticated: true, error: NO_STATUS },
  ],
  [
    "where the deployment was known before it could not be asked again",
    { session: authUser, start: { config: lost }, record: { data: user } },
    { authUser, user, isAuthenticated: true },
  ],
])("is told %s", (_when, { session, start, record }, expected) => {
  const state = deriveAuthState({
    session,
    start: { config: null, status: null, ...start },
    record: { data: undefined, error: null, isFetching: false, ...record },
  });
  expect({ ...state, error: state.error?.message ?? null }).toEqual({ ...NOBODY, ...expected });
});
