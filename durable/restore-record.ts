import { DurableObject } from "cloudflare:workers";
import type { DriverId, EpochMs } from "../db/shapes/units.ts";
import type { DatabaseOutage, Env, Recorded, RestoreRecordRpc } from "./runtime/env.ts";

/** As long as anybody restores a copy of the database: an export may be a year old. */
const KEPT_MS = 400 * 86_400_000;

/**
 * The one object that outlives the database: whoever restores that learns from here who was deleted and which renewals were
 * turned off since. It holds random ids and instants, nothing else of anybody. It also knows of an outage of the database,
 * of which the crons tell operators once.
 */
export class RestoreRecord extends DurableObject<Env> implements RestoreRecordRpc {
  readonly #sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS events (kind TEXT, id TEXT, at INTEGER, PRIMARY KEY (kind, id))`,
    );
  }

  async recordErased(id: DriverId, at: EpochMs): Promise<void> {
    this.#write("erased", id, at);
    this.#sql.exec(`DELETE FROM events WHERE kind = 'renewal_off' AND id = ?`, id);
    this.#sql.exec(`DELETE FROM events WHERE kind <> 'hold' AND at < ?`, at - KEPT_MS);
  }

  async listErasures(): Promise<Recorded[]> {
    return this.#list("erased");
  }

  async recordRenewal(id: DriverId, { isOn, at }: { isOn: boolean; at: EpochMs }): Promise<void> {
    if (isOn) this.#sql.exec(`DELETE FROM events WHERE kind = 'renewal_off' AND id = ?`, id);
    else this.#write("renewal_off", id, at);
  }

  async listRenewalsOff(): Promise<Recorded[]> {
    return this.#list("renewal_off");
  }

  async holdRenewals(at: EpochMs): Promise<void> {
    this.#write("hold", "renewals", at);
  }

  async releaseRenewals(): Promise<void> {
    this.#sql.exec(`DELETE FROM events WHERE kind = 'hold'`);
  }

  async renewalsHeldSince(): Promise<EpochMs | null> {
    const [row] = this.#sql.exec<{ at: number }>(`SELECT at FROM events WHERE kind = 'hold'`).toArray();
    return row?.at ?? null;
  }

  async outage(): Promise<DatabaseOutage | null> {
    const at = new Map(this.#list("outage").map(({ id, at: instant }) => [String(id), instant]));
    const [since, seenAt] = [at.get("since"), at.get("seen")];
    if (since === undefined || seenAt === undefined) return null;
    return { since, seenAt, toldAt: at.get("told") ?? null };
  }

  async noteOutage({ since, seenAt, toldAt }: DatabaseOutage): Promise<void> {
    this.#write("outage", "since", since);
    this.#write("outage", "seen", seenAt);
    if (toldAt !== null) this.#write("outage", "told", toldAt);
  }

  async endOutage(): Promise<void> {
    this.#sql.exec(`DELETE FROM events WHERE kind = 'outage'`);
  }

  #write(kind: string, id: string, at: EpochMs): void {
    this.#sql.exec(
      `INSERT INTO events (kind, id, at) VALUES (?1, ?2, ?3) ON CONFLICT (kind, id) DO UPDATE SET at = ?3`,
      kind,
      id,
      at,
    );
  }

  #list(kind: string): Recorded[] {
    return this.#sql.exec<Recorded>(`SELECT id, at FROM events WHERE kind = ? ORDER BY at`, kind).toArray();
  }
}
