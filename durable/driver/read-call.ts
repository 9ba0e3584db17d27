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
 * The arguments of a call may come from a later release than the driver's object: during a deployment the two differ. The
 * object parses them like its own stored rows, so no word that it doesn't know gets into the machine.
 */
export const readOwner = (owner: DriverOwner): DriverOwner => readOr(driverOwner, owner);
export const readProfile = (given: Profile): Profile => readOr(profile, given);
export const readServiceChanges = (changes: readonly ServiceChange[]): readonly ServiceChange[] =>
  readOr(z.array(serviceChange), changes);
export const readNews = (news: readonly DriverNews[]): readonly DriverNews[] =>
  readOr(z.array(driverNews), news);

/** A value that is malformed in another way stays as it was passed: a call that sets up a driver never fails here. */
function readOr<Value>(shape: z.core.$ZodType<Value>, given: Value): Value {
  try {
    return readShape(shape, given);
  } catch {
    return given;
  }
}
