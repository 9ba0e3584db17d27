import type * as z from "zod/mini";
import { pointEntry } from "../../db/shapes/money/rewards.ts";
import { invitation, invitationInput, invitationsResponse, invitedResponse } from "./money/invitations.ts";
import { redeemInput, redeemResponse, rewardsResponse } from "./money/rewards.ts";
import { attempt } from "../../db/shapes/work/attempt.ts";
import {
  checkInResponse,
  devicePosition,
  imHereResponse,
  nextBlockResponse,
} from "../../db/shapes/work/check-in.ts";
import { logEntry, logEvent } from "../../db/shapes/work/driver-log.ts";
import { earningsResponse } from "../../db/shapes/work/earnings.ts";
import { feedbackInput, feedbackResponse } from "./feedback.ts";
import { filterChange } from "../../db/shapes/work/filter-change.ts";
import { filters, warehouseFilter, weekSchedule } from "../../db/shapes/work/filters.ts";
import { givenBackBlock } from "../../db/shapes/work/given-back.ts";
import { setupResponse } from "../../db/shapes/work/linking.ts";
import { clientMessage, liveTicket, serverMessage, snapshot } from "../../db/shapes/work/live.ts";
import { notificationPreferences, pushRemoval, pushSubscription } from "../../db/shapes/notifications.ts";
import { block, offer, warehouse } from "../../db/shapes/work/offer.ts";
import { phase } from "../../db/shapes/work/phase.ts";
import { reason } from "../../db/shapes/work/verdict.ts";
import { blockItem, blocksResponse } from "./work/blocks.ts";
import { driverExport } from "./account/driver-export.ts";
import { errorReport, visitorErrorReport } from "./error-report.ts";
import { errorCode, errorResponse } from "./error-response.ts";
import { filtersResponse } from "./work/filters.ts";
import {
  discount,
  payment,
  paymentInProgress,
  paymentResponse,
  paymentsResponse,
  plansResponse,
  prepareInput,
  prepareResponse,
  pricedPlan,
  quote,
  quoteInput,
  receipt,
  renewalConsent,
} from "./money/payments.ts";
import { passedOverGroup } from "../../db/shapes/work/passed-over.ts";
import { passedOverResponse } from "./work/passed-over.ts";
import { publicPlansResponse } from "./money/public-plans.ts";
import { raffle, rafflesResponse } from "./money/raffles.ts";
import { announcementsResponse } from "./announcements.ts";
import { announcement } from "../../db/shapes/announcement.ts";
import {
  customerSessionResponse,
  renewal,
  renewalInput,
  renewalResponse,
  sameAgain,
  savedCard,
  savedCardsResponse,
} from "./money/saved-cards.ts";
import { sealedBody } from "./sealed-body.ts";
import { securityEvent, securityResponse } from "./account/security.ts";
import { session, sessionsResponse } from "./account/sessions.ts";
import { setupLogin, setupOtp } from "./work/setup.ts";
import { health, openApiResponse, publicConfig } from "./status.ts";
import { undoResponse } from "./account/undo.ts";
import { preferredPhoneCode, user, userDetails, userInput, userPatch, userResponse } from "./account/user.ts";
import { citySpotsResponse, spot, spotResponse } from "./money/spots.ts";
import { chatResponse } from "./account/chat.ts";
import { recordingInput, recordingResponse } from "./account/recording.ts";
import { textsResponse } from "./account/texts.ts";
import { incomingText, stripeEvent, textReport, webhookResponse } from "./webhooks.ts";
import { warehousesResponse } from "./work/warehouses.ts";

/** The shapes of the API by the name that each has in the document. Every body of a call is one of them. */
export const API_SCHEMAS = {
  Attempt: attempt,
  Block: block,
  BlockItem: blockItem,
  BlocksResponse: blocksResponse,
  CheckInResponse: checkInResponse,
  CitySpotsResponse: citySpotsResponse,
  ClientMessage: clientMessage,
  CustomerSessionResponse: customerSessionResponse,
  DevicePosition: devicePosition,
  Discount: discount,
  DriverExport: driverExport,
  EarningsResponse: earningsResponse,
  ErrorCode: errorCode,
  ErrorReport: errorReport,
  VisitorErrorReport: visitorErrorReport,
  ErrorResponse: errorResponse,
  FeedbackInput: feedbackInput,
  FeedbackResponse: feedbackResponse,
  FilterChange: filterChange,
  Filters: filters,
  FiltersResponse: filtersResponse,
  GivenBackBlock: givenBackBlock,
  Health: health,
  ImHereResponse: imHereResponse,
  Invitation: invitation,
  InvitationInput: invitationInput,
  InvitationsResponse: invitationsResponse,
  InvitedResponse: invitedResponse,
  LiveTicket: liveTicket,
  LogEntry: logEntry,
  LogEvent: logEvent,
  NextBlockResponse: nextBlockResponse,
  NotificationPreferences: notificationPreferences,
  Offer: offer,
  OpenApiResponse: openApiResponse,
  PassedOverGroup: passedOverGroup,
  PassedOverResponse: passedOverResponse,
  Payment: payment,
  PaymentInProgress: paymentInProgress,
  PaymentResponse: paymentResponse,
  PaymentsResponse: paymentsResponse,
  Phase: phase,
  PlansResponse: plansResponse,
  PrepareInput: prepareInput,
  PrepareResponse: prepareResponse,
  PointEntry: pointEntry,
  PricedPlan: pricedPlan,
  PublicConfig: publicConfig,
  PushRemoval: pushRemoval,
  PushSubscription: pushSubscription,
  Quote: quote,
  QuoteInput: quoteInput,
  Announcement: announcement,
  AnnouncementsResponse: announcementsResponse,
  PublicPlansResponse: publicPlansResponse,
  Raffle: raffle,
  RafflesResponse: rafflesResponse,
  Reason: reason,
  Receipt: receipt,
  RedeemInput: redeemInput,
  RedeemResponse: redeemResponse,
  RewardsResponse: rewardsResponse,
  Renewal: renewal,
  RenewalConsent: renewalConsent,
  RenewalInput: renewalInput,
  RenewalResponse: renewalResponse,
  SameAgain: sameAgain,
  SavedCard: savedCard,
  SavedCardsResponse: savedCardsResponse,
  SealedBody: sealedBody,
  ServerMessage: serverMessage,
  Session: session,
  SecurityEvent: securityEvent,
  SecurityResponse: securityResponse,
  SessionsResponse: sessionsResponse,
  SetupLogin: setupLogin,
  SetupOtp: setupOtp,
  SetupResponse: setupResponse,
  Snapshot: snapshot,
  Spot: spot,
  SpotResponse: spotResponse,
  StripeEvent: stripeEvent,
  ChatResponse: chatResponse,
  RecordingInput: recordingInput,
  RecordingResponse: recordingResponse,
  TextReport: textReport,
  IncomingText: incomingText,
  TextsResponse: textsResponse,
  PreferredPhoneCode: preferredPhoneCode,
  UndoResponse: undoResponse,
  User: user,
  UserDetails: userDetails,
  UserInput: userInput,
  UserPatch: userPatch,
  UserResponse: userResponse,
  Warehouse: warehouse,
  WarehouseFilter: warehouseFilter,
  WarehousesResponse: warehousesResponse,
  WebhookResponse: webhookResponse,
  WeekSchedule: weekSchedule,
} as const satisfies Record<string, z.ZodMiniType>;
