import type * as z from "zod/mini";
import type { ErrorCode } from "./error-response.ts";

/**
 * How a call authenticates. `bearer`: an id token of the user pool. `arrived`: that, or the token of the arrived
 * frame. `ticket`: a live ticket. `undo`: the link in a text that told of a change. `owner_link`: a link that
 * its owner opens without signing in. `calendar_address`: the secret name that ends the address. `signature`: the card
 * processor's over the body. `text_signature`: the text gateway's over the form.
 */
export type ApiAuth =
  | "none"
  | "bearer"
  | "arrived"
  | "ticket"
  | "undo"
  | "owner_link"
  | "calendar_address"
  | "signature"
  | "text_signature";

/** A body other than JSON, without a schema of ours. */
export type MediaType = "text/xml" | "text/calendar";

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
  /** The body of each success status, or its media type; null if there is none. */
  responses: Readonly<Record<number, z.ZodMiniType | MediaType | null>>;
  /** Error codes beside those that follow from its auth and its input. */
  errors: readonly ErrorCode[];
};
