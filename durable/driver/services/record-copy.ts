import { toDriverOwner } from "../../../db/queries/accounts/drivers.ts";
import type { Announcement, AnnouncementPushes } from "../../../db/shapes/announcement.ts";
import { isSpotNews, type DriverNews } from "../../../db/shapes/driver-news.ts";
import type { DriverOwner, Profile, ServiceChange } from "../../../db/shapes/profile.ts";
import type { Deps } from "../../deps.ts";
import type { Alarm } from "../alarm.ts";
import type { EventLoop } from "../event-loop.ts";
import type { Machine } from "../machine.ts";
import type { Maintenance } from "../maintenance.ts";
import type { OwnRecord } from "../own-record.ts";
import type { Ownership } from "../ownership.ts";
import { readNews, readProfile, readServiceChanges } from "../read-call.ts";
import type { Recorder } from "../recorder.ts";
import type { Sockets } from "../sockets.ts";
import type { Store } from "../storage/store.ts";

type RecordCopyDeps = {
  deps: Deps;
  store: Store;
  sockets: Sockets;
  recorder: Recorder;
  machine: Machine;
  ownership: Ownership;
  loop: EventLoop;
  alarm: Alarm;
  maintenance: Maintenance;
  ownRecord: OwnRecord;
};

/** How long whoever announces something waits for the pushes: a slower service is asked about later. */
const PUSH_WAIT_MS = 2_000;

/** The driver's record as D1 has it, of which the object keeps a copy, and the news that come with it. */
export class RecordCopy {
  readonly #parts: RecordCopyDeps;

  constructor(parts: RecordCopyDeps) {
    this.#parts = parts;
  }

  async configure(
    owner: DriverOwner,
    profile: Profile,
    { serviceChanges, news }: { serviceChanges: readonly ServiceChange[]; news: readonly DriverNews[] },
  ): Promise<void> {
    const { deps, sockets, recorder, machine, ownership, loop, alarm, maintenance } = this.#parts;
    await ownership.set(owner);
    // Like the profile, it may come late.
    if (profile.revision >= (machine.state.profile?.revision ?? -1)) ownership.replace(owner);
    loop.dispatch({ kind: "profile_changed", profile: readProfile(profile) });
    const changes = readServiceChanges(serviceChanges);
    if (changes.length > 0) loop.dispatch({ kind: "service_changed", serviceChanges: changes });
    const known = readNews(news);
    if (known.length > 0) loop.dispatch({ kind: "news_arrived", news: known });
    if (known.some(({ kind }) => isSpotNews(kind))) sockets.sendSpotMoved(deps.now());
    recorder.showChanged(machine.state, machine.owner, deps.now());
    await alarm.set();
    // The driver may have been switched on or off, so the watchdog's deadline must change now, not a minute later.
    maintenance.startWithHeartbeat();
  }

  /** Restores owner and profile from D1 if the object's own copies could not be parsed. */
  async restore(): Promise<void> {
    const { ownRecord, ownership, loop, alarm } = this.#parts;
    const record = await ownRecord.fetch();
    if (!record) return;
    ownership.replace(toDriverOwner(record));
    loop.dispatch({ kind: "profile_changed", profile: record.profile });
    await alarm.set();
  }

  async announce(announcement: Announcement): Promise<AnnouncementPushes> {
    const { deps, store, sockets, machine, loop, alarm, maintenance } = this.#parts;
    if (machine.owner === null) return { sent: 0, failed: 0, pending: 0 };
    loop.dispatch({ kind: "announced", announcement });
    sockets.sendAnnounced(deps.now());
    await alarm.set();
    await maintenance.sendFor(PUSH_WAIT_MS);
    return store.announcementPushes.of(announcement.id);
  }
}
