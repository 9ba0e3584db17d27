import { createStore } from "@tanstack/react-store";

/** What somebody signs in with; the name only where they have just registered. */
export type Credentials = { phone: string; password: string; name: string | null };

/** What an earlier step leaves to say on the sign-in screen. */
export type SignInNotice = "automatic_sign_in_failed" | "password_changed";

/**
 * What one account screen hands to the next. In memory only; a password is in it only while the screen that
 * awaits the code of a new account is mounted.
 */
type AccountState = {
  /** As typed last: the next form that asks for it starts with it. */
  phone: string;
  /** So too. */
  name: string;
  /** Whose number still needs its code. */
  unconfirmed: Credentials | null;
  /** The number, in E.164, to which a code for a new password went. */
  resettingPhone: string | null;
  /** The last code sent: when (epoch ms), to which number, and how many in a row went there. */
  codeSent: { at: number; to: string; count: number } | null;
  notice: SignInNotice | null;
  /** True from the sign-in call until it is known where the driver goes. */
  isSigningIn: boolean;
};

export const accountStore = createStore<AccountState>({
  phone: "",
  name: "",
  unconfirmed: null,
  resettingPhone: null,
  codeSent: null,
  notice: null,
  isSigningIn: false,
});

export function updateAccount(change: Partial<AccountState>): void {
  accountStore.setState((state) => ({ ...state, ...change }));
}

/** Notes that a code was sent to a number. @param before how many at least were sent before, elsewhere perhaps */
export function noteCodeSent(to: string, before = 0): void {
  const { codeSent } = accountStore.get();
  const count = Math.max(before, codeSent?.to === to ? codeSent.count : 0) + 1;
  updateAccount({ codeSent: { at: Date.now(), to, count } });
}
