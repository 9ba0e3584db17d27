import { queryOptions } from "@tanstack/react-query";
import { createStore } from "@tanstack/react-store";
import { setupResponse, type SetupResponse } from "../../db/shapes/linking.ts";
import type { SetupLogin } from "../../worker/contract/setup.ts";
import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";
import { parseResponse, api } from "./client.ts";
import { ApiError, errorCodeOf } from "./api-error.ts";
import { sendSealed } from "./seal.ts";

/** Why a linking that was under way is over. */
export type LinkingEndReason = "link_denied" | "link_expired" | "code_spent";

/** What the page knows of a linking beyond the server's word; it outlives a change of screen and of language. */
type LinkingState = {
  /** As typed; null until something was. */
  email: string | null;
  endReason: LinkingEndReason | null;
  /** The driver wants the first step, though a linking is under way. */
  isRestarting: boolean;
  /** No sooner than this, in epoch ms, the platform takes another sign-in or code, and sends another code. */
  retryAt: EpochMs;
  resendAt: EpochMs;
};

export const linkingStore = createStore<LinkingState>({
  email: null,
  endReason: null,
  isRestarting: false,
  retryAt: 0,
  resendAt: 0,
});

export function updateLinking(change: Partial<LinkingState>): void {
  linkingStore.setState((state) => ({ ...state, ...change }));
}

/** How far linking has come. One that was denied or took too long is back at its first step, and why is kept. */
export const setupQuery = queryOptions({
  queryKey: ["setup"],
  queryFn: async (): Promise<SetupResponse> => {
    try {
      return await parseResponse(setupResponse, await api.flex.v1.setup.$get());
    } catch (error) {
      const endReason = linkingEndReason(error);
      if (!endReason) throw error;
      updateLinking({ endReason: linkingStore.get().endReason ?? endReason, isRestarting: false });
      return { step: "credentials" };
    }
  },
  // The step before has just told: its answer is not asked for again on the way to the next screen.
  staleTime: 1_000,
  retry: (failures, error) => failures < 2 && error instanceof ApiError && error.status === 0,
  refetchInterval: ({ state }) =>
    setupRefetchMs({ step: state.data?.step, polls: state.dataUpdateCount, error: state.error }),
});

const FAST_POLLS = 20;
const FAST_POLL_MS = 2_000;
const NORMAL_POLL_MS = 5_000;
const SLOW_POLL_MS = 15_000;

/** How long until the server is asked again; false where nothing can change by itself. Each look costs the platform a call. */
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

/** What `Retry-After` asks for; 0 where nothing was. */
export function retryAfterMs(error: unknown): DurationMs {
  return error instanceof ApiError && error.retryAfter !== null ? error.retryAfter * 1000 : 0;
}

/** Whether a failure says that the linking under way is over. */
export function linkingEndReason(error: unknown): LinkingEndReason | null {
  if (error instanceof ApiError && error.attemptsLeft === 0) return "code_spent";
  const code = errorCodeOf(error);
  return code === "link_denied" || code === "link_expired" ? code : null;
}

/** POST /flex/v1/setup/login, sealed. */
export async function submitCredentials(body: SetupLogin): Promise<SetupResponse> {
  return parseResponse(setupResponse, await sendSealed("POST", "/flex/v1/setup/login", body));
}

/** POST /flex/v1/setup/otp, sealed. */
export async function submitLinkingCode(code: string): Promise<SetupResponse> {
  return parseResponse(setupResponse, await sendSealed("POST", "/flex/v1/setup/otp", { code }));
}

/** POST /flex/v1/setup/otp/resend. */
export async function resendLinkingCode(): Promise<SetupResponse> {
  return parseResponse(setupResponse, await api.flex.v1.setup.otp.resend.$post());
}
