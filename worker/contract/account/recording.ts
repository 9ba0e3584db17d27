import * as z from "zod/mini";
import type { ApiRoute } from "../api-route.ts";

/** GET /flex/v1/user/recording: whether the driver lets their sessions be recorded; `consent` is null until they were asked. */
export const recordingResponse = z.object({
  consent: z.nullable(z.boolean()),
  /** The identity that the recorder gets. */
  phoneNumber: z.string(),
});
export type RecordingResponse = z.infer<typeof recordingResponse>;

/** PUT /flex/v1/user/recording: the driver's answer, which they can change at any time. */
export const recordingInput = z.object({ consent: z.boolean() });
export type RecordingInput = z.infer<typeof recordingInput>;

/** The recording of sessions. */
export const RECORDING_ROUTES = {
  "GET /flex/v1/user/recording": {
    summary: "Whether the driver lets their sessions be recorded. There is no such thing where nothing is.",
    auth: "bearer",
    responses: { 200: recordingResponse },
    errors: ["not_found"],
  },
  "PUT /flex/v1/user/recording": {
    summary: "Allows or ends the recording of the driver's sessions.",
    auth: "bearer",
    body: recordingInput,
    responses: { 200: recordingResponse },
    errors: ["not_found"],
  },
} as const satisfies Record<string, ApiRoute>;
