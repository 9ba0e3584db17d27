import { clearBadgeWhenSeen } from "../api/device/app-badge.ts";
import { toast } from "../ui/toast.ts";
import { refreshCalendarSession } from "../api/device/calendar.ts";
import { unsubscribePush, hasSignedOut, refreshPushSubscription } from "../api/device/push.ts";
import {
  onServiceWorkerMessage,
  registerServiceWorker,
  applyUpdate,
  updateStore,
} from "../api/device/service-worker.ts";
import { useLocale } from "../features/language/locale.ts";
import { resumeChat } from "../features/chat/resume-chat.ts";
import { sessionStore } from "../api/session/session.ts";
import { m } from "../messages/messages.js";
import type { PageRouter } from "./router.ts";

/** Starts what makes the page an app, after it has loaded: the service worker, updates, notifications. */
export async function startAppLifecycle(router: PageRouter): Promise<void> {
  onServiceWorkerMessage((message) => {
    if (message.kind === "open") router.history.push(message.url);
    else void refreshPushSubscription().catch(() => undefined);
  });
  clearBadgeWhenSeen();
  syncCalendarWithSession(sessionStore.get());
  sessionStore.subscribe(syncCalendarWithSession);
  resumeChat();
  if (!(await registerServiceWorker())) return;
  promptForUpdate(updateStore.get());
  updateStore.subscribe(promptForUpdate);
  syncPushWithSession(sessionStore.get());
  sessionStore.subscribe(syncPushWithSession);
}

/** Offers to load the page anew, for as long as a new version waits. */
export function promptForUpdate(waiting: ServiceWorker | null): void {
  if (!waiting) return;
  toast(<InPageLanguage message={m.app_new_version} />, {
    id: "new-version",
    duration: Infinity,
    action: (
      <button
        type="button"
        onClick={() => applyUpdate(waiting)}
        className="ml-auto min-h-11 shrink-0 rounded-field px-3 font-semibold underline underline-offset-4"
      >
        <InPageLanguage message={m.app_reload} />
      </button>
    ),
  });
}

/** A message that stays while the page's language changes. */
function InPageLanguage({ message }: { message: () => string }) {
  useLocale();
  return message();
}

/** A failed try is repeated at the next start or sign-in; until then the profile says that the calendar is paused. */
function syncCalendarWithSession(session: ReturnType<typeof sessionStore.get>): void {
  if (session) void refreshCalendarSession().catch(() => undefined);
}

/** Signing out ends the push subscription: the next driver on this phone must not get the last one's. */
function syncPushWithSession(session: ReturnType<typeof sessionStore.get>): void {
  if (session === undefined) return;
  const task = session
    ? refreshPushSubscription()
    : hasSignedOut().then((isSignedOut) => (isSignedOut ? unsubscribePush() : undefined));
  void task.catch(() => undefined);
}
