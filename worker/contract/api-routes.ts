import type * as z from "zod/mini";
import {
  checkInParams,
  checkInResponse,
  devicePosition,
  imHereResponse,
  nextBlockResponse,
  type CheckInError,
} from "../../db/shapes/check-in.ts";
import { earningsResponse } from "../../db/shapes/earnings.ts";
import { setupResponse, type LinkError } from "../../db/shapes/linking.ts";
import { liveTicket } from "../../db/shapes/live.ts";
import { notificationPreferences, pushRemoval, pushSubscription } from "../../db/shapes/notifications.ts";
import { blocksQueryInput, blocksResponse, takeAgainParams } from "./blocks.ts";
import { passedOverResponse } from "./passed-over.ts";
import { chatResponse } from "./chat.ts";
import { driverExport } from "./driver-export.ts";
import { errorReport, visitorErrorReport } from "./error-report.ts";
import type { ErrorCode } from "./error-response.ts";
import { filtersHeaders, filtersInput, filtersResponse } from "./filters.ts";
import { feedbackInput, feedbackResponse } from "./feedback.ts";
import { invitationInput, invitationsResponse, invitedResponse } from "./invitations.ts";
import {
  cancelResponse,
  paymentParams,
  paymentResponse,
  paymentsQueryInput,
  paymentsResponse,
  plansResponse,
  prepareInput,
  prepareResponse,
  quote,
  quoteInput,
  receipt,
} from "./payments.ts";
import { raffle, raffleParams, rafflesResponse } from "./raffles.ts";
import { redeemInput, redeemResponse, rewardsResponse } from "./rewards.ts";
import {
  customerSessionResponse,
  renewalInput,
  renewalResponse,
  savedCardParams,
  savedCardsResponse,
} from "./saved-cards.ts";
import type { SealedRoute } from "./sealed-body.ts";
import { securityQuery, securityResponse } from "./security.ts";
import { sessionParams, sessionsResponse } from "./sessions.ts";
import { setupLogin, setupOtp } from "./setup.ts";
import { health, openApiResponse, publicConfig } from "./status.ts";
import { undoResponse } from "./undo.ts";
import { preferredPhoneCode, userDetails, userInput, userParams, userPatch, userResponse } from "./user.ts";
import { citySpotsResponse, spotResponse } from "./spots.ts";
import { textsResponse } from "./texts.ts";
import { incomingText, stripeEvent, textReport, textReportQuery, webhookResponse } from "./webhooks.ts";
import { warehousesResponse } from "./warehouses.ts";

/**
 * How a call authenticates. `bearer`: an id token of the user pool. `arrived`: that, or the token of the arrived
 * frame. `ticket`: a live ticket. `undo`: the link in a text that told of a change. `signature`: the card processor's over
 * the body. `text_signature`: the text gateway's over the form.
 */
export type ApiAuth = "none" | "bearer" | "arrived" | "ticket" | "undo" | "signature" | "text_signature";

/** One call of the API. Its body is sealed if `SEALED_ROUTES` lists it. */
export type ApiRoute = {
  summary: string;
  auth: ApiAuth;
  params?: z.ZodMiniObject;
  query?: z.ZodMiniObject;
  headers?: z.ZodMiniObject;
  body?: z.ZodMiniType;
  /** A body that is a form. */
  form?: z.ZodMiniType;
  /** The body of each success status; null if there is none. */
  responses: Readonly<Record<number, z.ZodMiniType | null>>;
  /** Error codes beside those that follow from its auth and its input. */
  errors: readonly ErrorCode[];
};

const LINK_ERRORS = [
  "not_found",
  "link_credentials_wrong",
  "link_locked",
  "link_paused",
  "link_code_wrong",
  "link_code_expired",
  "link_denied",
  "link_expired",
  "rate_limited",
  "platform_unreachable",
] as const satisfies readonly (LinkError["code"] | "not_found" | "link_paused")[];

const CHECK_IN_ERRORS = [
  "not_found",
  "not_linked",
  "verification_required",
  "platform_unreachable",
  "rate_limited",
] as const satisfies readonly CheckInError["code"][];

