import { writeAct } from "../../db/queries/operators/acts.ts";
import {
  approvalStatement,
  canBeAsked,
  decisionStatement,
  isWaiting,
  listApprovals,
  loadApproval,
  type ApprovalRow,
} from "../../db/queries/operators/approvals.ts";
import { loadCurrencies } from "../../db/queries/payments/payments.ts";
import type { ActFacts } from "../../db/shapes/operators.ts";
import { HOUR_MS, type Cents, type DriverId } from "../../db/shapes/units.ts";
import {
  type ActResponse,
  REQUEST_HOURS,
  type DecisionInput,
  type OperatorRequest,
  type RequestsResponse,
} from "../contract/console/operators.ts";
import { driverAct, type DriverAct } from "../contract/console/operator-acts.ts";
import { ApiError } from "../http/errors/api-error.ts";
import { loadRecord } from "./act-plans.ts";
import { factsOf, toActEntry, type ConsoleContext } from "./acts.ts";

const LIST_SIZE = 50;

/** Acts that nobody does alone, whatever their role. */
export const NEEDS_TWO: ReadonlySet<DriverAct["act"]> = new Set(["export_data", "erase"]);

/**
 * Leaves an act to be decided by an owner, once per key, and writes who asked. Nothing else happens.
 * @throws {ApiError} `conflict` where the key was used for another act, or another request for the act waits, `not_found`
 */
export async function askForApproval(
  context: ConsoleContext,
  { driverId, id }: { driverId: DriverId; id: string },
  { input, worthCents }: { input: DriverAct; worthCents: Cents },
): Promise<ActResponse> {
  const { db, deps, operator } = context;
  const known = await loadApproval(db, id);
  const stored = JSON.stringify(input);
  if (known && (known.operator !== operator.name || known.driverId !== driverId || known.input !== stored))
    throw new ApiError("conflict");
  const now = deps.now();
  const [what] = await factsOfAsked(db, [input]);
  const approval = {
    id,
    driverId,
    act: input.act,
    input: stored,
    worthCents,
    operator: operator.name,
    role: operator.role,
    askedAt: now,
    expiresAt: now + REQUEST_HOURS * HOUR_MS,
  };
  const asked = {
    id: `${id}:asked`,
    operator: operator.name,
    role: operator.role,
    act: "ask" as const,
    driverId,
    what: { asked: input.act, ...what },
    reason: input.reason,
    before: {},
    after: {},
    worthCents: 0,
    at: now,
  };
  const outcome = await writeAct(db, asked, {
    condition: canBeAsked(approval),
    effects: (where) => [approvalStatement(db, approval, where)],
    limits: null,
  });
  if (outcome.status === "refused") {
    await loadRecord(context, driverId);
    throw new ApiError("conflict");
  }
  return { act: toActEntry(outcome.act), status: "waiting" };
}

/** A request that this operator may decide now, with the act that it asks for. */
export type OpenRequest = { approval: ApprovalRow; input: DriverAct };

/**
 * The request, for an owner to decide.
 * @throws {ApiError} `not_found`, `forbidden` for one's own, `conflict` where it is decided or has ended
 */
export async function loadOpenRequest(
  { db, deps, operator }: ConsoleContext,
  id: string,
): Promise<OpenRequest> {
  const approval = await loadApproval(db, id);
  if (!approval) throw new ApiError("not_found");
  if (approval.operator === operator.name || operator.role !== "owner") throw new ApiError("forbidden");
  // An act of a later release can't be done by this one.
  const input = driverAct.safeParse(parseJson(approval.input)).data;
  if (!input || statusOf(approval, deps) !== "waiting") throw new ApiError("conflict");
  return { approval, input };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Ends a request without doing what it asks for. @throws {ApiError} `conflict` where another owner was first */
export async function declineRequest(
  { db, deps, operator }: ConsoleContext,
  { approval }: OpenRequest,
  { reason }: DecisionInput,
): Promise<ActResponse> {
  const { id, driverId, act } = approval;
  const now = deps.now();
  const declined = {
    id: `${id}:declined`,
    operator: operator.name,
    role: operator.role,
    act: "decline" as const,
    driverId,
    what: { asked: act, askedBy: approval.operator },
    reason,
    before: {},
    after: {},
    worthCents: 0,
    at: now,
  };
  const outcome = await writeAct(db, declined, {
    condition: isWaiting(id, now),
    effects: (where) => [
      decisionStatement(db, { id, decidedBy: operator.name, now, isApproved: false }, where),
    ],
    limits: null,
  });
  if (outcome.status !== "done") throw new ApiError("conflict");
  return { act: toActEntry(outcome.act), status: "done" };
}

/** Requests that wait, and the latest that are decided. */
export async function listRequests({ db, deps }: ConsoleContext): Promise<RequestsResponse> {
  const found = await listApprovals(db, { now: deps.now(), limit: LIST_SIZE + 1 });
  const rows = found.slice(0, LIST_SIZE);
  const asked = rows.map(({ approval }) => driverAct.safeParse(parseJson(approval.input)).data ?? null);
  const facts = await factsOfAsked(db, asked);
  return {
    hasMore: found.length > rows.length,
    requests: rows.map(({ approval, driverName }, index): OperatorRequest => {
      const { input: _input, isApproved: _isApproved, ...row } = approval;
      const reason = asked[index]?.reason ?? "";
      return { ...row, driverName, what: facts[index] ?? {}, reason, status: statusOf(approval, deps) };
    }),
  };
}

/** The facts of each act; a refund's name the currency of its payment. None where the act can't be read. */
async function factsOfAsked(
  db: ConsoleContext["db"],
  asked: readonly (DriverAct | null)[],
): Promise<ActFacts[]> {
  const refunds = asked.flatMap((input) => (input?.act === "refund" ? [input.paymentId] : []));
  const currencies = await loadCurrencies(db, refunds);
  return asked.map((input): ActFacts => {
    if (input === null) return {};
    const currency = input.act === "refund" ? currencies.get(input.paymentId) : undefined;
    return currency === undefined ? factsOf(input) : { ...factsOf(input), currency };
  });
}

/** It ends with its time, and with its operator: the two whom an act needs are operators when it is done. */
function statusOf(
  { decidedAt, isApproved, expiresAt, operator }: ApprovalRow,
  { config: { operators }, now }: Pick<ConsoleContext["deps"], "config" | "now">,
): OperatorRequest["status"] {
  if (decidedAt !== null) return isApproved ? "approved" : "declined";
  const isListed = operators?.owners.includes(operator) || operators?.support.includes(operator);
  return isListed && expiresAt > now() ? "waiting" : "expired";
}

/** Whether an operator asked for or approved the export of a driver's data of late, which they may fetch then. */
export async function requireExportOf(
  { db, deps, operator }: ConsoleContext,
  id: string,
  holdsMs: number,
): Promise<DriverId> {
  const approval = await loadApproval(db, id);
  if (approval?.act !== "export_data" || !approval.isApproved || approval.decidedAt === null)
    throw new ApiError("not_found");
  if (approval.operator !== operator.name && approval.decidedBy !== operator.name)
    throw new ApiError("forbidden");
  if (deps.now() - approval.decidedAt > holdsMs) throw new ApiError("conflict");
  return approval.driverId;
}
