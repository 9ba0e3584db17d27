import { digest } from "../chance.ts";
import { Refusal } from "../problem.ts";
import { deliver } from "../inbox.ts";
import type { Driver, EpochMs, Session, State } from "../state.ts";
import { regionIdOf } from "./cities.ts";
import { issueTokens } from "./tokens.ts";

const MINUTE = 60_000;
const STEP_LASTS_MS = 10 * MINUTE;
const RESEND_AFTER_MS = 30_000;
const KEPT_MS = 24 * 60 * MINUTE;
const TRIES = 5;
const LOCK_MS = 15 * MINUTE;

/** Any e-mail with a password other than "wrong" is an account. */
export function createSession(
  state: State,
  given: { email: string; password: string; device: { id: string; name: string } },
  now: EpochMs,
) {
  const email = given.email.toLowerCase();
  const account = state.accounts.get(email) ?? { email, failures: 0, lockedUntil: 0 };
  if (account.lockedUntil > now) throw locked(account.lockedUntil - now);
  if (given.password === "wrong") {
    const failures = account.failures + 1;
    const isLocked = failures >= TRIES;
    state.accounts.set(email, {
      email,
      failures: isLocked ? 0 : failures,
      lockedUntil: isLocked ? now + LOCK_MS : 0,
    });
    throw isLocked ? locked(LOCK_MS) : new Refusal(401, "invalid_credentials");
  }
  state.accounts.set(email, { email, failures: 0, lockedUntil: 0 });
  const session: Session = {
    sessionId: crypto.randomUUID(),
    email,
    device: { id: given.device.id, name: given.device.name },
    step: "otp",
    ...channelOf(email),
    code: randomCode(),
    sentAt: now,
    attemptsLeft: TRIES,
    answeredAt: null,
    lapsesAt: now + STEP_LASTS_MS,
    tokensGiven: false,
  };
  state.sessions.set(session.sessionId, session);
  sendCode(state, session, now);
  return sessionView(session, now);
}

function locked(waitMs: number): Refusal {
  return new Refusal(423, "account_locked", {}, { "retry-after": String(Math.ceil(waitMs / 1000)) });
}

/** Only the first response with state `active` carries the tokens. */
export function readSession(state: State, sessionId: string, now: EpochMs) {
  const session = settle(state, findSession(state, sessionId, now), now);
  if (session.step !== "active" || session.tokensGiven) return sessionView(session, now);
  state.sessions.set(sessionId, { ...session, tokensGiven: true });
  const tokens = issueTokens(state, { driverId: driverIdOf(session.email), family: sessionId }, now);
  return { ...sessionView(session, now), tokens };
}

export function answerOtp(state: State, sessionId: string, code: string, now: EpochMs) {
  const session = findSession(state, sessionId, now);
  if (session.step === "denied") throw new Refusal(410, "approval_denied");
  if (isLapsed(session, now)) throw new Refusal(410, "otp_expired");
  if (session.code !== code) {
    if (session.step !== "otp") throw new Refusal(404, "session_not_found");
    const attemptsLeft = session.attemptsLeft - 1;
    const spent = attemptsLeft === 0;
    state.sessions.set(sessionId, { ...session, attemptsLeft, lapsesAt: spent ? now : session.lapsesAt });
    if (spent)
      state.accounts.set(session.email, { email: session.email, failures: 0, lockedUntil: now + LOCK_MS });
    throw new Refusal(400, "otp_invalid", { attemptsLeft });
  }
  if (session.step === "otp") {
    state.sessions.set(sessionId, {
      ...session,
      step: "approval",
      answeredAt: now,
      lapsesAt: now + STEP_LASTS_MS,
    });
  }
  return readSession(state, sessionId, now);
}

export function resendOtp(state: State, sessionId: string, now: EpochMs): void {
  const session = findSession(state, sessionId, now);
  if (session.step !== "otp" || isLapsed(session, now)) throw new Refusal(404, "session_not_found");
  const wait = session.sentAt + RESEND_AFTER_MS - now;
  if (wait > 0) throw new Refusal(429, "rate_limited", {}, { "retry-after": String(Math.ceil(wait / 1000)) });
  const renewed = { ...session, code: randomCode(), sentAt: now, lapsesAt: now + STEP_LASTS_MS };
  state.sessions.set(sessionId, renewed);
  sendCode(state, renewed, now);
}

/** The driver's decision on their device. */
export function decideDevice(state: State, sessionId: string, approves: boolean, now: EpochMs) {
  const session = findSession(state, sessionId, now);
  if (session.step !== "approval" || isLapsed(session, now)) throw new Refusal(404, "session_not_found");
  const decided = approves ? activate(state, session, now) : { ...session, step: "denied" as const };
  state.sessions.set(sessionId, decided);
  return sessionView(decided, now);
}

export function sessionView(session: Session, now: EpochMs) {
  return {
    sessionId: session.sessionId,
    state: stateOf(session, now),
    expiresAt: new Date(session.lapsesAt).toISOString(),
    ...(session.step === "otp" ? { otp: session.otp } : {}),
  };
}

function stateOf(session: Session, now: EpochMs) {
  if (session.step === "active" || session.step === "denied") return session.step;
  if (isLapsed(session, now)) return "expired";
  return session.step === "otp" ? "otp_required" : "approval_required";
}

function isLapsed(session: Session, now: EpochMs): boolean {
  return session.step !== "active" && session.lapsesAt <= now;
}

function findSession(state: State, sessionId: string, now: EpochMs): Session {
  const session = state.sessions.get(sessionId);
  if (!session || session.lapsesAt + KEPT_MS <= now) throw new Refusal(404, "session_not_found");
  return session;
}

/** Approves automatically if the settings say so. */
function settle(state: State, session: Session, now: EpochMs): Session {
  const { autoApproveMs } = state.settings.get();
  const due =
    autoApproveMs !== null && session.answeredAt !== null && now - session.answeredAt >= autoApproveMs;
  return due && session.step === "approval" && !isLapsed(session, now)
    ? activate(state, session, now)
    : session;
}

function activate(state: State, session: Session, now: EpochMs): Session {
  const driverId = driverIdOf(session.email);
  if (!state.drivers.get(driverId)) {
    const driver: Driver = {
      driverId,
      email: session.email,
      regionId: regionIdOf(session.email),
      selfieSecret: state.settings.get().selfie.required ? crypto.randomUUID() : null,
    };
    state.drivers.set(driverId, driver);
  }
  return { ...session, step: "active", lapsesAt: now + KEPT_MS };
}

function driverIdOf(email: string): string {
  return `drv_${digest(email)}`;
}

function randomCode(): string {
  const [word = 0] = crypto.getRandomValues(new Uint32Array(1));
  return String(word % 1_000_000).padStart(6, "0");
}

/** By e-mail, or by text to a fictional number for an address like driver+sms@example.com. */
function channelOf(email: string): Pick<Session, "otp" | "recipient"> {
  if (/\+sms\b/.test(email)) {
    const last = (Number.parseInt(digest(email).slice(0, 8), 16) % 10_000).toString().padStart(4, "0");
    return { recipient: `+1555010${last}`, otp: { channel: "sms", destination: `*** *** ${last}` } };
  }
  const domain = email.slice(email.lastIndexOf("@") + 1);
  const destination = `${email.slice(0, 1)}***@${domain.slice(0, 1)}***`;
  return { recipient: email, otp: { channel: "email", destination } };
}

function sendCode(state: State, session: Session, now: EpochMs): void {
  const body = `Your delivery platform code is ${session.code}. It is good for 10 minutes.`;
  deliver(state, { to: session.recipient, from: "platform", body }, now);
}
