import type { DriverOwner } from "../../../db/shapes/profile.ts";
import type { LinkResult } from "../../../db/shapes/work/linking.ts";
import type { Alarm } from "../alarm.ts";
import type { Machine } from "../machine.ts";
import type { Maintenance } from "../maintenance.ts";
import type { OwnRecord } from "../own-record.ts";
import type { Ownership } from "../ownership.ts";
import type { EarningsService } from "./earnings-service.ts";
import type { LinkFlow } from "./link-flow.ts";

type LinkStepsDeps = {
  links: LinkFlow;
  machine: Machine;
  ownership: Ownership;
  earnings: EarningsService;
  alarm: Alarm;
  maintenance: Maintenance;
  record: OwnRecord;
};

/** The steps of linking as the API asks for them. */
export class LinkSteps {
  readonly #parts: LinkStepsDeps;

  constructor(parts: LinkStepsDeps) {
    this.#parts = parts;
  }

  start(owner: DriverOwner, credentials: { email: string; password: string }): Promise<LinkResult> {
    return this.#run(owner, (links) => links.login(credentials));
  }

  submitCode(owner: DriverOwner, code: string): Promise<LinkResult> {
    return this.#run(owner, (links) => links.submitCode(code));
  }

  resendCode(owner: DriverOwner): Promise<LinkResult> {
    return this.#run(owner, (links) => links.resendCode());
  }

  status(owner: DriverOwner): Promise<LinkResult> {
    return this.#run(owner, (links) => links.fetchStatus());
  }

  /**
   * Runs a step. D1 is updated before we respond that the account is linked, since the next screen reads D1: also where another
   * call has changed the link, and its update is still under way.
   */
  async #run(owner: DriverOwner, step: (links: LinkFlow) => Promise<LinkResult>): Promise<LinkResult> {
    const { links, machine, ownership, earnings, alarm, maintenance, record } = this.#parts;
    await ownership.set(owner);
    const before = machine.state.link;
    const result = await step(links);
    // A run reports fields that could not be read, whether or not the step succeeded.
    maintenance.start();
    const isChanged = machine.state.link !== before;
    if (isChanged) {
      earnings.forget();
      await alarm.set();
    }
    if (isChanged || machine.state.link.status === "linked") await maintenance.flush();
    // Linking decides whether the driver has a spot in their city.
    if (isChanged) await record.sync();
    return result;
  }
}
