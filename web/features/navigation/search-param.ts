import * as z from "zod/mini";

/**
 * An optional search parameter of a route. A malformed one becomes `undefined` and is not left out: the router lays what
 * a route validates over what stands in the address, so that what is left out would reach the screen as it was given.
 */
export function searchParam<Shape extends z.ZodMiniType>(shape: Shape) {
  return searchParamOr(z.optional(shape), undefined);
}

/** A search parameter of a route that has a value where it is missing or malformed. */
export function searchParamOr<Shape extends z.ZodMiniType>(shape: Shape, fallback: z.output<Shape>) {
  // oxlint-disable-next-line promise/valid-params -- zod's, not a promise's
  return z.catch(shape, fallback);
}

/** A path of this site to go back to after signing in. */
export const returnPath = z.string().check(z.regex(/^\/(?![/\\])\S*$/), z.maxLength(2_048));

/** Whether a path belongs to linking the delivery account. */
export function isSetupPath(returnPath: string): boolean {
  return /^\/flex\/(login|otp|confirmation)\b/.test(returnPath);
}