/** Every call of the API, by its method and path. */
export const API_ROUTES = {
  "GET /status/health": {
    summary:
      "Whether the service runs. The headers `x-amz-cf-id` and `x-amz-version-id` are the id and the key that seal bodies.",
    auth: "none",
    responses: { 200: health },
    errors: [],
  },
  "GET /status/config": {
    summary: "What the page must know of this deployment.",
    auth: "none",
    responses: { 200: publicConfig },
    errors: [],
  },
  "GET /status/spots": {
    summary: "The spots that are left in each city that has a limit, and how many drivers wait.",
    auth: "none",
    responses: { 200: citySpotsResponse },
    errors: [],
  },
  "GET /status/raffles/{id}": {
    summary:
      "A raffle: the fingerprint of its seed from the start, and all that is needed to check the draw.",
    auth: "none",
    params: raffleParams,
    responses: { 200: raffle },
    errors: ["not_found"],
  },
  "POST /status/errors": {
    summary: "Reports what broke in a visitor's page.",
    auth: "none",
    body: visitorErrorReport,
    responses: { 204: null },
    errors: ["rate_limited", "too_large"],
  },
  "GET /status/openapi.json": {
    summary: "This document.",
    auth: "none",
    responses: { 200: openApiResponse },
    errors: [],
  },

  "GET /flex/v1/user": {
    summary: "The driver's record.",
    auth: "bearer",
    responses: { 200: userResponse },
    errors: ["not_found"],
  },
  "PUT /flex/v1/user": {
    summary: "Creates the record of a driver who has just registered. A record that exists stays as it is.",
    auth: "bearer",
    body: userInput,
    responses: { 200: userResponse },
    errors: ["forbidden", "conflict"],
  },
  "PATCH /flex/v1/user": {
    summary: "Changes the system switch, the mode, the language or the profile.",
    auth: "bearer",
    body: userPatch,
    responses: { 200: userResponse },
    errors: ["sign_in_again", "forbidden", "not_found", "filters_incomplete", "no_service"],
  },
  "DELETE /flex/v1/user": {
    summary:
      "Deletes the account and all that is kept of the driver but for the books, within ten minutes of a sign-in. A payment in progress is canceled, or refunded once it is charged.",
    auth: "bearer",
    responses: { 204: null },
    errors: ["sign_in_again", "cards_unavailable", "payments_unreachable"],
  },
  "PUT /flex/v1/user/{phone}": {
    summary: "Replaces the driver's own details.",
    auth: "bearer",
    params: userParams,
    body: userDetails,
    responses: { 200: userResponse },
    errors: ["sign_in_again", "forbidden", "not_found"],
  },
  "GET /flex/v1/user/earnings": {
    summary: "What the driver earned in this week and the last.",
    auth: "bearer",
    responses: { 200: earningsResponse },
    errors: ["not_found"],
  },
  "GET /flex/v1/user/export": {
    summary: "Everything that is kept of the driver, as one file.",
    auth: "bearer",
    responses: { 200: driverExport },
    errors: ["not_found"],
  },
  "POST /flex/v1/user/preferred-phone/code": {
    summary: "Texts a code to the preferred number, which gets no other texts before it is proved.",
    auth: "bearer",
    responses: { 204: null },
    errors: ["not_found", "rate_limited", "text_not_sent", "texts_stopped"],
  },
  "POST /flex/v1/user/preferred-phone/verify": {
    summary: "Proves the preferred number by its code.",
    auth: "bearer",
    body: preferredPhoneCode,
    responses: { 200: userResponse },
    errors: ["not_found", "rate_limited", "code_wrong", "code_expired"],
  },
  "GET /flex/v1/user/notifications": {
    summary: "What the driver is notified of, and how.",
    auth: "bearer",
    responses: { 200: notificationPreferences },
    errors: ["not_found"],
  },
  "PUT /flex/v1/user/notifications": {
    summary: "Replaces what the driver is notified of, and how.",
    auth: "bearer",
    body: notificationPreferences,
    responses: { 200: notificationPreferences },
    errors: ["not_found"],
  },
  "GET /flex/v1/user/texts": {
    summary: "Whether texts reach the driver, and what to do where they don't.",
    auth: "bearer",
    responses: { 200: textsResponse },
    errors: ["not_found"],
  },
  "POST /flex/v1/user/texts/test": {
    summary: "Texts the driver's number, also where it is paused. One that the gateway takes ends the pause.",
    auth: "bearer",
    responses: { 204: null },
    errors: ["not_found", "rate_limited", "text_not_sent", "texts_stopped"],
  },
  "GET /flex/v1/user/chat": {
    summary: "Who the driver is in the support chat. There is no such thing where it isn't offered to them.",
    auth: "bearer",
    responses: { 200: chatResponse },
    errors: ["not_found"],
  },
  "PUT /flex/v1/user/push": {
    summary: "Adds a browser that takes push messages.",
    auth: "bearer",
    body: pushSubscription,
    responses: { 204: null },
    errors: ["not_found"],
  },
  "DELETE /flex/v1/user/push": {
    summary: "Removes a browser that took push messages.",
    auth: "bearer",
    body: pushRemoval,
    responses: { 204: null },
    errors: ["not_found"],
  },
  "GET /flex/v1/user/im-here/data": {
    summary: "A token of ten minutes for the arrived frame.",
    auth: "bearer",
    responses: { 200: imHereResponse },
    errors: ["not_found"],
  },

  "GET /flex/v1/sessions": {
    summary: "Where the driver is signed in. Not known where another user pool signs drivers in.",
    auth: "bearer",
    responses: { 200: sessionsResponse },
    errors: ["not_found"],
  },
  "DELETE /flex/v1/sessions": {
    summary: "Ends every sign-in of the driver but the one that asks.",
    auth: "bearer",
    responses: { 204: null },
    errors: ["not_found"],
  },
  "DELETE /flex/v1/sessions/{id}": {
    summary: "Ends one sign-in of the driver.",
    auth: "bearer",
    params: sessionParams,
    responses: { 204: null },
    errors: ["not_found"],
  },

  "GET /flex/v1/security": {
    summary: "What happened to the security of the account in the last 90 days, the latest first.",
    auth: "bearer",
    query: securityQuery,
    responses: { 200: securityResponse },
    errors: [],
  },

  "GET /flex/v1/undo": {
    summary: "The change of an account that the link in a text undoes. It works once, within seven days.",
    auth: "undo",
    responses: { 200: undoResponse },
    errors: ["undo_expired"],
  },
  "POST /flex/v1/undo": {
    summary:
      "Undoes it: the account has its number back and no second factor, is signed out everywhere, and needs a new password, by a code to that number.",
    auth: "undo",
    responses: { 204: null },
    errors: ["undo_expired", "conflict"],
  },

  "GET /flex/v1/filters": {
    summary: "The driver's filters. The version is also the ETag.",
    auth: "bearer",
    responses: { 200: filtersResponse },
    errors: ["not_found"],
  },
  "PUT /flex/v1/filters": {
    summary: "Replaces the driver's filters, if they are still those of the ETag given.",
    auth: "bearer",
    headers: filtersHeaders,
    body: filtersInput,
    responses: { 200: filtersResponse },
    errors: ["not_found", "stale_version"],
  },
  "GET /flex/v1/warehouses": {
    summary: "The warehouses at which the driver can work.",
    auth: "bearer",
    responses: { 200: warehousesResponse },
    errors: ["not_found", "not_linked"],
  },

  "GET /flex/v1/blocks": {
    summary: "Blocks that were captured, passed over or lost; newest first, 50 a page.",
    auth: "bearer",
    query: blocksQueryInput,
    responses: { 200: blocksResponse },
    errors: [],
  },
  "GET /flex/v1/blocks/passed-over": {
    summary:
      "What the filters passed over in the last seven days (the newest 2,000 offers), by reason, and what one change would have let through.",
    auth: "bearer",
    responses: { 200: passedOverResponse },
    errors: ["not_found"],
  },
  "GET /flex/v1/blocks/next": {
    summary: "The next block to check in to, and its warehouse.",
    auth: "arrived",
    responses: { 200: nextBlockResponse },
    errors: [],
  },
  "POST /flex/v1/blocks/{id}/check-in": {
    summary: "Checks in to a block at the position that the driver's device measured.",
    auth: "arrived",
    params: checkInParams,
    body: devicePosition,
    responses: { 200: checkInResponse },
    errors: CHECK_IN_ERRORS,
  },
  "POST /flex/v1/blocks/{id}/take-again": {
    summary: "Lets a block that the driver gave back be taken if it is offered again.",
    auth: "bearer",
    params: takeAgainParams,
    responses: { 204: null },
    errors: ["not_found"],
  },

  "POST /flex/v1/live/ticket": {
    summary: "A ticket for one live connection: one use, 30 seconds.",
    auth: "bearer",
    responses: { 200: liveTicket },
    errors: [],
  },
  "GET /flex/v1/live": {
    summary:
      "The live connection: a WebSocket with the subprotocols `jornada.live.v1` and `ticket.<ticket>`. Its messages are ServerMessage and ClientMessage.",
    auth: "ticket",
    responses: { 101: null },
    errors: ["invalid_request", "forbidden"],
  },

  "GET /flex/v1/setup": {
    summary: "How far linking the delivery platform's account has come.",
    auth: "bearer",
    responses: { 200: setupResponse },
    errors: LINK_ERRORS,
  },
  "POST /flex/v1/setup/login": {
    summary: "Signs in to the delivery platform. The password is used once and never stored.",
    auth: "bearer",
    body: setupLogin,
    responses: { 200: setupResponse },
    errors: LINK_ERRORS,
  },
  "POST /flex/v1/setup/otp": {
    summary: "Enters the code that the delivery platform sent.",
    auth: "bearer",
    body: setupOtp,
    responses: { 200: setupResponse },
    errors: LINK_ERRORS,
  },
  "POST /flex/v1/setup/otp/resend": {
    summary: "Asks the delivery platform for another code.",
    auth: "bearer",
    responses: { 200: setupResponse },
    errors: LINK_ERRORS,
  },
  "DELETE /flex/v1/setup": {
    summary: "Unlinks the delivery platform's account.",
    auth: "bearer",
    responses: { 204: null },
    errors: ["not_found"],
  },

  "GET /flex/v1/spot": {
    summary: "The driver's spot in their city, or their place in its line.",
    auth: "bearer",
    responses: { 200: spotResponse },
    errors: ["not_found"],
  },
  "POST /flex/v1/spot/take": {
    summary: "Takes the spot that is kept for the driver, within 48 hours.",
    auth: "bearer",
    responses: { 200: spotResponse },
    errors: ["not_found", "spot_gone"],
  },
  "POST /flex/v1/spot/join": {
    summary: "Gets a spot, or joins the end of the line, for a driver who let theirs pass or lost it.",
    auth: "bearer",
    responses: { 200: spotResponse },
    errors: ["not_found"],
  },

  "GET /flex/v1/raffles": {
    summary: "The raffles that the driver is in, and whether they won.",
    auth: "bearer",
    responses: { 200: rafflesResponse },
    errors: [],
  },
  "GET /flex/v1/plans": {
    summary: "The plans that are for sale, at the driver's prices now.",
    auth: "bearer",
    responses: { 200: plansResponse },
    errors: ["not_found"],
  },
  "GET /flex/v1/payments": {
    summary: "What the driver paid; newest first, 20 a page.",
    auth: "bearer",
    query: paymentsQueryInput,
    responses: { 200: paymentsResponse },
    errors: ["rate_limited"],
  },
  "POST /flex/v1/payments/quote": {
    summary: "What a plan costs the driver now.",
    auth: "bearer",
    body: quoteInput,
    responses: { 200: quote },
    errors: ["not_found", "rate_limited"],
  },
  "POST /flex/v1/payments/prepare": {
    summary: "Prepares a payment for the total that the driver saw. Repeating it prepares nothing twice.",
    auth: "bearer",
    body: prepareInput,
    responses: { 200: prepareResponse },
    errors: [
      "not_found",
      "waiting_for_spot",
      "not_linked",
      "already_paid",
      "points_short",
      "price_changed",
      "payment_processing",
      "payments_paused",
      "conflict",
      "rate_limited",
      "cards_unavailable",
      "payments_unreachable",
    ],
  },
  "GET /flex/v1/payments/cards": {
    summary: "The driver's saved cards, and what 'same again' buys.",
    auth: "bearer",
    responses: { 200: savedCardsResponse },
    errors: ["not_found", "rate_limited", "cards_unavailable", "payments_unreachable"],
  },
  "DELETE /flex/v1/payments/cards/{id}": {
    summary: "Removes a saved card. A renewal that uses it is turned off.",
    auth: "bearer",
    params: savedCardParams,
    responses: { 204: null },
    errors: ["not_found", "rate_limited", "cards_unavailable", "payments_unreachable"],
  },
  "POST /flex/v1/payments/session": {
    summary: "A session in which the card form shows the saved cards.",
    auth: "bearer",
    responses: { 200: customerSessionResponse },
    errors: ["not_found", "rate_limited", "cards_unavailable", "payments_unreachable"],
  },
  "GET /flex/v1/payments/renewal": {
    summary: "The driver's renewal; null if they never agreed to one.",
    auth: "bearer",
    responses: { 200: renewalResponse },
    errors: ["not_found", "rate_limited"],
  },
  "PUT /flex/v1/payments/renewal": {
    summary: "Turns the renewal off, or on again as it was.",
    auth: "bearer",
    body: renewalInput,
    responses: { 200: renewalResponse },
    errors: ["not_found", "price_changed", "rate_limited"],
  },
  "GET /flex/v1/payments/{id}": {
    summary: "One payment, settled first if the card processor knows more of it.",
    auth: "bearer",
    params: paymentParams,
    responses: { 200: paymentResponse },
    errors: ["not_found", "rate_limited", "cards_unavailable", "payments_unreachable"],
  },
  "POST /flex/v1/payments/{id}/cancel": {
    summary:
      "Calls a payment off that is not decided, if the bank still allows it. The answer says what became of it.",
    auth: "bearer",
    params: paymentParams,
    responses: { 200: cancelResponse },
    errors: ["not_found", "rate_limited", "cards_unavailable", "payments_unreachable"],
  },
  "GET /flex/v1/payments/{id}/receipt": {
    summary: "Our own receipt of a payment that went through, by points too. It does not expire.",
    auth: "bearer",
    params: paymentParams,
    responses: { 200: receipt },
    errors: ["not_found", "rate_limited"],
  },

  "GET /flex/v1/rewards": {
    summary: "The driver's points, how they were earned and spent, and what they buy.",
    auth: "bearer",
    responses: { 200: rewardsResponse },
    errors: ["not_found"],
  },
  "POST /flex/v1/rewards/redeem": {
    summary: "Redeems points for a reward, once per idempotency key. The effect is immediate.",
    auth: "bearer",
    body: redeemInput,
    responses: { 200: redeemResponse },
    errors: [
      "not_found",
      "conflict",
      "points_short",
      "waiting_for_spot",
      "own_number",
      "already_registered",
      "already_invited",
      "invitations_used_up",
    ],
  },
  "GET /flex/v1/invitations": {
    summary: "The driver's link, and whom they invited; newest first.",
    auth: "bearer",
    responses: { 200: invitationsResponse },
    errors: ["not_found"],
  },
  "POST /flex/v1/invitations": {
    summary: "Invites a number. It gets one text from us, whoever invites it.",
    auth: "bearer",
    body: invitationInput,
    responses: { 200: invitedResponse },
    errors: [
      "not_found",
      "own_number",
      "already_registered",
      "already_invited",
      "invitations_used_up",
      "rate_limited",
      "text_not_sent",
    ],
  },
  "GET /flex/v1/feedback": {
    summary: "Whether the driver is to be asked now what they think.",
    auth: "bearer",
    responses: { 200: feedbackResponse },
    errors: [],
  },
  "POST /flex/v1/feedback": {
    summary: "What the driver thinks, or that they skipped the question.",
    auth: "bearer",
    body: feedbackInput,
    responses: { 204: null },
    errors: [],
  },

  "POST /flex/v1/errors": {
    summary: "Reports what broke in a page.",
    auth: "bearer",
    body: errorReport,
    responses: { 204: null },
    errors: ["rate_limited"],
  },

  "POST /webhooks/stripe": {
    summary: "Takes an event of the card processor.",
    auth: "signature",
    body: stripeEvent,
    responses: { 200: webhookResponse },
    errors: ["invalid_request", "cards_unavailable"],
  },
  "POST /webhooks/texts/status": {
    summary: "What became of a text, from the text gateway.",
    auth: "text_signature",
    query: textReportQuery,
    form: textReport,
    responses: { 204: null },
    errors: ["forbidden"],
  },
  "POST /webhooks/texts/incoming": {
    summary: "A text from a phone, from the text gateway: STOP, START and HELP. The answer is in its markup.",
    auth: "text_signature",
    form: incomingText,
    responses: { 200: null },
    errors: ["forbidden"],
  },
} as const satisfies Record<string, ApiRoute> & Record<SealedRoute, ApiRoute>;
