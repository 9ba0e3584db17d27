import { queryOptions } from "@tanstack/react-query";
import { createStore } from "@tanstack/react-store";
import * as z from "zod/mini";
import { setupResponse, type SetupResponse } from "../../../db/shapes/work/linking.ts";
import type { SetupLogin } from "../../../worker/contract/work/setup.ts";
import { epochMs, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { api } from "../client/client.ts";
import { RequestError, errorCodeOf } from "../client/request-error.ts";
import { parseResponse } from "../client/request.ts";
import { onSignedOut } from "../session/session.ts";
import { createStored } from "../cache/storage.ts";

/** Why a linking in progress ended. */
export type LinkingEndReason = (typeof END_CODES)[number] | "code_attempts_exhausted";

const END_CODES = ["link_denied", "link_expired", "link_account_taken"] as const;

/**
 * The page's own state of a linking in progress. It outlives a change of screen and of language; the tab keeps the input,
 * except the password, and the time when the platform accepts another try.
 */
type LinkingState = {
  /** As typed; null until then. */
  email: string | null;
  endReason: LinkingEndReason | null;
  /** The driver went back to the first step while a linking is in progress. */
  isRestarting: boolean;
  /**
   * The earliest instants at which the platform accepts another sign-in or code (`retryAt`) and sends another code
   * (`resendAt`).
   */
  retryAt: EpochMs;
  resendAt: EpochMs;
};

export const storedLinking = {
  key: "jornada.linking",
  shape: z.object({ email: z.nullable(z.string()), retryAt: epochMs, resendAt: epochMs }),
  upcasts: [unchanged],
};
const inTab = createStored({ area: () => sessionStorage, ...storedLinking });

const EMPTY: LinkingState = { email: null, endReason: null, isRestarting: false, retryAt: 0, resendAt: 0 };

export const linkingStore = createStore<LinkingState>({ ...EMPTY, ...inTab.load() });

export function updateLinking(change: Partial<LinkingState>): void {
  linkingStore.setState((state) => ({ ...state, ...change }));
  const { email, retryAt, resendAt } = linkingStore.get();
  inTab.save({ email, retryAt, resendAt });
}

onSignedOut(() => {
  linkingStore.setState(() => EMPTY);
  inTab.remove();
});

/** The status of the linking. After a refusal or a timeout it is back at the first step, and the reason is kept. */
export const setupQuery = queryOptions({
  queryKey: ["setup"],
  queryFn: async (): Promise<SetupResponse> => {
    try {
      return await parseResponse(setupResponse, await api.flex.v1.setup.$get());
    } catch (error) {
      const endReason = linkingEndReason(error);
      if (!endReason) throw error;
      updateLinking({ endReason: linkingStore.get().endReason ?? endReason });
      return { step: "credentials" };
    }
  },
  // The step before returned it a moment ago: the next screen needn't fetch it again.
  staleTime: 1_000,
  retry: (failures, error) => failures < 2 && error instanceof RequestError && error.status === 0,
  refetchInterval: ({ state }) =>
    setupRefetchMs({ step: state.data?.step, polls: state.dataUpdateCount, error: state.error }),
});

const FAST_POLLS = 20;
const FAST_POLL_MS = 2_000;
const NORMAL_POLL_MS = 5_000;
const SLOW_POLL_MS = 15_000;

/** The time until the next poll; false if nothing can change without the driver. Each poll costs a call to the platform. */
export function setupRefetchMs({
  step,
  polls,
  error,
}: {
  step: SetupResponse["step"] | undefined;
  polls: number;
  error: unknown;
}): DurationMs | false {
  if (step === undefined || step === "credentials" || step === "linked") return false;
  if (error) return Math.max(SLOW_POLL_MS, retryAfterMs(error));
  if (step === "otp") return SLOW_POLL_MS;
  return polls < FAST_POLLS ? FAST_POLL_MS : NORMAL_POLL_MS;
}

/** The wait in `Retry-After`; 0 if it wasn't sent. */
export function retryAfterMs(error: unknown): DurationMs {
  return error instanceof RequestError && error.retryAfter !== null ? error.retryAfter * 1000 : 0;
}

/** Why an error ends the linking in progress; null if it doesn't. */
export function linkingEndReason(error: unknown): LinkingEndReason | null {
  if (error instanceof RequestError && error.attemptsLeft === 0) return "code_attempts_exhausted";
  const code = errorCodeOf(error);
  return END_CODES.find((end) => end === code) ?? null;
}

/** POST /flex/v1/setup/login. */
export async function submitCredentials(credentials: SetupLogin): Promise<SetupResponse> {
  return parseResponse(setupResponse, await api.flex.v1.setup.login.$post({ json: credentials }));
}

/** POST /flex/v1/setup/otp. */
export async function submitLinkingCode(code: string): Promise<SetupResponse> {
  return parseResponse(setupResponse, await api.flex.v1.setup.otp.$post({ json: { code } }));
}

/** POST /flex/v1/setup/otp/resend. */
export async function resendLinkingCode(): Promise<SetupResponse> {
  return parseResponse(setupResponse, await api.flex.v1.setup.otp.resend.$post());
}
