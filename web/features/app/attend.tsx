import { toast } from "sonner";
import { dropPush, hasLeft, renewPush } from "../../api/push.ts";
import {
  hearServiceWorker,
  registerServiceWorker,
  takeUpdate,
  updateStore,
} from "../../api/service-worker.ts";
import { sessionStore } from "../../api/session.ts";
import { m } from "../../messages/messages.js";
import type { router as Router } from "../../router.ts";

/** Everything about the page as an app, once it stands: offline, a new version, notifications. */
export async function attendApp(router: typeof Router): Promise<void> {
  hearServiceWorker((word) => {
    if (word.kind === "open") router.history.push(word.url);
    else void renewPush().catch(() => undefined);
  });
  if (!(await registerServiceWorker())) return;
  offerUpdate(updateStore.get());
  updateStore.subscribe(offerUpdate);
  followSession(sessionStore.get());
  sessionStore.subscribe(followSession);
}

function offerUpdate(waiting: ServiceWorker | null): void {
  if (!waiting) return;
  toast(m.app_new_version(), {
    id: "new-version",
    duration: Infinity,
    action: (
      <button
        type="button"
        onClick={() => takeUpdate(waiting)}
        className="ml-auto min-h-11 shrink-0 rounded-field px-3 font-semibold underline underline-offset-4"
      >
        {m.app_reload()}
      </button>
    ),
  });
}

/** Whoever signs out takes the notifications along: the next one on this phone must not read them. */
function followSession(session: ReturnType<typeof sessionStore.get>): void {
  if (session === undefined) return;
  const follow = session ? renewPush() : hasLeft().then((isGone) => (isGone ? dropPush() : undefined));
  void follow.catch(() => undefined);
}
