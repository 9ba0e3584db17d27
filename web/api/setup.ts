import { queryOptions } from "@tanstack/react-query";
import { createStore } from "@tanstack/react-store";
import { setupAnswer, type SetupAnswer, type SetupLogin } from "../../worker/contract/setup.ts";
import type { DurationMs, EpochMs } from "../../durable/engine/units.ts";
import { answer, api } from "./client.ts";
import { ApiError, codeOf } from "./problem.ts";
import { sendSealed } from "./seal.ts";

/** Why a linking that was under way is over. */
export type LinkingEnd = "link_denied" | "link_expired" | "code_spent";

/** What the page knows of a linking beyond the server's word; it outlives a change of screen and of language. */
type LinkingState = {
  /** As typed; null until something was. */
  email: string | null;
  ended: LinkingEnd | null;
  /** The driver wants the first step, though a linking is under way. */
  isAnew: boolean;
  /** No sooner than this, in epoch ms, the platform takes another sign-in or code, and sends another code. */
  tryAt: EpochMs;
  resendAt: EpochMs;
};

export const linkingStore = createStore<LinkingState>({
  email: null,
  ended: null,
  isAnew: false,
  tryAt: 0,
  resendAt: 0,
});

export function changeLinking(change: Partial<LinkingState>): void {
  linkingStore.setState((state) => ({ ...state, ...change }));
}

/** How far linking has come. One that was denied or took too long is back at its first step, and why is kept. */
export const setupQuery = queryOptions({
  queryKey: ["setup"],
  queryFn: async (): Promise<SetupAnswer> => {
    try {
      return await answer(setupAnswer, await api.flex.v1.setup.$get());
    } catch (error) {
      const ended = endOf(error);
      if (!ended) throw error;
      changeLinking({ ended: linkingStore.get().ended ?? ended, isAnew: false });
      return { step: "credentials" };
    }
  },
  // The step before has just told: its answer is not asked for again on the way to the next screen.
  staleTime: 1_000,
  retry: (failures, error) => failures < 2 && error instanceof ApiError && error.status === 0,
  refetchInterval: ({ state }) =>
    nextLookMs({ step: state.data?.step, looks: state.dataUpdateCount, error: state.error }),
});

const QUICK_LOOKS = 20;
const QUICK_MS = 2_000;
const CALM_MS = 5_000;
const SLOW_MS = 15_000;

/** How long until the server is asked again; false where nothing can change by itself. Each look costs the platform a call. */
export function nextLookMs({
  step,
  looks,
  error,
}: {
  step: SetupAnswer["step"] | undefined;
  looks: number;
  error: unknown;
}): DurationMs | false {
  if (step === undefined || step === "credentials" || step === "linked") return false;
  if (error) return Math.max(SLOW_MS, retryAfterMs(error));
  if (step === "otp") return SLOW_MS;
  return looks < QUICK_LOOKS ? QUICK_MS : CALM_MS;
}

/** What `Retry-After` asks for; 0 where nothing was. */
export function retryAfterMs(error: unknown): DurationMs {
  return error instanceof ApiError && error.retryAfter !== null ? error.retryAfter * 1000 : 0;
}

/** Whether a failure says that the linking under way is over. */
export function endOf(error: unknown): LinkingEnd | null {
  if (error instanceof ApiError && error.attemptsLeft === 0) return "code_spent";
  const code = codeOf(error);
  return code === "link_denied" || code === "link_expired" ? code : null;
}

/** POST /flex/v1/setup/login, sealed. */
export async function sendCredentials(body: SetupLogin): Promise<SetupAnswer> {
  return answer(setupAnswer, await sendSealed("POST", "/flex/v1/setup/login", body));
}

/** POST /flex/v1/setup/otp, sealed. */
export async function sendCode(code: string): Promise<SetupAnswer> {
  return answer(setupAnswer, await sendSealed("POST", "/flex/v1/setup/otp", { code }));
}

/** POST /flex/v1/setup/otp/resend. */
export async function resendCode(): Promise<SetupAnswer> {
  return answer(setupAnswer, await api.flex.v1.setup.otp.resend.$post());
}
