import type { Endpoint, ExtractSchema } from "hono/types";
import type * as z from "zod/mini";
import type { Api, WebhookApi } from "../../worker/app.ts";
import type { API_ROUTES } from "../../worker/contract/api-routes.ts";

type Routes = typeof API_ROUTES;
type Schema = ExtractSchema<Api> & ExtractSchema<WebhookApi>;

/** Converts `/user/:phone{[0-9]+}` to `/user/{phone}`. */
type DocumentedPath<Path extends string> = Path extends `${infer Head}/:${infer Rest}`
  ? Rest extends `${infer Name}{${string}`
    ? `${Head}/{${Name}}`
    : Rest extends `${infer Name}/${infer Tail}`
      ? `${Head}/{${Name}}/${DocumentedPath<Tail>}`
      : `${Head}/{${Rest}}`
  : Path;

/** Every call of the app with Hono's type of it: a union of responses. */
type AppCall = {
  [Path in keyof Schema & string]: {
    [Method in keyof Schema[Path] & `$${string}`]: Method extends `$${infer Name}`
      ? { route: `${Uppercase<Name>} ${DocumentedPath<Path>}`; endpoint: Schema[Path][Method] }
      : never;
  }[keyof Schema[Path] & `$${string}`];
}[keyof Schema & string];

type EndpointOf<Route> = Extract<AppCall, { route: Route }>["endpoint"];

type InputAt<Input, Place extends string> = Input extends { [P in Place]: infer Given } ? Given : never;
type ShapeAt<Route, Place extends string> = Route extends { [P in Place]: infer Shape extends z.ZodMiniType }
  ? z.input<Shape>
  : never;

type AreSame<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

/** Statuses and bodies that a handler returns but that are missing in the table. */
type UnnamedResponses<Documented, Given> = Given extends { output: infer Output; status: infer Status }
  ? Status extends keyof Documented
    ? Documented[Status] extends z.ZodMiniType
      ? Output extends z.input<Documented[Status]>
        ? never
        : Given
      : Output extends (Documented[Status] extends string ? string : null)
        ? never
        : Given
    : Given
  : Given;

type Difference<Route extends keyof Routes> =
  EndpointOf<Route> extends infer Given extends Endpoint
    ? AreSame<InputAt<Given["input"], "json">, ShapeAt<Routes[Route], "body">> extends false
      ? `${Route}: body`
      : AreSame<keyof InputAt<Given["input"], "param">, keyof ShapeAt<Routes[Route], "params">> extends false
        ? `${Route}: params`
        : AreSame<keyof InputAt<Given["input"], "query">, keyof ShapeAt<Routes[Route], "query">> extends false
          ? `${Route}: query`
          : AreSame<
                keyof InputAt<Given["input"], "header">,
                keyof ShapeAt<Routes[Route], "headers">
              > extends false
            ? `${Route}: headers`
            : [UnnamedResponses<Routes[Route]["responses"], Given>] extends [never]
              ? never
              : `${Route}: responses`
    : never;

/**
 * The export and the live connection return a `Response` that Hono has no type for; the card processor's library reads the
 * event that it signed. Of the forms of the text gateway the compiler knows nothing: `parseForm` reads them.
 */
type Untyped = "GET /flex/v1/user/export" | "GET /flex/v1/live" | "POST /webhooks/stripe";

/** Each call for which app and table differ, with the difference. */
export type RouteDifference =
  | { [Route in Exclude<AppCall["route"], Untyped> & keyof Routes]: Difference<Route> }[Exclude<
      AppCall["route"],
      Untyped
    > &
      keyof Routes]
  | Exclude<AppCall["route"], keyof Routes>;
