import type { Stage, State } from "../state.ts";
import { bodyOf, endpointOf, postOf, sign, signingTime } from "./events.ts";
import type { PaymentEvent } from "./shapes.ts";

const MOST_TRIES = 4;
/** How long events are batched, so that they can be shuffled. */
const GATHERING_MS = 30;

/** Delivers events to the endpoint: immediately or delayed, once or twice, in order or shuffled, or never. */
export function openMailer({ state, now }: Stage) {
  let waiting: string[] = [];

  function post(eventId: string): void {
    if (endpointOf(state) === null) return;
    const { hold, lose, delayMs } = postOf(state);
    if (hold) return mark(state, eventId, "held");
    if (lose !== false && lose !== 0) {
      if (typeof lose === "number") state.payments.post.set("post", { ...postOf(state), lose: lose - 1 });
      return mark(state, eventId, "lost");
    }
    waiting.push(eventId);
    if (waiting.length === 1) void scheduler.wait(Math.max(delayMs, GATHERING_MS)).then(carry);
  }

  async function carry(): Promise<void> {
    const { shuffle, duplicate } = postOf(state);
    const gathered = shuffle ? waiting.toReversed() : waiting;
    waiting = [];
    for (const eventId of gathered) {
      await attempt(eventId, MOST_TRIES);
      if (duplicate) await attempt(eventId, 1);
    }
  }

  /** Tries to deliver once and schedules a retry on failure. */
  async function attempt(eventId: string, triesLeft: number, waitMs = postOf(state).retryMs): Promise<void> {
    const status = await deliver(eventId);
    if (status === undefined || (status !== null && status >= 200 && status < 300) || triesLeft <= 1) return;
    mark(state, eventId, "waiting");
    void scheduler.wait(waitMs).then(() => attempt(eventId, triesLeft - 1, waitMs * 2));
  }

  /**
   * One delivery attempt. Returns the response status; null if there was no response, undefined if there is nothing to
   * deliver.
   */
  async function deliver(eventId: string): Promise<number | null | undefined> {
    const event = state.payments.events.get(eventId);
    const endpoint = endpointOf(state);
    if (!event || !endpoint) return undefined;
    const body = bodyOf(state, event);
    const signature = await sign(body, endpoint.secrets, signingTime(now()));
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
      "stripe-signature": signature,
    };
    const status = await fetch(endpoint.url, { method: "POST", headers, body, redirect: "manual" }).then(
      async (response) => {
        await response.body?.cancel();
        return response.status;
      },
      () => null,
    );
    const tried = state.payments.events.get(eventId);
    if (!tried) return undefined;
    const taken = status !== null && status >= 200 && status < 300;
    state.payments.events.set(eventId, {
      ...tried,
      post: taken || tried.post === "delivered" ? "delivered" : "failed",
      tries: [...tried.tries, { at: now(), status }],
    });
    return status;
  }

  /** Delivers the events that were held. */
  function release(): void {
    for (const { id, post: how } of state.payments.events.values()) if (how === "held") post(id);
  }

  return { post, deliver, release };
}

function mark(state: State, eventId: string, post: PaymentEvent["post"]): void {
  const event = state.payments.events.get(eventId);
  if (event && event.post !== "delivered") state.payments.events.set(eventId, { ...event, post });
}
