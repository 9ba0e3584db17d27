import { toast } from "sonner";
import { unsubscribePush, hasSignedOut, refreshPushSubscription } from "./api/push.ts";
import {
  onServiceWorkerMessage,
  registerServiceWorker,
  applyUpdate,
  updateStore,
} from "./api/service-worker.ts";
import { sessionStore } from "./api/session.ts";
import { m } from "./messages/messages.js";
import type { router as Router } from "./router.ts";

/** Everything about the page as an app, once it stands: offline, a new version, notifications. */
export async function startAppLifecycle(router: typeof Router): Promise<void> {
  onServiceWorkerMessage((message) => {
    if (message.kind === "open") router.history.push(message.url);
    else void refreshPushSubscription().catch(() => undefined);
  });
  if (!(await registerServiceWorker())) return;
  promptForUpdate(updateStore.get());
  updateStore.subscribe(promptForUpdate);
  syncPushWithSession(sessionStore.get());
  sessionStore.subscribe(syncPushWithSession);
}

function promptForUpdate(waiting: ServiceWorker | null): void {
  if (!waiting) return;
  toast(m.app_new_version(), {
    id: "new-version",
    duration: Infinity,
    action: (
      <button
        type="button"
        onClick={() => applyUpdate(waiting)}
        className="ml-auto min-h-11 shrink-0 rounded-field px-3 font-semibold underline underline-offset-4"
      >
        {m.app_reload()}
      </button>
    ),
  });
}

/** Whoever signs out takes the notifications along: the next one on this phone must not read them. */
function syncPushWithSession(session: ReturnType<typeof sessionStore.get>): void {
  if (session === undefined) return;
  const task = session
    ? refreshPushSubscription()
    : hasSignedOut().then((isSignedOut) => (isSignedOut ? unsubscribePush() : undefined));
  void task.catch(() => undefined);
}
