import type { DriverOwner } from "../../../db/shapes/profile.ts";
import type { PushSubscriptionInput } from "../../../db/shapes/notifications.ts";
import type { Deps } from "../../deps.ts";
import type { PushSession } from "../../runtime/driver-rpc.ts";
import type { Machine } from "../machine.ts";
import type { Maintenance } from "../maintenance.ts";
import type { Ownership } from "../ownership.ts";
import type { Store } from "../storage/store.ts";
import type { Language } from "../../../db/shapes/language.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import type { PushMessage } from "../../messaging/push.ts";

type SubscribedBrowsersDeps = {
  deps: Pick<Deps, "now">;
  store: Store;
  machine: Machine;
  ownership: Ownership;
  maintenance: Maintenance;
};

/** How long a recovery waits for the pushes that warn of it. */
const WARNING_WAIT_MS = 2_000;

/** The browsers that get pushes, each by a session. */
export class SubscribedBrowsers {
  readonly #parts: SubscribedBrowsersDeps;

  constructor(parts: SubscribedBrowsersDeps) {
    this.#parts = parts;
  }

  async add(owner: DriverOwner, subscription: PushSubscriptionInput, session: PushSession): Promise<void> {
    await this.#parts.ownership.set(owner);
    this.#parts.store.pushSubscriptions.add({ ...subscription, session });
  }

  remove(endpoint: string): void {
    this.#parts.store.pushSubscriptions.remove(endpoint);
  }

  has(endpoint: string): boolean {
    const { store, deps } = this.#parts;
    return store.pushSubscriptions.find(endpoint, deps.now()) !== null;
  }

  sessions(): (string | null)[] {
    const { store, deps } = this.#parts;
    return store.pushSubscriptions.list(deps.now()).map(({ session }) => session?.id ?? null);
  }

  /** Warns the browsers of some sessions, whose subscriptions end next, with their sessions. */
  async warnOfRecovery(sessions: readonly string[]): Promise<void> {
    const { deps, store, machine, maintenance } = this.#parts;
    const { owner } = machine;
    if (owner === null) return;
    const now = deps.now();
    for (const { endpoint, session } of store.pushSubscriptions.list(now))
      if (session !== null && sessions.includes(session.id))
        store.outbox.add({ kind: "push", endpoint, message: recoveryPush(owner.language) }, now);
    await maintenance.sendFor(WARNING_WAIT_MS);
  }
}

/** Passkeys can't be removed for this long after a recovery. */
const RECOVERY_TTL_SECONDS = 24 * 3600;

/** Tells the owner of a passkey that a texted code set a password. A tap asks them to sign in with the passkey. */
function recoveryPush(language: Language): PushMessage {
  return {
    data: {
      title: formatMessage(language, "push_recovered_title"),
      body: formatMessage(language, "push_recovered"),
      url: "/flex/profile",
      tag: "recovered",
      event: "needs_you",
    },
    ttlSeconds: RECOVERY_TTL_SECONDS,
    urgency: "high",
  };
}
