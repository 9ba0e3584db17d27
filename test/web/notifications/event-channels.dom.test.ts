import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { NOTIFICATION_EVENTS, REMINDERS, type Channels } from "../../../db/shapes/notifications.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { EventChannels } from "../../../web/features/notifications/event-channels.tsx";
import { QuietHoursEditor } from "../../../web/features/notifications/quiet-hours-editor.tsx";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

const nothing = () => undefined;
const EVENTS = { notifications: NOTIFICATION_EVENTS, reminders: REMINDERS };

/** The switches by name, with whether they are on. */
function switchesIn(html: string): Record<string, boolean> {
  const switches = [...html.matchAll(/<button[^>]*role="switch"[^>]*>/gu)];
  return Object.fromEntries(
    switches.map(([each]) => [
      /aria-label="([^"]*)"/u.exec(each)?.[1]?.replaceAll("&#x27;", "'"),
      each.includes('aria-checked="true"'),
    ]),
  );
}

it.each(["notifications", "reminders"] as const)(
  "has a switch for each way of each event, as the driver chose: %s",
  async (group) => {
    const names: readonly string[] = EVENTS[group];
    for (const chosen of names) {
      const settings = Object.fromEntries(
        names.map((name): [string, Channels] => [name, { text: name === chosen, push: name !== chosen }]),
      );
      const read = async (hasPush: boolean) =>
        switchesIn(
          await htmlOfPart(
            createElement(EventChannels, { group, settings: settings as never, onChange: nothing, hasPush }),
          ),
        );
      const both = await read(true);
      expect(Object.keys(both)).toHaveLength(2 * names.length);
      expect(Object.values(both)).toEqual(names.flatMap((name) => [name === chosen, name !== chosen]));
      const texts = Object.entries(both).filter(([name]) => name.endsWith(": Text"));
      expect(Object.entries(await read(false))).toEqual(texts);
    }
  },
);

it("names each event in words of its own", async () => {
  const names = Object.entries(EVENTS).map(async ([group, events]) => {
    const settings = Object.fromEntries(events.map((name) => [name, { text: true, push: true }]));
    const part = createElement(EventChannels, {
      group: group as "notifications",
      settings: settings as never,
      onChange: nothing,
      hasPush: false,
    });
    return textsIn(await htmlOfPart(part)).filter((text) => text !== "Text");
  });
  const words = (await Promise.all(names)).flat();
  expect(words).toHaveLength(2 * (NOTIFICATION_EVENTS.length + REMINDERS.length));
  expect(new Set(words).size).toBe(words.length);
});

it("has the quiet hours once there are some", async () => {
  const read = async (quietHours: Parameters<typeof QuietHoursEditor>[0]["quietHours"]) => {
    const html = await htmlOfPart(createElement(QuietHoursEditor, { quietHours, onChange: nothing }));
    const chosen = [...html.matchAll(/<option[^>]*selected[^>]*>(.*?)<\/option>/gu)];
    return [Object.values(switchesIn(html)), chosen.flatMap(([, text = ""]) => textsIn(text))];
  };
  expect([await read(null), await read({ fromMinute: 1_320, toMinute: 390 })]).toEqual([
    [[false], []],
    [[true], ["10:00 PM", "6:30 AM"]],
  ]);
});
