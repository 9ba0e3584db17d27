import type { CheckInResult, DevicePosition, NextBlockResponse } from "../../db/shapes/check-in.ts";
import type { BlockList, LogEntry } from "../../db/shapes/driver-log.ts";
import type { EarningsResponse } from "../../db/shapes/earnings.ts";
import type { LinkResult } from "../../db/shapes/linking.ts";
import type { Snapshot } from "../../db/shapes/live.ts";
import type { PushSubscriptionInput } from "../../db/shapes/notifications.ts";
import type { Warehouse } from "../../db/shapes/offer.ts";
import type { DriverOwner, Profile, ServiceChange } from "../../db/shapes/profile.ts";
import type { BlockId } from "../../db/shapes/units.ts";

/**
 * What the driver's object answers to the Worker. It stands under the object's class, so that the
 * bindings can name it without knowing the class.
 */
export interface DriverRpc extends Rpc.DurableObjectBranded {
  /** Takes D1's copy of the driver, where it is newer than the object's, and the service changes to notify the driver of. */
  configure(owner: DriverOwner, profile: Profile, serviceChanges?: readonly ServiceChange[]): Promise<void>;
  /** What an open dashboard shows. */
  snapshot(): Snapshot;
  /** One page of the whole log, oldest first. */
  logPage(page: { after: number; limit: number }): LogEntry[];
  /** One page of a list, newest first. */
  list(name: BlockList, page: { cursor: number; limit: number }): LogEntry[];
  warehouses(): readonly Warehouse[];
  /** What the driver earned in this week and the last; null where no account is linked, or none was ever read. */
  earnings(): Promise<EarningsResponse["earnings"]>;
  startLink(owner: DriverOwner, credentials: { email: string; password: string }): Promise<LinkResult>;
  submitLinkCode(owner: DriverOwner, code: string): Promise<LinkResult>;
  resendLinkCode(owner: DriverOwner): Promise<LinkResult>;
  linkStatus(owner: DriverOwner): Promise<LinkResult>;
  /** The block to check in to next, and where. */
  nextBlock(): Promise<NextBlockResponse>;
  checkIn(blockId: BlockId, position: DevicePosition): Promise<CheckInResult>;
  /** Forgets the platform account. The platform is told where it can be reached. */
  unlink(): Promise<void>;
  /** The driver goes for good: nothing stays here. */
  deleteAccount(): Promise<void>;
  /** A browser listens for its driver from now on. */
  addPushSubscription(owner: DriverOwner, subscription: PushSubscriptionInput): void;
  removePushSubscription(endpoint: string): void;
  /** How many browsers listen for the driver. */
  countPushSubscriptions(): number;
  /** How many rows of the storage could not be read and are set aside. */
  countUnreadableRows(): number;
  /** Sets an alarm that was lost, and catches up on maintenance. */
  wake(): Promise<void>;
  /** A dashboard's WebSocket, with a ticket that the Worker has verified. */
  fetch(request: Request): Promise<Response>;
}
