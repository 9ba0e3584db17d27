import type { Versioned } from "../../db/shapes/versioned.ts";
import { machineFields, objectFields, storedRows } from "../../durable/driver/storage/stored-shapes.ts";
import { storedTokens } from "../../durable/platform/token-manager.ts";
import { storedRegistration } from "../../web/api/session/auth.ts";
import { storedPasskeyHints } from "../../web/api/session/passkey-hints.ts";
import { storedConfig } from "../../web/api/client/client.ts";
import { storedSends } from "../../web/api/client/send-once.ts";
import { storedLive, storedUser } from "../../web/api/cache/offline-cache.ts";
import { storedCalendar } from "../../web/api/device/calendar.ts";
import { storedSubscription } from "../../web/api/device/push.ts";
import { storedLinking } from "../../web/api/queries/setup.ts";
import { storedAccount } from "../../web/features/account/account-store.ts";
import { storedInviter } from "../../web/features/account/inviter.ts";
import { storedReferral } from "../../web/features/account/referral.ts";
import { storedDismissedAnnouncements } from "../../web/features/dashboard/announcements.tsx";
import { storedDraft } from "../../web/features/filters/draft-store.ts";
import { storedCaptureAlert } from "../../web/features/notifications/capture-alert.ts";
import { storedStart } from "../../web/features/start/use-start-step.ts";
import { storedDismissal } from "../../web/features/notifications/push-prompt.tsx";

const named = (prefix: string, shapes: Record<string, Versioned<unknown>>) =>
  Object.entries(shapes).map(([name, shape]): [string, Versioned<unknown>] => [`${prefix}${name}`, shape]);

/** Every stored value, by the name that its golden rows and fingerprint use. */
export const STORED_VALUES: ReadonlyMap<string, Versioned<unknown>> = new Map([
  ...named("driver/state/", { ...machineFields, ...objectFields }),
  ...named("driver/", { ...storedRows, tokenPair: storedTokens }),
  ...named("page/", {
    "jornada.account": storedAccount,
    "jornada.announcements": storedDismissedAnnouncements,
    "jornada.calendar": storedCalendar,
    "jornada.config": storedConfig,
    "jornada.last.USERNAME.user": storedUser,
    "jornada.last.USERNAME.live": storedLive,
    "jornada.inviter": storedInviter,
    "jornada.linking": storedLinking,
    "jornada.passkeys": storedPasskeyHints,
    "jornada.push": storedSubscription,
    "jornada.push-offer": storedDismissal,
    "jornada.registration": storedRegistration,
    "jornada.sends": storedSends,
    "jornada.signal": storedCaptureAlert,
    "jornada.start": storedStart,
    "filters-draft": storedDraft,
    referral: storedReferral,
  }),
]);
