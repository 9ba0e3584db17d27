import type { FaultKind } from "./operations.ts";
import { nextId } from "./ids.ts";
import type { EpochMs, Stage, State } from "./state.ts";

const POLLS_KEPT = 20_000;

/** Records when a poll arrived, including refused and faulted ones. */
export function notePoll({ state, now }: Stage, request: Request): void {
  state.polls.push({ at: now(), driverId: bearerOf(state, request) });
  if (state.polls.length > POLLS_KEPT) state.polls.splice(0, POLLS_KEPT / 2);
}

/** Records an accept with its arrival time and the platform's decision. */
export async function noteAccept(
  { state }: Stage,
  call: { request: Request; at: EpochMs; response: Response; fault: FaultKind | null },
): Promise<void> {
  const { request, at, response, fault } = call;
  const isProblem = response.headers.get("content-type") === "application/problem+json";
  const body: { code?: unknown } = isProblem ? await response.clone().json() : {};
  const [, , , offerId = ""] = new URL(request.url).pathname.split("/");
  state.accepts.set(nextId(state, "acc"), {
    offerId,
    driverId: bearerOf(state, request),
    key: request.headers.get("idempotency-key"),
    at,
    status: response.status,
    code: typeof body.code === "string" ? body.code : null,
    fault,
  });
}

/** How many polls arrived at or after `since`, and when the last one did. */
export function countPolls(
  state: State,
  { since, driverId }: { since: EpochMs; driverId?: string | undefined },
) {
  const counted = state.polls.filter(
    (poll) => poll.at >= since && (driverId === undefined || poll.driverId === driverId),
  );
  return { count: counted.length, last: counted.at(-1)?.at ?? null };
}

/** When each driver's polls arrived, at or after `since`. */
export function pollTimes(state: State, { since }: { since: EpochMs }): Record<string, EpochMs[]> {
  const times = new Map<string, EpochMs[]>();
  for (const { at, driverId } of state.polls)
    if (at >= since && driverId !== null) times.set(driverId, [...(times.get(driverId) ?? []), at]);
  return Object.fromEntries(times);
}

function bearerOf(state: State, request: Request): string | null {
  const token = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  return state.access.get(token)?.driverId ?? null;
}
