import * as z from "zod/mini";
import { driverNews, type DriverNews } from "../../db/shapes/driver-news.ts";
import {
  driverOwner,
  profile,
  serviceChange,
  type DriverOwner,
  type Profile,
  type ServiceChange,
} from "../../db/shapes/profile.ts";
import { readShape } from "../../db/shapes/tolerant.ts";

/**
 * What a Worker passes to the driver's object may be of a later release: during a deployment the two differ. Its words are
 * read as the object's own stored rows are, so that none gets into the machine that it doesn't know.
 */
export const readOwner = (owner: DriverOwner): DriverOwner => readOr(driverOwner, owner);
export const readProfile = (given: Profile): Profile => readOr(profile, given);
export const readServiceChanges = (changes: readonly ServiceChange[]): readonly ServiceChange[] =>
  readOr(z.array(serviceChange), changes);
export const readNews = (news: readonly DriverNews[]): readonly DriverNews[] =>
  readOr(z.array(driverNews), news);

/** What is more than unknown words stays as it was passed: a call that sets a driver up never fails here. */
function readOr<Value>(shape: z.core.$ZodType<Value>, given: Value): Value {
  try {
    return readShape(shape, given);
  } catch {
    return given;
  }
}
