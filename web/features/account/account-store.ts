import { createStore, useSelector } from "@tanstack/react-store";
import * as z from "zod/mini";
import { epochMs, HOUR_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { createStored } from "../../api/cache/storage.ts";
import { useIsHydrated } from "../../early/use-is-hydrated.ts";
import { serverNow } from "../../early/server-clock.ts";

/** The sign-in identity; the name only if they have just registered. */
export type Credentials = { phone: string; password: string; name: string | null };

/** The driver whose number still needs its code. The password is null once the screen was left or loaded again. */
export type Unconfirmed = Omit<Credentials, "password"> & { password: string | null };

/** An earlier step's message for the sign-in screen. */
export type SignInNotice = "automatic_sign_in_failed" | "password_changed";

/**
 * The state that one account screen hands to the next. The tab keeps it, since a phone may drop the page while its driver
 * reads the code in another app; a password is never stored, and is in it only while the screen that awaits the code of a
 * new account is mounted.
 */
type AccountState = {
  /** As typed last: the next form that asks for it starts with it. */
  phone: string;
  /** So too. */
  name: string;
  unconfirmed: Unconfirmed | null;
  /** The number, in E.164, to which a code for a new password went. */
  resettingPhone: string | null;
  /** Where the sign-in screen was asked from, and where its driver goes after a new password; undefined for the next step. */
  back: string | undefined;
  /** The last code sent: when (epoch ms), to which number, how many went there since which instant. */
  codeSent: { at: EpochMs; to: string; count: number; since: EpochMs } | null;
  notice: SignInNotice | null;
  /** True from the sign-in call until it is known where the driver goes. */
  isSigningIn: boolean;
};

export const storedAccount = {
  key: "jornada.account",
  shape: z.object({
    phone: z.string(),
    name: z.string(),
    unconfirmed: z.nullable(z.object({ phone: z.string(), name: z.nullable(z.string()) })),
    resettingPhone: z.nullable(z.string()),
    // Not in what older versions kept.
    back: z.optional(z.string()),
    codeSent: z.nullable(z.object({ at: epochMs, to: z.string(), count: z.int(), since: epochMs })),
  }),
  upcasts: [unchanged],
};
const inTab = createStored({ area: () => sessionStorage, ...storedAccount });

const EMPTY = {
  phone: "",
  name: "",
  unconfirmed: null,
  resettingPhone: null,
  back: undefined,
  codeSent: null,
};
const NOTHING_KEPT: AccountState = { ...EMPTY, notice: null, isSigningIn: false };

export const accountStore = createStore<AccountState>(loadAccount());

/** The state from earlier screens. A form that was rendered at build time begins without it. */
export function useKeptAccount(): AccountState {
  const isHydrated = useIsHydrated();
  const kept = useSelector(accountStore);
  return isHydrated ? kept : NOTHING_KEPT;
}

/** As the tab kept it, without any password. */
export function loadAccount(): AccountState {
  const kept = inTab.load() ?? EMPTY;
  const unconfirmed = kept.unconfirmed && { ...kept.unconfirmed, password: null };
  return { ...NOTHING_KEPT, ...kept, unconfirmed };
}

export function updateAccount(change: Partial<AccountState>): void {
  accountStore.setState((state) => ({ ...state, ...change }));
  const { phone, name, unconfirmed, resettingPhone, back, codeSent } = accountStore.get();
  const kept = {
    phone,
    name,
    unconfirmed: unconfirmed && { phone: unconfirmed.phone, name: unconfirmed.name },
    resettingPhone,
    back,
    codeSent,
  };
  // Nothing is left behind by somebody who has signed in.
  if (phone === "" && name === "" && !unconfirmed && resettingPhone === null) inTab.remove();
  else inTab.save(kept);
}

/** Forgets the password of a new account, whose code is still awaited. */
export function forgetPassword(): void {
  const { unconfirmed } = accountStore.get();
  updateAccount({ unconfirmed: unconfirmed && { ...unconfirmed, password: null } });
}

/** Notes that a code was sent to a number. @param before how many at least were sent before, elsewhere perhaps */
export function noteCodeSent(to: string, before = 0): void {
  const at = serverNow();
  const { codeSent } = accountStore.get();
  const known = codeSent?.to === to && at - codeSent.since < HOUR_MS ? codeSent : null;
  const count = Math.max(before, known?.count ?? 0) + 1;
  updateAccount({ codeSent: { at, to, count, since: known?.since ?? at } });
}

const RESEND_AFTER_MS = 30_000;
/** As many as the server sends in an hour, and of these without a wait between them. */
const SENDS_AN_HOUR = 4;
const PROMPT_SENDS = 2;

/** From when on the server sends another code to a number; 0 where it does so at once. */
export function nextCodeAt({ codeSent }: Pick<AccountState, "codeSent">, to: string): EpochMs {
  if (codeSent?.to !== to || codeSent.count < PROMPT_SENDS) return 0;
  return codeSent.count < SENDS_AN_HOUR ? codeSent.at + RESEND_AFTER_MS : codeSent.since + HOUR_MS;
}
