import * as calendar from "./account/calendar.ts";
import * as driverExport from "./account/driver-export.ts";
import * as chat from "./account/chat.ts";
import * as notifications from "./account/notifications.ts";
import * as passkeys from "./account/passkeys.ts";
import * as recording from "./account/recording.ts";
import * as security from "./account/security.ts";
import * as sessions from "./account/sessions.ts";
import * as texts from "./account/texts.ts";
import * as undo from "./account/undo.ts";
import * as user from "./account/user.ts";
import * as announcements from "./announcements.ts";
import type { ApiRoute } from "./api-route.ts";
import * as errorReport from "./error-report.ts";
import * as feedback from "./feedback.ts";
import * as invitations from "./money/invitations.ts";
import * as pause from "./money/pause.ts";
import * as lostDays from "./money/lost-days.ts";
import * as payments from "./money/payments.ts";
import * as platformHealth from "./platform-health.ts";
import * as publicPlans from "./money/public-plans.ts";
import * as raffles from "./money/raffles.ts";
import * as receiptLink from "./money/receipt-link.ts";
import * as renewalLink from "./money/renewal-link.ts";
import * as rewards from "./money/rewards.ts";
import * as savedCards from "./money/saved-cards.ts";
import * as spots from "./money/spots.ts";
import type { SealedRoute } from "./sealed-body.ts";
import * as status from "./status.ts";
import * as webhooks from "./webhooks.ts";
import * as blocks from "./work/blocks.ts";
import * as checks from "./work/checks.ts";
import * as checkIn from "./work/check-in.ts";
import * as filters from "./work/filters.ts";
import * as live from "./work/live.ts";
import * as offerHours from "./work/offer-hours.ts";
import * as questions from "./work/questions.ts";
import * as replay from "./work/replay.ts";
import * as setup from "./work/setup.ts";
import * as week from "./work/week.ts";
import * as warehouses from "./work/warehouses.ts";

/** Every call of the API, by its method and path. */
export const API_ROUTES = {
  ...status.STATUS_ROUTES,
  ...platformHealth.PLATFORM_HEALTH_ROUTES,
  ...publicPlans.PUBLIC_PLAN_ROUTES,
  ...spots.SPOT_ROUTES,
  ...pause.PAUSE_ROUTES,
  ...raffles.RAFFLE_ROUTES,
  ...announcements.ANNOUNCEMENT_ROUTES,
  ...errorReport.ERROR_REPORT_ROUTES,
  ...user.USER_ROUTES,
  ...driverExport.ACCOUNT_ROUTES,
  ...notifications.NOTIFICATION_ROUTES,
  ...texts.TEXT_ROUTES,
  ...chat.CHAT_ROUTES,
  ...recording.RECORDING_ROUTES,
  ...checkIn.CHECK_IN_ROUTES,
  ...checks.CHECK_ROUTES,
  ...sessions.SESSION_ROUTES,
  ...calendar.CALENDAR_ROUTES,
  ...passkeys.PASSKEY_ROUTES,
  ...security.SECURITY_ROUTES,
  ...undo.UNDO_ROUTES,
  ...filters.FILTER_ROUTES,
  ...replay.REPLAY_ROUTES,
  ...offerHours.OFFER_HOURS_ROUTES,
  ...warehouses.WAREHOUSE_ROUTES,
  ...week.WEEK_ROUTES,
  ...blocks.BLOCK_ROUTES,
  ...questions.QUESTION_ROUTES,
  ...live.LIVE_ROUTES,
  ...setup.SETUP_ROUTES,
  ...lostDays.LOST_DAY_ROUTES,
  ...payments.PAYMENT_ROUTES,
  ...savedCards.SAVED_CARD_ROUTES,
  ...renewalLink.RENEWAL_LINK_ROUTES,
  ...receiptLink.RECEIPT_LINK_ROUTES,
  ...rewards.REWARD_ROUTES,
  ...invitations.INVITATION_ROUTES,
  ...feedback.FEEDBACK_ROUTES,
  ...webhooks.WEBHOOK_ROUTES,
} as const satisfies Record<string, ApiRoute> & Record<SealedRoute, ApiRoute>;

/** The contracts that `API_ROUTES` is made of: what they export is what the API's document names. */
export const CONTRACTS: readonly object[] = [
  announcements,
  blocks,
  calendar,
  chat,
  checkIn,
  checks,
  driverExport,
  errorReport,
  feedback,
  filters,
  invitations,
  live,
  lostDays,
  notifications,
  offerHours,
  passkeys,
  pause,
  payments,
  platformHealth,
  publicPlans,
  raffles,
  recording,
  receiptLink,
  renewalLink,
  questions,
  replay,
  rewards,
  savedCards,
  security,
  sessions,
  setup,
  spots,
  status,
  texts,
  undo,
  user,
  warehouses,
  webhooks,
  week,
];
