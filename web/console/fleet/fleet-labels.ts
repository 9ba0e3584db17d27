import type { FleetState } from "../../../db/shapes/fleet.ts";
import type { FleetListName } from "../../../worker/contract/console/fleet.ts";
import { m } from "../messages/messages.js";

export const FLEET_LIST_LABELS = {
  looking: m.fleet_looking,
  waiting: m.fleet_waiting,
  asleep: m.fleet_asleep,
  signedOut: m.fleet_signed_out,
  notLinked: m.fleet_not_linked,
  verification: m.fleet_verification,
  noService: m.fleet_no_service,
  stale: m.fleet_stale,
  failing: m.fleet_failing,
  off: m.fleet_off,
} satisfies Record<FleetListName, () => string>;

export const FLEET_STATE_LABELS = {
  off: m.fleet_off,
  asleep: m.fleet_asleep,
  polling: m.fleet_looking,
  throttled: m.fleet_throttled,
  quota_used_up: m.fleet_quota,
  weekly_limit: m.fleet_weekly,
  unreadable: m.fleet_unreadable,
  blocks_unreadable: m.fleet_blocks_unreadable,
  unreachable: m.fleet_unreachable,
  verification_required: m.fleet_verification,
  signed_out: m.fleet_signed_out,
  not_linked: m.fleet_not_linked,
  no_service: m.fleet_no_service,
} satisfies Record<FleetState, () => string>;
