import { afterAll, beforeAll } from "vitest";
import { describeLongList, describeOldCaptures, describePassedOver } from "./day/block-list-stories.ts";
import { describeRules } from "./day/rule-stories.ts";
import { describeScreens } from "./day/screen-stories.ts";
import { openE2eHarness, type E2eHarness } from "./harness.ts";

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

const open = () => harness;

describeRules(open);
describePassedOver(open);
describeOldCaptures(open);
describeLongList(open);
describeScreens(open);
