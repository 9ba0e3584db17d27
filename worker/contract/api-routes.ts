import type { ApiRoute } from "./api-route.ts";
import { ACCOUNT_ROUTES } from "./account/driver-export.ts";
import { BLOCK_ROUTES } from "./work/blocks.ts";
import { CHAT_ROUTES } from "./account/chat.ts";
import { RECORDING_ROUTES } from "./account/recording.ts";
import { CHECK_IN_ROUTES } from "./work/check-in.ts";
import { ERROR_REPORT_ROUTES } from "./error-report.ts";
import { FEEDBACK_ROUTES } from "./feedback.ts";
import { FILTER_ROUTES } from "./work/filters.ts";
import { INVITATION_ROUTES } from "./money/invitations.ts";
import { LIVE_ROUTES } from "./work/live.ts";
import { NOTIFICATION_ROUTES } from "./account/notifications.ts";
import { PAYMENT_ROUTES } from "./money/payments.ts";
import { PUBLIC_PLAN_ROUTES } from "./money/public-plans.ts";
import { RAFFLE_ROUTES } from "./money/raffles.ts";
import { ANNOUNCEMENT_ROUTES } from "./announcements.ts";
import { REWARD_ROUTES } from "./money/rewards.ts";
import { SAVED_CARD_ROUTES } from "./money/saved-cards.ts";
import { SECURITY_ROUTES } from "./account/security.ts";
import { SESSION_ROUTES } from "./account/sessions.ts";
import { SETUP_ROUTES } from "./work/setup.ts";
import { SPOT_ROUTES } from "./money/spots.ts";
import { STATUS_ROUTES } from "./status.ts";
import { TEXT_ROUTES } from "./account/texts.ts";
import { UNDO_ROUTES } from "./account/undo.ts";
import { USER_ROUTES } from "./account/user.ts";
import { WAREHOUSE_ROUTES } from "./work/warehouses.ts";
import { WEBHOOK_ROUTES } from "./webhooks.ts";
import type { SealedRoute } from "./sealed-body.ts";

/** Every call of the API, by its method and path. */
export const API_ROUTES = {
  ...STATUS_ROUTES,
  ...PUBLIC_PLAN_ROUTES,
  ...SPOT_ROUTES,
  ...RAFFLE_ROUTES,
  ...ANNOUNCEMENT_ROUTES,
  ...ERROR_REPORT_ROUTES,
  ...USER_ROUTES,
  ...ACCOUNT_ROUTES,
  ...NOTIFICATION_ROUTES,
  ...TEXT_ROUTES,
  ...CHAT_ROUTES,
  ...RECORDING_ROUTES,
  ...CHECK_IN_ROUTES,
  ...SESSION_ROUTES,
  ...SECURITY_ROUTES,
  ...UNDO_ROUTES,
  ...FILTER_ROUTES,
  ...WAREHOUSE_ROUTES,
  ...BLOCK_ROUTES,
  ...LIVE_ROUTES,
  ...SETUP_ROUTES,
  ...PAYMENT_ROUTES,
  ...SAVED_CARD_ROUTES,
  ...REWARD_ROUTES,
  ...INVITATION_ROUTES,
  ...FEEDBACK_ROUTES,
  ...WEBHOOK_ROUTES,
} as const satisfies Record<string, ApiRoute> & Record<SealedRoute, ApiRoute>;
