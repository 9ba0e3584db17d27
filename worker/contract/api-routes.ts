import * as calendar from "./account/calendar.ts";
import * as account from "./account/account.ts";
import * as voice from "./voice.ts";
import * as notifications from "./account/notifications.ts";
import * as passkeys from "./account/passkeys.ts";
import * as security from "./account/security.ts";
import * as user from "./account/user.ts";
import type { ApiRoute } from "./api-route.ts";
import * as errorReport from "./error-report.ts";
import * as invitations from "./money/invitations.ts";
import * as service from "./money/service.ts";
import * as payments from "./money/payments.ts";
import * as platformHealth from "./platform-health.ts";
import * as publicPlans from "./money/public-plans.ts";
import * as raffles from "./money/raffles.ts";
import * as receiptLink from "./money/receipt-link.ts";
import * as renewalLink from "./money/renewal-link.ts";
import * as rewards from "./money/rewards.ts";
import * as savedCards from "./money/saved-cards.ts";
import type { SealedRoute } from "./sealed-body.ts";
import * as status from "./status.ts";
import * as webhooks from "./webhooks.ts";
import * as blocks from "./work/blocks.ts";
import * as setup from "./work/setup.ts";
import * as filters from "./work/filters.ts";
import * as live from "./work/live.ts";
import * as statistics from "./work/statistics.ts";
import * as replay from "./work/replay.ts";

/** Every call of the API, by its method and path. */
export const API_ROUTES = {
  ...status.STATUS_ROUTES,
  ...platformHealth.PLATFORM_HEALTH_ROUTES,
  ...publicPlans.PUBLIC_PLAN_ROUTES,
  ...service.SPOT_ROUTES,
  ...service.PAUSE_ROUTES,
  ...raffles.RAFFLE_ROUTES,
  ...voice.ANNOUNCEMENT_ROUTES,
  ...errorReport.ERROR_REPORT_ROUTES,
  ...user.USER_ROUTES,
  ...account.ACCOUNT_ROUTES,
  ...notifications.NOTIFICATION_ROUTES,
  ...notifications.TEXT_ROUTES,
  ...voice.CHAT_ROUTES,
  ...account.RECORDING_ROUTES,
  ...blocks.CHECK_IN_ROUTES,
  ...setup.CHECK_ROUTES,
  ...security.SESSION_ROUTES,
  ...calendar.CALENDAR_ROUTES,
  ...passkeys.PASSKEY_ROUTES,
  ...security.SECURITY_ROUTES,
  ...security.UNDO_ROUTES,
  ...filters.FILTER_ROUTES,
  ...replay.REPLAY_ROUTES,
  ...statistics.OFFER_HOURS_ROUTES,
  ...filters.WAREHOUSE_ROUTES,
  ...statistics.WEEK_ROUTES,
  ...blocks.BLOCK_ROUTES,
  ...live.QUESTION_ROUTES,
  ...live.LIVE_ROUTES,
  ...setup.SETUP_ROUTES,
  ...service.LOST_DAY_ROUTES,
  ...payments.PAYMENT_ROUTES,
  ...savedCards.SAVED_CARD_ROUTES,
  ...renewalLink.RENEWAL_LINK_ROUTES,
  ...receiptLink.RECEIPT_LINK_ROUTES,
  ...rewards.REWARD_ROUTES,
  ...invitations.INVITATION_ROUTES,
  ...voice.FEEDBACK_ROUTES,
  ...webhooks.WEBHOOK_ROUTES,
} as const satisfies Record<string, ApiRoute> & Record<SealedRoute, ApiRoute>;

/** The contracts that make up `API_ROUTES`: the API's document names what they export. */
export const CONTRACTS: readonly object[] = [
  account,
  blocks,
  calendar,
  errorReport,
  filters,
  invitations,
  live,
  notifications,
  passkeys,
  payments,
  platformHealth,
  publicPlans,
  raffles,
  receiptLink,
  renewalLink,
  replay,
  rewards,
  savedCards,
  security,
  service,
  setup,
  statistics,
  status,
  user,
  voice,
  webhooks,
];
