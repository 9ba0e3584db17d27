import type { DriverId, EpochMs } from "../../db/shapes/units.ts";

/** When a driver was last erased, or their renewal turned off. */
export type Recorded = { id: DriverId; at: EpochMs };

/** The record that outlives the database, for when it is restored. */
export type RestoreRecordRpc = Rpc.DurableObjectBranded & {
  /** An account is being deleted. */
  recordErased(id: DriverId, at: EpochMs): Promise<void>;
  listErasures(): Promise<Recorded[]>;
  /** A renewal was turned off, by whatever the driver or support did, or on again. */
  recordRenewal(id: DriverId, change: { isOn: boolean; at: EpochMs }): Promise<void>;
  listRenewalsOff(): Promise<Recorded[]>;
  /** No renewal takes a step until they are released. */
  holdRenewals(at: EpochMs): Promise<void>;
  releaseRenewals(): Promise<void>;
  renewalsHeldSince(): Promise<EpochMs | null>;
};
