import { readdirSync, readFileSync } from "node:fs";
import type * as z from "zod/mini";
import { serverMessage } from "../../db/shapes/work/live.ts";
import * as pause from "../../db/shapes/money/pause.ts";
import * as checkIn from "../../db/shapes/work/check-in.ts";
import * as earnings from "../../db/shapes/work/earnings.ts";
import * as linking from "../../db/shapes/work/linking.ts";
import * as live from "../../db/shapes/work/live.ts";
import * as notifications from "../../db/shapes/notifications.ts";
import * as otherOffers from "../../db/shapes/work/other-offers.ts";
import { encodeVersioned, decodeVersioned, parseVersioned, versionOf } from "../../db/shapes/versioned.ts";
import { readMessage } from "../../web/api/live/live.ts";
import { parseRequestError } from "../../web/api/client/request-error.ts";
import { parseResponse } from "../../web/api/client/request.ts";
import { API_ROUTES, CONTRACTS } from "../../worker/contract/api-routes.ts";
import type { ApiRoute } from "../../worker/contract/api-route.ts";
import * as money from "../../worker/contract/console/operator-money.ts";
import * as deployment from "../../worker/contract/console/operator-deployment.ts";
import * as drivers from "../../worker/contract/console/operator-drivers.ts";
import * as exports from "../../worker/contract/console/operator-exports.ts";
import * as fleet from "../../worker/contract/console/fleet.ts";
import * as operators from "../../worker/contract/console/operators.ts";
import * as voice from "../../worker/contract/console/voice.ts";
import { errorResponse } from "../../worker/contract/error-response.ts";
import { STORED_VALUES } from "../stored/stored-values.ts";

type Schema = z.core.$ZodType;

/** How something that another release wrote or sent is read here. */
export type Reader = { shape: Schema; read: (value: unknown) => unknown };

const CONSOLE = [deployment, drivers, exports, fleet, money, operators, voice];
const SHARED = [checkIn, earnings, linking, live, notifications, otherOffers, pause];

/** The shapes by the names that the page and the console import them by. */
const NAMED = new Map<string, unknown>(
  [...CONTRACTS, ...CONSOLE, ...SHARED].flatMap((module: object) => Object.entries(module)),
);

/** The shapes of responses that the sources of page and console read, by name. */
export function readResponseNames(): string[] {
  const web = new URL("../../web/", import.meta.url);
  const files = readdirSync(web, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.tsx?$/.test(path),
  );
  const names = files.flatMap((path) =>
    [...readFileSync(new URL(path, web), "utf8").matchAll(/parseResponse\(\s*(\w+),/g)].map(
      ([, name = ""]) => name,
    ),
  );
  return [...new Set(names)].toSorted();
}

/** @throws {Error} for a name that no contract exports */
export function responseShape(name: string): Schema {
  const shape = NAMED.get(name);
  if (!isSchema(shape)) throw new Error(`test/skew/readers.ts knows no contract that exports ${name}`);
  return shape;
}

/** Those of the API's responses that are JSON of a shape. */
export const API_RESPONSES: ReadonlyMap<string, Schema> = new Map(
  Object.entries<ApiRoute>(API_ROUTES).flatMap(([route, { responses }]) =>
    Object.values(responses).flatMap((body): [string, Schema][] => (isSchema(body) ? [[route, body]] : [])),
  ),
);

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && "_zod" in value;
}

const responseOf = (status: number, body: unknown) => ({
  ok: status === 200,
  status,
  headers: new Headers(),
  json: () => Promise.resolve(body),
});

const responses = readResponseNames().map((name): [string, Reader] => {
  const shape = responseShape(name) as z.ZodMiniType;
  return [`the response ${name}`, { shape, read: (body) => parseResponse(shape, responseOf(200, body)) }];
});

const stored = [...STORED_VALUES].map(([name, versioned]): [string, Reader] => {
  const version = versionOf(versioned) + 1;
  const read = name.startsWith("page/")
    ? (value: unknown) => decodeVersioned(versioned, encodeVersioned(versioned, value))
    : (value: unknown) => parseVersioned(versioned, { version, value });
  return [`what is stored as ${name}`, { shape: versioned.shape, read }];
});

/** Every parser of what another release wrote or sent. */
export const READERS: readonly [string, Reader][] = [
  ...responses,
  ...stored,
  ["a message of the driver's object", { shape: serverMessage, read: readMessage }],
  [
    "an error",
    {
      shape: errorResponse,
      read: async (body) => {
        const { code, fields, retryAfter, attemptsLeft } = await parseRequestError(responseOf(400, body));
        return { code, fields, retryAfter, attemptsLeft };
      },
    },
  ],
];
