import { Refusal } from "../problem.ts";
import type { Driver, EpochMs, State, Tokens } from "../state.ts";

/** How long an exchanged refresh token returns the same pair once more, in case the response was lost. */
const GRACE_MS = 60_000;

export function issueTokens(state: State, to: { driverId: string; family: string }, now: EpochMs): Tokens {
  const expiresIn = state.settings.get().accessTokenSeconds;
  const accessToken = `at_${crypto.randomUUID()}`;
  const refreshToken = `rt_${crypto.randomUUID()}`;
  state.access.set(accessToken, { token: accessToken, ...to, expiresAt: now + expiresIn * 1000 });
  state.refresh.set(refreshToken, { token: refreshToken, ...to, traded: null });
  return { accessToken, refreshToken, expiresIn };
}

/** @throws {Refusal} invalid_token. */
export function authenticate(
  state: State,
  header: string | undefined,
  now: EpochMs,
): Driver & { family: string } {
  const token = /^Bearer (\S+)$/i.exec(header ?? "")?.[1] ?? "";
  const access = state.access.get(token);
  const driver = access && state.drivers.get(access.driverId);
  if (!access || !driver || access.expiresAt <= now) {
    throw new Refusal(401, "invalid_token", {}, { "www-authenticate": 'Bearer error="invalid_token"' });
  }
  return { ...driver, family: access.family };
}

/** @throws {Refusal} invalid_grant. */
export function refreshTokens(state: State, token: string, now: EpochMs): Tokens {
  const refresh = state.refresh.get(token);
  if (!refresh) throw new Refusal(401, "invalid_grant");
  const { driverId, family, traded } = refresh;
  if (!traded) {
    const pair = issueTokens(state, { driverId, family }, now);
    state.refresh.set(token, { ...refresh, traded: { at: now, pair, repeated: false } });
    return pair;
  }
  if (traded.repeated || now - traded.at > GRACE_MS) throw new Refusal(401, "invalid_grant");
  state.refresh.set(token, { ...refresh, traded: { ...traded, repeated: true } });
  return traded.pair;
}

/** Revokes every token that `matches`. */
export function revokeTokens(
  state: State,
  matches: (holder: { driverId: string; family: string }) => boolean,
): void {
  for (const table of [state.access, state.refresh]) {
    for (const row of table.values()) if (matches(row)) table.delete(row.token);
  }
}
